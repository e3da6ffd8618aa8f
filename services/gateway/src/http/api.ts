import type { RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { AgentClient, AgentRegistry } from "../agents/index.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { Router as MessageRouter } from "../conversation/router.ts";
import type { Identify } from "../identity/caller.ts";
import type { Mesh } from "../mesh.ts";
import type { Runs } from "../runs/runs.ts";
import type { LogReader } from "../store/log-reader.ts";
import type { SessionStore } from "../store/session-store.ts";
import { approveThread, decideApproval, getApproval, getAudit, listApprovals } from "./approvals.ts";
import { chatHandler } from "./chat.ts";
import type { Handler } from "./context.ts";
import { answerError } from "./errors.ts";
import { readJson, sendJson } from "./json.ts";
import { chatHealth, listAgents, listModels, listTools, policyCheck } from "./mesh-routes.ts";
import type { Metrics } from "./metrics.ts";
import { requestIdOf, targetOf } from "./request.ts";
import { Routes } from "./routes.ts";
import { cancelRun, cancelThread, getRun, getRunEvents, listRuns, startRun } from "./runs.ts";
import { getSession, listSessions } from "./sessions.ts";
import type { SseStreams } from "./sse.ts";

export type ApiDeps = {
  mesh: Mesh;
  route: MessageRouter;
  registry: AgentRegistry;
  agents: AgentClient;
  runs: Runs;
  approvals: Approvals;
  identify: Identify;
  reader: LogReader;
  sessions: SessionStore;
  streams: SseStreams;
  metrics: Metrics;
  log: Logger;
  maxBodyBytes: number;
  /** Whether this replica takes work: its store answers and it is not being stopped. */
  ready: () => Promise<boolean>;
};

/**
 * The gateway's HTTP surface: one line a route. It stands on node:http alone: on a gateway, a framework's chain of functions and its
 * wrapping of each request are a tenth of the work.
 */
export function createApi(deps: ApiDeps): RequestListener {
  const { mesh, registry, metrics, log, maxBodyBytes } = deps;

  const open = new Routes<(res: ServerResponse) => void | Promise<void>>("", {
    "/healthz": { get: (res) => sendJson(res, { status: "ok" }) },
    "/readyz": {
      get: async (res) => {
        const ready = await deps.ready();
        sendJson(res, { status: ready ? "ready" : "not_ready" }, ready ? 200 : 503);
      },
    },
    "/metrics": {
      get: async (res) => {
        const text = await metrics.registry.metrics();
        res.writeHead(200, {
          "content-type": metrics.registry.contentType,
          "content-length": Buffer.byteLength(text),
        });
        res.end(text);
      },
    },
  });

  const api = new Routes<Endpoint>(PREFIX, {
    "/chat": { post: withBody(chatHandler(deps)) },
    "/chat/cancel": { post: withBody(cancelThread(deps)) },
    "/chat/approve": { post: withBody(approveThread(deps)) },
    "/chat/health": { get: bare(chatHealth(mesh, deps.ready)) },
    "/chat/tools": { get: bare(listTools(mesh)) },
    "/chat/models": { get: bare(listModels(mesh)) },
    "/policy/check": { post: withBody(policyCheck(registry, deps.agents)) },
    "/agents": { get: bare(listAgents(registry)) },
    "/sessions": { get: bare(listSessions(deps.sessions)) },
    "/sessions/:id": { get: bare(getSession(deps.sessions)) },
    "/runs": { get: bare(listRuns(deps)), post: withBody(startRun(deps)) },
    "/runs/:id": { get: bare(getRun(deps)) },
    "/runs/:id/events": { get: bare(getRunEvents(deps)) },
    "/runs/:id/cancel": { post: bare(cancelRun(deps)) },
    "/approvals": { get: bare(listApprovals(deps)) },
    "/approvals/:id": { get: bare(getApproval(deps)) },
    "/approvals/:id/audit": { get: bare(getAudit(deps)) },
    "/approvals/:id/decision": { post: withBody(decideApproval(deps)) },
  });

  return async (req, res) => {
    const requestId = requestIdOf(req);
    res.setHeader("x-request-id", requestId);
    try {
      const { path, query } = targetOf(req);
      if (!WITHIN_API.test(path)) {
        await open.find(req.method, path).handler(res);
        return;
      }
      const caller = deps.identify(req.headers);
      const { handler, id } = api.find(req.method, path);
      const body = handler.readsBody ? await readJson(req, res, maxBodyBytes) : undefined;
      await handler.handle({ req, res, requestId, caller, path, id, query, body });
    } catch (error) {
      answerError(error, res, requestId, log);
    }
  };
}

const PREFIX = "/api/v1";
const WITHIN_API = new RegExp(`^${PREFIX}(?:/|$)`, "i");

type Endpoint = { readonly handle: Handler; readonly readsBody: boolean };

function withBody(handle: Handler): Endpoint {
  return { handle, readsBody: true };
}

function bare(handle: Handler): Endpoint {
  return { handle, readsBody: false };
}
