import { RunFailedError } from "./errors.ts";
import type { ChatItem, ChatResult, RunItem, RunResult, StatusItem, StatusResult } from "./events.ts";
import type { Frame } from "./frames.ts";
import { chatEvent, type JsonObject, runEvent, statusEvent } from "./wire.ts";

/**
 * State of a stream after an event. `over`: no event follows. `resting`: the run paused or was parked, so the
 * stream may end here, or continue if the run has been resumed since.
 */
export type Phase = "open" | "resting" | "over";

export type DialectName = "chat" | "run" | "status";

/** Decodes a run's events from one wire encoding. */
export type Dialect<E, R> = {
  readonly name: DialectName;
  /**
   * The seq of the event that a frame encodes, or undefined if it has none. `part`: the frame belongs to the
   * event of the next frame that has a seq.
   */
  readonly seq: (data: JsonObject, frame: Frame) => number | "part" | undefined;
  /** The event, or undefined if the object is not a valid event of the dialect. */
  readonly read: (data: JsonObject) => E | undefined;
  readonly phase: (event: E) => Phase;
  /** The id of the run, if the event carries one. */
  readonly runId: (event: E) => string | undefined;
  /**
   * The run's result, if the event can end the stream; undefined otherwise.
   * @throws RunFailedError if the event says that the run did not succeed
   */
  readonly result: (event: E) => R | undefined;
};

export const chatDialect: Dialect<ChatItem, ChatResult> = {
  name: "chat",
  seq: seqInData,
  read: chatEvent,
  phase: (event) => (event.done ? "over" : "open"),
  runId: (event) => event.thread_id,
  result: (event) => {
    if (event.type !== "end") return undefined;
    if (!("error" in event)) return event;
    const { code, error, status: outcome, retryable, node, thread_id: runId } = event;
    throw new RunFailedError(code, error, { outcome, retryable, runId, node });
  },
};

export const runDialect: Dialect<RunItem, RunResult> = {
  name: "run",
  seq: seqInData,
  read: runEvent,
  phase: (event) => {
    switch (event.type) {
      case "run_finished":
      case "run_failed":
      case "run_cancelled":
        return "over";
      case "run_paused":
      case "run_parked":
        return "resting";
      default:
        return "open";
    }
  },
  runId: (event) => event.run_id,
  result: (event) => {
    const failed = (code: string, message: string, outcome: RunFailedError["outcome"], more = {}) =>
      new RunFailedError(code, message, { outcome, retryable: false, runId: event.run_id, ...more });
    switch (event.type) {
      case "run_finished":
      case "run_paused":
        return event;
      case "run_failed": {
        const { code, error, retryable, node } = event.data;
        throw failed(code, error, "error", { retryable: retryable === true, node });
      }
      case "run_cancelled":
        throw failed("cancelled", event.data.message, "cancelled");
      case "run_parked":
        throw failed(event.data.code, event.data.message, "needs_review");
      default:
        return undefined;
    }
  },
};

/** Its frames carry the seq only in their id. Several frames may encode one event; only the last of them has the id. */
export const statusDialect: Dialect<StatusItem, StatusResult> = {
  name: "status",
  seq: (_data, { id }) => (id === undefined ? "part" : /^\d{1,15}$/.test(id) ? Number(id) : undefined),
  read: statusEvent,
  phase: ({ type }) => (type === "complete" || type === "error" ? "over" : "open"),
  runId: (event) => ("thread_id" in event ? event.thread_id : undefined),
  result: (event) => {
    if (event.type === "complete") return event;
    if (event.type !== "error") return undefined;
    const { code, content, outcome, retryable, thread_id: runId } = event;
    throw new RunFailedError(code, content, { outcome, retryable, runId });
  },
};

/** The seq that the event itself holds. If the frame has an id, it must be the same. */
function seqInData({ seq }: JsonObject, { id }: Frame): number | undefined {
  return typeof seq === "number" && (id === undefined || id === String(seq)) ? seq : undefined;
}
