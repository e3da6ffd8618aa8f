import { type TraceContext, traceContextOf, traceIdOf } from "@interlock/contracts";
import type { Request, RequestHandler, Response } from "express";
import type { Core, IncomingRun } from "../core.ts";
import type { RequestFacts } from "../log.ts";
import { answerText } from "../runs/answer.ts";
import { prepare } from "../runs/tasks.ts";
import { checkRequest, readBody, sentRequestId } from "./body.ts";
import type { OpenChannel } from "./channel.ts";
import { asRefused, sendRefusal } from "./respond.ts";

/** Aborts when the client disconnects before the answer is complete. The request's `close` fires too early: after its body. */
function watchClient(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

function incomingRun(
  req: Request,
  receivedAt: number,
  request: IncomingRun["request"],
  caller: IncomingRun["caller"],
  trace: TraceContext,
): IncomingRun {
  const { "idempotency-key": key } = req.headers;
  const timeout = request.budgets?.timeout_ms;
  return {
    request,
    ...(timeout === undefined ? {} : { deadline: receivedAt + timeout }),
    trace,
    ...(typeof key === "string" ? { idempotencyKey: key } : {}),
    ...(caller === undefined ? {} : { caller }),
  };
}

/** The request handler of both run endpoints. They differ only in the channel. */
export function runEndpoint(core: Core, openChannel: OpenChannel): RequestHandler {
  return async (req, res) => {
    const receivedAt = Date.now();
    const client = watchClient(res);
    let requestId = "";
    const trace = traceContextOf(req.headers);
    const traceId = traceIdOf(trace);
    let facts: RequestFacts = traceId === undefined ? {} : { trace_id: traceId };
    const log = (status: string, code: string): void =>
      core.settings.log.request({ ...facts, duration_ms: Date.now() - receivedAt, status, code });

    try {
      // Authenticate before reading the body, so that strangers cannot use up memory.
      const caller = await core.settings.verifyCaller?.(req.headers.authorization);
      const body = await readBody(req, core.maxBodyBytes);
      requestId = sentRequestId(body);
      const request = checkRequest(body);
      facts = { ...facts, request_id: request.request_id };
      const task = core.findTask(request);
      facts = { ...facts, task_type: task.type };
      const prepared = prepare(task, request);
      const incoming = incomingRun(req, receivedAt, request, caller, trace);
      const { own, ...place } = await core.admit(prepared, incoming);

      const { deadline } = incoming;
      const channel = openChannel(res, { keepalive: core.keepalive, stallMs: core.settings.stallMs });
      channel.open(JSON.stringify({ request_id: requestId, task_type: request.task_type }));
      const outcomeForCaller = core.callers.outcomeOf({
        ...place,
        client,
        frame: core.frameOf(prepared),
        ...(deadline === undefined ? {} : { deadline }),
      });
      void own?.drive(channel.emit);
      const outcome = await outcomeForCaller;
      channel.close(answerText(requestId, outcome));
      log(outcome.ok ? "ok" : "error", outcome.code);
    } catch (error) {
      const refused = asRefused(error);
      if (refused !== error) core.settings.log.defect(error, facts);
      core.metrics.refused(refused.code);
      sendRefusal(res, requestId, refused);
      log("refused", refused.code);
    }
  };
}
