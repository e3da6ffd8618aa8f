import { gatewayContract } from "@interlock/contracts";
import type { Router as MessageRouter } from "../conversation/router.ts";
import { DIALECTS, type Dialect } from "../dialects/dialect.ts";
import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { Mesh } from "../mesh.ts";
import { chooseModel } from "../models/choose.ts";
import { decodeEvent, type StoredEvent } from "../runs/events.ts";
import type { RunOrder, RunState } from "../runs/record.ts";
import type { Runs } from "../runs/runs.ts";
import { keysOf } from "../store/keys.ts";
import type { LogReader } from "../store/log-reader.ts";
import type { RunRecord } from "../store/run-store.ts";
import type { Handler } from "./context.ts";
import { idempotencyOf } from "./idempotency.ts";
import { sendJson } from "./json.ts";
import { cursorText, headerOf, idParam, query, readQuery, traceparentOf, valid } from "./request.ts";
import type { SseStream, SseStreams } from "./sse.ts";
import { RunStreamWriter, streamStored } from "./stream-run.ts";

export type RunRoutesDeps = {
  mesh: Mesh;
  route: MessageRouter;
  runs: Runs;
  reader: LogReader;
  streams: SseStreams;
};

/** POST /api/v1/runs: a run in the background. */
export function startRun({ mesh, route, runs }: RunRoutesDeps): Handler {
  return async (context) => {
    const { multitask } = readQuery(context, { multitask: query.oneOf("refuse", "enqueue") });
    const body = valid(gatewayContract.runStartRequest, context.body);
    const { caller, res } = context;
    const target = body.flow === undefined ? undefined : flowTarget(mesh, body.flow, body.goals);
    const message = body.message ?? `Run the flow ${body.flow}.`;
    const routed = target ? undefined : route(message, { plan: true });
    const traceparent = traceparentOf(context.req);
    const order: RunOrder = {
      message,
      intent: "plan",
      target:
        target ??
        (routed?.kind === "plan"
          ? flowTarget(mesh, routed.flow, body.goals ?? routed.goals)
          : { kind: "general" }),
      model: chooseModel(mesh.models, { task: "plan", session: body.session_id }),
      subject: caller.subject,
      ...(body.inputs === undefined ? {} : { inputs: body.inputs }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const idempotency = idempotencyOf(context, body);
    const started = await runs.accept(caller, body.session_id, order, {
      background: true,
      whenBusy: multitask ?? "refuse",
      ...(idempotency ? { idempotency } : {}),
    });
    const runId = started.state === "held" ? started.run.id : started.runId;
    const links = linksOf(runId);
    res.setHeader("location", links.self);
    sendJson(res, { run_id: runId, thread_id: runId, session_id: body.session_id, links }, 202);
  };
}

/** @throws GatewayError invalid_request */
function flowTarget(mesh: Mesh, name: string, goals: readonly string[] | undefined): RunOrder["target"] {
  const flow = mesh.flows.get(name);
  if (!flow) throw new GatewayError("invalid_request", "There is no such flow.");
  if (goals?.some((goal) => !flow.goals.has(goal))) {
    throw new GatewayError("invalid_request", "The flow has no such goal.");
  }
  return { kind: "flow", flow: flow.name, goals: goals ?? flow.defaultGoals };
}

const STATES = [
  "queued",
  "running",
  "paused",
  "resuming",
  "finished",
  "failed",
  "cancelled",
  "needs_review",
] as const satisfies readonly RunState[];

const LIST_PARAMETERS = {
  state: query.oneOf(...STATES),
  session_id: query.id,
  limit: query.integer(1, 200),
  before: query.cursor,
};

/** GET /api/v1/runs: latest first. A page looks at `limit` runs and shows those that match; `next` is the `before` of the next page. */
export function listRuns({ runs }: RunRoutesDeps): Handler {
  return async (context) => {
    const { state, session_id, limit = 50, before } = readQuery(context, LIST_PARAMETERS);
    // Those that wait for a person are few, and are to be found at once.
    const page = await runs.list(context.caller, limit, before, state === "needs_review");
    const matching = page.runs.filter(
      (record) =>
        (state === undefined || record.state === state) &&
        (session_id === undefined || record.sessionId === session_id),
    );
    sendJson(context.res, {
      runs: matching.map(viewOf),
      ...(page.next ? { next: cursorText(page.next) } : {}),
    });
  };
}

/** GET /api/v1/runs/{id} */
export function getRun({ runs }: RunRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    sendJson(context.res, viewOf(await runs.find(context.caller, idParam(context))));
  };
}

/** POST /api/v1/runs/{id}/cancel */
export function cancelRun({ runs }: RunRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    sendJson(context.res, await cancelled(runs, context.caller, idParam(context)));
  };
}

/** POST /api/v1/chat/cancel: the same, by the thread's id in the body. */
export function cancelThread({ runs }: RunRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    const { thread_id } = valid(gatewayContract.cancelRequest, context.body);
    sendJson(context.res, await cancelled(runs, context.caller, thread_id));
  };
}

async function cancelled(runs: Runs, caller: Caller, runId: string): Promise<Record<string, unknown>> {
  const state = await runs.cancel(caller, runId);
  if (state !== "cancelled")
    throw new GatewayError("conflict", "The run has ended already.", { extra: { state } });
  return { run_id: runId, thread_id: runId, state };
}

const EVENT_PARAMETERS = {
  after: query.seq,
  dialect: query.oneOf("chat", "run"),
  keepalive: query.boolean,
  interval: query.integer(1, 300),
};

/**
 * GET /api/v1/runs/{id}/events: the run's events from a cursor on, live or afterwards, from any replica. `Last-Event-ID` or `?after=`
 * is the last seq that the reader has. 204 where the run is over and all of it was read.
 */
export function getRunEvents({ runs, reader, streams }: RunRoutesDeps): Handler {
  return async (context) => {
    const { req, res, caller } = context;
    const options = readQuery(context, EVENT_PARAMETERS);
    const record = await runs.find(caller, idParam(context));
    const header = headerOf(req, "last-event-id");
    const after = header ? query.seq(header) : (options.after ?? 0);
    if (after > record.seq) throw new GatewayError("invalid_cursor");
    const over = record.terminal !== undefined;
    if (over && after >= record.seq) {
      res.writeHead(204).end();
      return;
    }
    if (req.method === "HEAD") {
      // A stream that nobody reads would stay open as long as the run lives.
      res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).end();
      return;
    }
    const keepaliveMs = (options.keepalive ?? true) ? (options.interval ?? 15) * 1000 : 0;
    const open = () => streams.open(res, keepaliveMs, { "x-run-id": record.id });
    await streamRecord(caller, record, after, DIALECTS[options.dialect ?? "run"], reader, open);
  };
}

/** Streams a run, whose record was just read, to a reader that has everything up to `after`. */
export async function streamRecord(
  caller: Caller,
  record: RunRecord,
  after: number,
  dialect: Dialect,
  reader: LogReader,
  open: () => SseStream,
): Promise<void> {
  const key = keysOf(caller.tenant).events(record.id);
  const firstHeld = await reader.firstHeld(key);
  const stream = open();
  if (record.terminal !== undefined && (firstHeld === undefined || after + 1 < firstHeld)) {
    // The log is not held any more: the reader starts anew from what the record still knows.
    stream.write(`event: reset\ndata: ${JSON.stringify(viewOf(record))}\n\n`);
    const { type } = decodeEvent(record.terminal);
    const end: StoredEvent = { seq: record.seq, type, json: record.terminal };
    void new RunStreamWriter(stream, dialect).events([end]);
    return;
  }
  streamStored(key, new RunStreamWriter(stream, dialect, after, record.seq), stream, reader);
}

/** A run as its readers see it; the terminal event's data is the result. */
function viewOf(record: RunRecord): Record<string, unknown> {
  const { order } = record;
  return {
    run_id: record.id,
    session_id: record.sessionId,
    kind: record.kind,
    state: record.state,
    intent: order.intent,
    ...(order.target.kind === "flow" ? { flow: order.target.flow, goals: order.target.goals } : {}),
    model: order.model.chosen,
    seq: record.seq,
    attempts: record.attempts,
    created_at: new Date(record.createdAt).toISOString(),
    ...(record.finishedAt === undefined ? {} : { finished_at: new Date(record.finishedAt).toISOString() }),
    ...(record.approvalId === undefined ? {} : { approval_id: record.approvalId }),
    ...(record.terminal === undefined ? {} : { result: decodeEvent(record.terminal).data }),
    links: linksOf(record.id),
  };
}

function linksOf(runId: string): { self: string; events: string; cancel: string } {
  const self = `/api/v1/runs/${runId}`;
  return { self, events: `${self}/events`, cancel: `${self}/cancel` };
}
