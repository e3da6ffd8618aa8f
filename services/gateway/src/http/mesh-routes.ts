import type { Request, Response } from "express";
import { type AgentClient, type AgentRegistry, UpstreamError } from "../agents/index.ts";
import { GatewayError } from "../errors.ts";
import type { Mesh } from "../mesh.ts";
import { toolsOf } from "../tools/catalogue.ts";
import { newId, readQuery, traceparentOf } from "./request.ts";

/** GET /api/v1/agents */
export function listAgents(registry: AgentRegistry) {
  return (req: Request, res: Response): void => {
    readQuery(req, {});
    res.json({ agents: registry.list() });
  };
}

/** GET /api/v1/chat/health */
export function chatHealth(mesh: Mesh, ready: () => Promise<boolean>) {
  const tools = toolsOf(mesh).length;
  return async (req: Request, res: Response): Promise<void> => {
    readQuery(req, {});
    const status = (await ready()) ? "ok" : "degraded";
    res.json({ status, model: mesh.models.default, tools_count: tools, time: new Date().toISOString() });
  };
}

/** GET /api/v1/chat/tools */
export function listTools(mesh: Mesh) {
  const tools = toolsOf(mesh);
  return (req: Request, res: Response): void => {
    readQuery(req, {});
    res.json(tools);
  };
}

/** GET /api/v1/chat/models */
export function listModels({ models }: Mesh) {
  return (req: Request, res: Response): void => {
    readQuery(req, {});
    res.json({
      default: models.default,
      models: models.allow.map((id) => ({ id, default: id === models.default })),
    });
  };
}

const POLICY_TASK = "POLICY_CHECK";

/** POST /api/v1/policy/check: the inputs of the policy task in, its outputs out. */
export function policyCheck(registry: AgentRegistry, agents: AgentClient) {
  return async (req: Request, res: Response): Promise<void> => {
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    readQuery(req, {});
    const inputs: unknown = req.body;
    if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
      throw new GatewayError("invalid_request", "The body must be an object.");
    }
    const agent = registry.agentFor(POLICY_TASK)?.name;
    if (agent === undefined) throw new GatewayError("not_found", "No agent of this mesh checks policies.");
    const traceparent = traceparentOf(req);
    try {
      const { outputs, warnings } = await agents.sync({
        agent,
        task: POLICY_TASK,
        body: { request_id: newId(), task_type: POLICY_TASK, mode: "LIVE", inputs },
        signal: gone.signal,
        ...(traceparent === undefined ? {} : { traceparent }),
      });
      res.json({ ...outputs, warnings });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      // The inputs are the caller's own here: what the agent refuses, the caller got wrong.
      if (error.code === "upstream_refused")
        throw new GatewayError("invalid_request", error.message, { cause: error });
      throw new GatewayError(error.code, error.code === "upstream_failed" ? error.message : undefined, {
        cause: error,
      });
    }
  };
}
