import { gatewayContract } from "@interlock/contracts";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Router as MessageRouter, Route } from "../conversation/router.ts";
import { toChatEvent } from "../dialects/chat.ts";
import { DIALECTS } from "../dialects/dialect.ts";
import { GatewayError, isErrorCode } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { Mesh } from "../mesh.ts";
import { chooseModel } from "../models/choose.ts";
import { decodeEvent, END_TYPES, type RunEvent, type StoredEvent } from "../runs/events.ts";
import type { LiveRun } from "../runs/live-run.ts";
import type { RunOrder } from "../runs/record.ts";
import type { Runs, Started } from "../runs/runs.ts";
import type { LogReader } from "../store/log-reader.ts";
import { query, readQuery, traceparentOf, valid } from "./request.ts";
import type { SseStreams } from "./sse.ts";
import { RunStreamWriter, streamLive } from "./stream-run.ts";

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
};

/** POST /api/v1/chat */
export function chatHandler(deps: ChatDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    // Before the first await: a client that goes away meanwhile must not be missed.
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    const options = readQuery(req, PARAMETERS);
    const body = valid(gatewayContract.chatRequest, req.body);
    const caller: Caller = res.locals.caller;
    const route = deps.route(body.message, { plan: options.plan ?? false });
    const model = chooseModel(deps.mesh.models, {
      hint: options.model,
      task: route.intent,
      session: body.session_id,
    });
    const traceparent = traceparentOf(req);
    const order: RunOrder = {
      message: body.message,
      intent: route.intent,
      target: targetOf(route),
      model,
      subject: caller.subject,
      ...(body.inputs === undefined ? {} : { inputs: body.inputs }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const started = await deps.runs.accept(caller, body.session_id, order);
    const { run } = started;
    deps.log.info(
      { request_id: res.locals.requestId, run_id: run.id, intent: route.intent, model },
      "run accepted",
    );
    const continues =
      (options.on_disconnect ?? (route.kind === "plan" ? "continue" : "cancel")) === "continue";
    if (!continues) {
      gone.signal.addEventListener("abort", () => run.abort.abort(new GatewayError("cancelled")), {
        once: true,
      });
      run.done.then(() => gone.abort());
    }
    if (gone.signal.aborted && !continues) run.abort.abort(new GatewayError("cancelled"));
    if (options.stream ?? false) {
      const keepaliveMs = (options.keepalive ?? true) ? (options.interval ?? 15) * 1000 : 0;
      const stream = deps.streams.open(res, keepaliveMs, { "x-run-id": run.id });
      const writer = new RunStreamWriter(stream, DIALECTS.chat);
      writer.events(started.events);
      streamLive(run, writer, stream, deps.reader);
      deps.runs.execute(run, order);
    } else {
      const end = await runToEnd(deps, started, order);
      sendEnd(res, run, end);
    }
  };
}

function targetOf(route: Route): RunOrder["target"] {
  if (route.kind === "plan") return { kind: "flow", flow: route.flow, goals: route.goals };
  if (route.kind === "ask") return { kind: "service", service: route.service.name };
  return { kind: "general" };
}

/** The run's last event; undefined where this replica lost the run. */
async function runToEnd(deps: ChatDeps, { run }: Started, order: RunOrder): Promise<RunEvent | undefined> {
  let last: StoredEvent | undefined;
  run.subscribe({ events: (batch) => (last = batch.at(-1)), lost: () => (last = undefined) });
  deps.runs.execute(run, order);
  await run.done;
  return last && END_TYPES.has(last.type) ? decodeEvent(last.json) : undefined;
}

function sendEnd(res: Response, run: LiveRun, end: RunEvent | undefined): void {
  if (!end) throw new GatewayError("interrupted", undefined, { extra: { thread_id: run.id } });
  const { seq: _, ...answer } = toChatEvent(end);
  if (answer.code !== undefined && isErrorCode(answer.code)) {
    const { message, thread_id, node, model, tools_used } = answer;
    throw new GatewayError(answer.code, answer.error, {
      extra: {
        message,
        thread_id,
        session_id: run.sessionId,
        model,
        tools_used,
        done: true,
        ...(node ? { node } : {}),
      },
    });
  }
  res.json({ ...answer, session_id: run.sessionId });
}
