import type { ServerResponse } from "node:http";
import { type ChatRequest, gatewayContract } from "@interlock/contracts";
import type { Logger } from "pino";
import type { Router as MessageRouter, Route } from "../conversation/router.ts";
import { toChatEvent } from "../dialects/chat.ts";
import { DIALECTS } from "../dialects/dialect.ts";
import { GatewayError, isErrorCode } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { Mesh } from "../mesh.ts";
import { chooseModel } from "../models/choose.ts";
import { decodeEvent, isRest, type RunEvent, type StoredEvent } from "../runs/events.ts";
import type { LiveRun } from "../runs/live-run.ts";
import type { RunOrder } from "../runs/record.ts";
import type { Runs } from "../runs/runs.ts";
import { keysOf } from "../store/keys.ts";
import type { LogReader } from "../store/log-reader.ts";
import type { Context, Handler } from "./context.ts";
import { idempotencyOf } from "./idempotency.ts";
import { sendJson } from "./json.ts";
import { query, readQuery, traceparentOf, valid } from "./request.ts";
import { streamRecord } from "./runs.ts";
import type { SseStreams } from "./sse.ts";
import { RunStreamWriter, streamLive, streamStored } from "./stream-run.ts";

export type ChatDeps = {
  mesh: Mesh;
  route: MessageRouter;
  runs: Runs;
  reader: LogReader;
  streams: SseStreams;
  log: Logger;
};

const PARAMETERS = {
  stream: query.boolean,
  plan: query.boolean,
  model: query.text,
  keepalive: query.boolean,
  /** Seconds of silence before a keepalive. */
  interval: query.integer(1, 300),
  on_disconnect: query.oneOf("continue", "cancel"),
  /** What happens while another run of the session is under way. */
  multitask: query.oneOf("refuse", "enqueue"),
};

/** POST /api/v1/chat */
export function chatHandler(deps: ChatDeps): Handler {
  return async (context) => {
    const { res, caller } = context;
    const options = readQuery(context, PARAMETERS);
    const body = valid(gatewayContract.chatRequest, context.body);
    const route = deps.route(body.message, { plan: options.plan ?? false });
    const order = orderOf(deps, context, route, body, {
      hint: options.model,
      streams: options.stream ?? false,
    });
    const idempotency = idempotencyOf(context, body);
    const started = await deps.runs.accept(caller, body.session_id, order, {
      whenBusy: options.multitask ?? "refuse",
      ...(idempotency ? { idempotency } : {}),
    });
    const runId = started.state === "held" ? started.run.id : started.runId;
    deps.log.debug({ request_id: order.requestId, run_id: runId, state: started.state }, "run accepted");
    const continues =
      (options.on_disconnect ?? (route.kind === "plan" ? "continue" : "cancel")) === "continue";
    if (!continues && started.state !== "replay") cancelWhenGone(deps.runs, caller, runId, res);
    if (options.stream ?? false) {
      const keepaliveMs = (options.keepalive ?? true) ? (options.interval ?? 15) * 1000 : 0;
      const open = () => deps.streams.open(res, keepaliveMs, { "x-run-id": runId });
      if (started.state === "replay") {
        const record = await deps.runs.find(caller, runId);
        await streamRecord(caller, record, 0, DIALECTS.chat, deps.reader, open);
        return;
      }
      const stream = open();
      const writer = new RunStreamWriter(stream, DIALECTS.chat);
      if (started.state === "held") {
        void writer.events(started.events);
        streamLive(started.run, writer, stream, deps.reader);
        void deps.runs.execute(started.run, order);
      } else streamStored(keysOf(caller.tenant).events(runId), writer, stream, deps.reader);
      return;
    }
    if (started.state === "held") {
      const rest =
        (await executeToRest(deps.runs, started.run, order)) ??
        (deps.runs.draining
          ? undefined
          : await followToRest(deps.reader, started.run.keys.events(runId), res));
      if (!res.destroyed) sendRest(res, runId, body.session_id, rest);
    } else if (started.state === "queued") {
      const rest = await followToRest(deps.reader, keysOf(caller.tenant).events(runId), res);
      if (!res.destroyed) sendRest(res, runId, body.session_id, rest);
    } else await sendReplay(deps, caller, runId, res);
  };
}

function orderOf(
  deps: ChatDeps,
  { req, caller, requestId }: Context,
  route: Route,
  body: ChatRequest,
  { hint, streams }: { hint: string | undefined; streams: boolean },
): RunOrder {
  const model = chooseModel(deps.mesh.models, { hint, task: route.intent, session: body.session_id });
  const traceparent = traceparentOf(req);
  return {
    message: body.message,
    intent: route.intent,
    target: targetOf(route),
    model,
    subject: caller.subject,
    requestId,
    ...(streams ? {} : { quiet: true }),
    ...(body.conversation_id === undefined ? {} : { conversationId: body.conversation_id }),
    ...(body.inputs === undefined ? {} : { inputs: body.inputs }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

function targetOf(route: Route): RunOrder["target"] {
  if (route.kind === "plan") return { kind: "flow", flow: route.flow, goals: route.goals };
  if (route.kind === "ask") return { kind: "service", service: route.service.name };
  return { kind: "general" };
}

function cancelWhenGone(runs: Runs, caller: Caller, runId: string, res: ServerResponse): void {
  const cancel = () => {
    // An answer that went out whole is no client that went away.
    if (!res.writableFinished) void runs.cancel(caller, runId).catch(() => undefined);
  };
  // It may have gone while the run was being accepted.
  if (res.destroyed) cancel();
  else res.once("close", cancel);
}

/** The event at which the run came to rest; undefined where this replica lost the run. */
async function executeToRest(runs: Runs, run: LiveRun, order: RunOrder): Promise<RunEvent | undefined> {
  let last: StoredEvent | undefined;
  run.subscribe({
    events: (batch) => {
      last = batch.at(-1);
    },
    lost: () => undefined,
  });
  await runs.execute(run, order);
  return last && isRest(last) ? decodeEvent(last.json) : undefined;
}

/** Undefined where the store cannot be read, or the client has gone. */
async function followToRest(
  reader: LogReader,
  key: string,
  res: ServerResponse,
): Promise<RunEvent | undefined> {
  const { promise, resolve } = Promise.withResolvers<RunEvent | undefined>();
  const nothing = () => resolve(undefined);
  if (res.destroyed) return undefined;
  res.once("close", nothing);
  const over = new AbortController();
  const events = (batch: readonly StoredEvent[]) => {
    const last = batch.at(-1);
    if (last && isRest(last)) resolve(decodeEvent(last.json));
    return undefined;
  };
  reader.follow(key, 0, { events, failed: nothing }, over.signal).catch(nothing);
  try {
    return await promise;
  } finally {
    over.abort("over");
    res.off("close", nothing);
  }
}

/** The same key again: the stored answer, or word that the first request is still under way. */
async function sendReplay(deps: ChatDeps, caller: Caller, runId: string, res: ServerResponse): Promise<void> {
  const record = await deps.runs.find(caller, runId);
  if (record.terminal !== undefined) {
    sendRest(res, runId, record.sessionId, decodeEvent(record.terminal));
    return;
  }
  if (record.state !== "paused") {
    throw new GatewayError("idempotency_in_progress", undefined, {
      headers: { "retry-after": "1" },
      extra: { thread_id: runId },
    });
  }
  const log = await deps.reader.read(keysOf(caller.tenant).events(runId), 0);
  const pause = log.findLast((event) => event.type === "run_paused");
  sendRest(res, runId, record.sessionId, pause && decodeEvent(pause.json));
}

function sendRest(res: ServerResponse, runId: string, sessionId: string, rest: RunEvent | undefined): void {
  if (!rest) throw new GatewayError("interrupted", undefined, { extra: { thread_id: runId } });
  const { seq: _, ...answer } = toChatEvent(rest);
  if (answer.code !== undefined && isErrorCode(answer.code)) {
    const { message, thread_id, node, model, tools_used } = answer;
    throw new GatewayError(answer.code, answer.error, {
      extra: {
        message,
        thread_id,
        session_id: sessionId,
        model,
        tools_used,
        done: true,
        ...(node ? { node } : {}),
      },
    });
  }
  sendJson(res, { ...answer, session_id: sessionId });
}
