import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { AgentClient, AgentRegistry } from "../agents/index.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { Router as MessageRouter } from "../conversation/router.ts";
import { GatewayError } from "../errors.ts";
import type { Identify } from "../identity/caller.ts";
import type { Mesh } from "../mesh.ts";
import type { Runs } from "../runs/runs.ts";
import type { LogReader } from "../store/log-reader.ts";
import type { SessionStore } from "../store/session-store.ts";
import { approveThread, decideApproval, getApproval, getAudit, listApprovals } from "./approvals.ts";
import { chatHandler } from "./chat.ts";
import { errorHandler } from "./errors.ts";
import { jsonBody } from "./json.ts";
import { chatHealth, listAgents, listModels, listTools, policyCheck } from "./mesh-routes.ts";
import type { Metrics } from "./metrics.ts";
import { requestIdOf } from "./request.ts";
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

/** The gateway's HTTP surface: one line a route. */
export function createApi(deps: ApiDeps): Express {
  const { mesh, registry, metrics, log } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");

  app.use(named);

  route(app, "/healthz", { get: [(_req, res) => void res.json({ status: "ok" })] });
  route(app, "/readyz", {
    get: [
      async (_req, res) => {
        const ready = await deps.ready();
        res.status(ready ? 200 : 503).json({ status: ready ? "ready" : "not_ready" });
      },
    ],
  });
  route(app, "/metrics", {
    get: [
      async (_req, res) => void res.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    ],
  });

  const body = jsonBody(deps.maxBodyBytes);
  const api = express.Router();
  api.use(identified(deps.identify));
  route(api, "/chat", { post: [body, chatHandler(deps)] });
  route(api, "/chat/cancel", { post: [body, cancelThread(deps)] });
  route(api, "/chat/approve", { post: [body, approveThread(deps)] });
  route(api, "/chat/health", { get: [chatHealth(mesh, deps.ready)] });
  route(api, "/chat/tools", { get: [listTools(mesh)] });
  route(api, "/chat/models", { get: [listModels(mesh)] });
  route(api, "/policy/check", { post: [body, policyCheck(registry, deps.agents)] });
  route(api, "/agents", { get: [listAgents(registry)] });
  route(api, "/sessions", { get: [listSessions(deps.sessions)] });
  route(api, "/sessions/:id", { get: [getSession(deps.sessions)] });
  route(api, "/runs", { get: [listRuns(deps)], post: [body, startRun(deps)] });
  route(api, "/runs/:id", { get: [getRun(deps)] });
  route(api, "/runs/:id/events", { get: [getRunEvents(deps)] });
  route(api, "/runs/:id/cancel", { post: [cancelRun(deps)] });
  route(api, "/approvals", { get: [listApprovals(deps)] });
  route(api, "/approvals/:id", { get: [getApproval(deps)] });
  route(api, "/approvals/:id/audit", { get: [getAudit(deps)] });
  route(api, "/approvals/:id/decision", { post: [body, decideApproval(deps)] });
  app.use("/api/v1", api);
  app.use(() => {
    throw new GatewayError("not_found");
  });
  app.use(errorHandler(log));
  return app;
}

/** Names the request: `res.locals.requestId` from here on. */
const named: RequestHandler = (req, res, next) => {
  res.locals.requestId = requestIdOf(req);
  res.setHeader("x-request-id", res.locals.requestId);
  next();
};

/** Says who sends it: `res.locals.caller` from here on. */
function identified(identify: Identify): RequestHandler {
  return (req, res, next) => {
    res.locals.caller = identify(req.headers);
    next();
  };
}

/** One path with the methods that it has; any other is 405 with `Allow`. */
function route(
  router: Pick<express.Router, "route">,
  path: string,
  methods: { get?: RequestHandler[]; post?: RequestHandler[] },
): void {
  const entry = router.route(path);
  if (methods.get) entry.get(...methods.get);
  if (methods.post) entry.post(...methods.post);
  const allow = [...(methods.get ? ["GET", "HEAD"] : []), ...(methods.post ? ["POST"] : [])].join(", ");
  entry.all(() => {
    throw new GatewayError("method_not_allowed", undefined, { headers: { allow } });
  });
}
