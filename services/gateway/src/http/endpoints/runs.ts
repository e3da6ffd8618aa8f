import { gatewayContract } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { type TurnDeps, takeTurn } from "../../conversation/index.ts";
import { DIALECTS, readTurnCursor } from "../../dialects/index.ts";
import { GatewayError } from "../../errors.ts";
import { mermaidOf, type Runs } from "../../runs/index.ts";
import { agentLabels } from "../agent-labels.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { hopsOf } from "../hops.ts";
import { idempotencyOf } from "../idempotency.ts";
import { maxAgeOf } from "../max-age.ts";
import { cursorText, query } from "../query.ts";
import { headerOf } from "../request.ts";
import { COMMON_HEADERS, sendFile, sendJson, sendText } from "../respond.ts";
import type { SseStreams } from "../sse.ts";
import { streamRun } from "../stream-run.ts";
import { runLinks, runView } from "../views.ts";
import { DEFAULT_LIMIT, DIALECT, KEEPALIVE, keepaliveMs, LIMIT, MULTITASK, validId } from "./parameters.ts";

export type RunEndpointsDeps = TurnDeps & { runs: Runs; streams: SseStreams; gatewayId: string };

const STATES = [
  "queued",
  "running",
  "paused",
  "resuming",
  "finished",
  "failed",
  "cancelled",
  "needs_review",
] as const;

// Declared here and not in place: TypeScript would infer `unknown` for the words of an inner call.
const STATE = query.oneOf(...STATES);
const FORMAT = query.oneOf("json", "mermaid");

export function runEndpoints(deps: RunEndpointsDeps): Endpoint[] {
  const { runs, streams } = deps;
  return [
    /** Starts a run in the background. */
    endpoint({
      method: "POST",
      path: "/api/v1/runs",
      hot: true,
      startsRun: true,
      usesAgents: true,
      query: { multitask: MULTITASK },
      body: gatewayContract.runStartRequest,
      asText: ["inputs"],
      async handler(request) {
        const { req, res, caller, body } = request;
        const { run } = await takeTurn(
          {
            caller,
            admitted: request.admitted,
            message: body.message,
            sessionId: body.session_id,
            inputs: body.inputs,
            flow: body.flow,
            goals: body.goals,
            plan: true,
            background: true,
            whenBusy: request.query.multitask,
            idempotency: idempotencyOf(request),
            authorization: headerOf(req, "authorization"),
            hops: hopsOf(req, deps.gatewayId),
            maxAgeMs: maxAgeOf(req),
            requestId: request.requestId,
            trace: request.trace,
          },
          deps,
        );
        const links = runLinks(run.id);
        res.setHeader("location", links.self);
        const session_id = body.session_id;
        sendJson(res, { run_id: run.id, thread_id: run.id, session_id, links }, 202);
      },
    }),

    /** Those that match, latest first; `next` is the `before` of the next page. */
    endpoint({
      method: "GET",
      path: "/api/v1/runs",
      query: {
        ...{ state: STATE, session_id: query.id, limit: LIMIT, before: query.cursor },
        ...{ flow: query.text, service: query.text, agent: query.text, code: query.text },
        ...{ subject: query.text, from: query.moment, to: query.moment },
      },
      async handler({ res, caller, query: { session_id, subject, limit = DEFAULT_LIMIT, ...filters } }) {
        const page = await runs.list(caller, { ...filters, limit, sessionId: session_id, owner: subject });
        sendJson(res, {
          runs: page.runs.map(runView),
          ...(page.next ? { next: cursorText(page.next) } : {}),
        });
      },
    }),

    endpoint({
      method: "GET",
      path: "/api/v1/runs/:id",
      async handler({ res, caller, id }) {
        sendJson(res, runView(await runs.find(caller, validId(id))));
      },
    }),

    /** The calls of tools, with their results, and which came from which. */
    endpoint({
      method: "GET",
      path: "/api/v1/runs/:id/lineage",
      query: { format: FORMAT },
      produces: ["application/json", "text/plain"],
      async handler({ res, caller, id, query: { format } }) {
        const lineage = await runs.lineage(caller, await runs.find(caller, validId(id)));
        if (format === "mermaid") sendText(res, "text/plain; charset=utf-8", mermaidOf(lineage));
        else sendJson(res, lineage);
      },
    }),

    /** What a call has brought that is no text, to be saved and never shown as a page of ours. */
    endpoint({
      method: "GET",
      path: "/api/v1/runs/:id/artifacts",
      query: { artifact: query.text },
      produces: ["application/octet-stream"],
      async handler({ res, caller, id, query: { artifact = "" } }) {
        const { contentType, data } = await runs.artifact(
          caller,
          await runs.find(caller, validId(id)),
          artifact,
        );
        sendFile(res, contentType, data);
      },
    }),

    endpoint({
      method: "POST",
      path: "/api/v1/runs/:id/cancel",
      async handler({ res, caller, id }) {
        sendJson(res, await cancelled(runs, caller, validId(id)));
      },
    }),

    /** The same, by the thread's id in the body. */
    endpoint({
      method: "POST",
      path: "/api/v1/chat/cancel",
      body: gatewayContract.cancelRequest,
      async handler({ res, caller, body }) {
        sendJson(res, await cancelled(runs, caller, body.thread_id));
      },
    }),

    /**
     * The run's events from a cursor on, live or afterwards, from any replica. `Last-Event-ID` or `?after=` is the last seq that the
     * reader has. 204 where the run is over and the reader has all of it.
     */
    endpoint({
      method: "GET",
      path: "/api/v1/runs/:id/events",
      query: { after: query.seq, dialect: DIALECT, ...KEEPALIVE },
      produces: ["text/event-stream", "application/json"],
      async handler({ req, res, caller, id, query: options }) {
        const record = await runs.find(caller, validId(id));
        const header = headerOf(req, "last-event-id");
        const turn = header ? readTurnCursor(header) : undefined;
        const after = turn?.runId === id ? turn.seq : header ? query.seq(header) : (options.after ?? 0);
        if (after > record.seq) throw new GatewayError("invalid_cursor");
        if (record.terminal !== undefined && after >= record.seq) {
          res.writeHead(204, COMMON_HEADERS).end();
          return;
        }
        if (req.method === "HEAD") {
          // Nobody reads the body of a HEAD, so its stream would stay open until the run ends.
          res.writeHead(200, { ...COMMON_HEADERS, "content-type": "text/event-stream; charset=utf-8" }).end();
          return;
        }
        streams.admit(res, caller);
        const open = () => streams.open(res, keepaliveMs(options), { "x-run-id": record.id });
        const dialect = DIALECTS[options.dialect ?? "run"];
        const labelOf = agentLabels(deps.mesh, record.order.message);
        await streamRun(runs.open(caller, record), { after, dialect, labelOf, open });
      },
    }),
  ];
}

/** @throws GatewayError conflict where the run had ended otherwise */
async function cancelled(runs: Runs, caller: Caller, runId: string) {
  const state = await runs.cancel(caller, runId);
  if (state !== "cancelled")
    throw new GatewayError("conflict", "The run has ended already.", { extra: { state } });
  return { run_id: runId, thread_id: runId, state };
}
