import { chatDialect, type Dialect, type DialectName, runDialect, statusDialect } from "./dialects.ts";
import { AbortedError, type StreamPlace } from "./errors.ts";
import { EventStream } from "./event-stream.ts";
import type {
  ChatEvent,
  ChatResult,
  ResetEvent,
  RunEvent,
  RunResult,
  StatusEvent,
  StatusResult,
} from "./events.ts";
import { type FollowPlan, follow } from "./follow.ts";
import { checkId, invalidArgument, keepaliveQuery } from "./settings.ts";
import type { Call, Transport } from "./transport.ts";

/**
 * Makes the stream that callers iterate.
 * @param conclude maps the dialect's result to the stream's result; `left`: the caller left before the stream
 *   ended
 */
export function runStream<E extends { readonly type: string }, R, Z>(
  plan: FollowPlan<E> & { readonly dialect: Dialect<E, R> },
  conclude: (result: R | undefined, left: boolean) => Z,
  signal: AbortSignal | undefined,
): EventStream<E | ResetEvent, Z> {
  let last: E | undefined;
  return new EventStream<E | ResetEvent, Z>(
    {
      position: plan.position,
      open: async function* (scope) {
        for await (const event of follow(plan, scope)) {
          last = isReset(event) ? undefined : event;
          yield event;
        }
      },
      conclude: (left) => conclude(last && plan.dialect.result(last), left),
    },
    signal,
  );
}

function isReset(event: { readonly type: string }): event is ResetEvent {
  return event.type === "reset";
}

export type RunEventsOptions<D extends DialectName = DialectName> = {
  /** Seq of the last event that the caller has; 0 for none. */
  after?: number;
  dialect?: D;
  signal?: AbortSignal;
};

/** The result is undefined if the log had no event after `after`. */
export type RunEventStream = EventStream<RunEvent, RunResult | undefined>;
export type ChatEventStream = EventStream<ChatEvent, ChatResult | undefined>;
export type StatusEventStream = EventStream<StatusEvent, StatusResult | undefined>;

/** Streams the log of a run, while it is running or afterwards. */
export function runEvents(
  transport: Transport,
  id: string,
  options: RunEventsOptions<"run">,
): RunEventStream {
  return logOf(transport, id, options, runDialect);
}

/** Streams the log of a run in the chat dialect. */
export function chatEvents(
  transport: Transport,
  id: string,
  options: RunEventsOptions<"chat">,
): ChatEventStream {
  return logOf(transport, id, options, chatDialect);
}

/** Streams the log of a run in the status dialect. */
export function statusEvents(
  transport: Transport,
  id: string,
  options: RunEventsOptions<"status">,
): StatusEventStream {
  return logOf(transport, id, options, statusDialect);
}

function logOf<E extends { readonly type: string }, R>(
  transport: Transport,
  id: string,
  { after = 0, signal }: RunEventsOptions,
  dialect: Dialect<E, R>,
): EventStream<E | ResetEvent, R | undefined> {
  if (!Number.isSafeInteger(after) || after < 0) throw invalidArgument("after is the seq of an event, or 0.");
  const keepalive = keepaliveQuery(transport.settings);
  const plan = {
    dialect,
    settings: transport.settings,
    position: { runId: checkId(id, "run id"), seq: after, phase: "open" },
    connect: (place: StreamPlace, scope: AbortSignal) =>
      transport.send(eventsCall(place, dialect.name, keepalive), scope),
  } as const;
  const conclude = (result: R | undefined, left: boolean): R | undefined => {
    if (result === undefined && left) throw new AbortedError();
    return result;
  };
  return runStream(plan, conclude, signal);
}

export const AS_STREAM = { accept: "text/event-stream" } as const;

/** The request for a run's events after the given place. */
export function eventsCall(place: StreamPlace, dialect: DialectName, keepalive: Call["query"]): Call {
  const { runId = "", seq } = place;
  return {
    method: "GET",
    path: `/runs/${checkId(runId, "run id")}/events`,
    query: { dialect, ...keepalive },
    headers: { ...AS_STREAM, ...(seq > 0 ? { "last-event-id": String(seq) } : {}) },
  };
}
