import { type AgentClient, type AgentRegistry, UpstreamError } from "../agents/index.ts";
import { GatewayError } from "../errors.ts";
import type { Mesh } from "../mesh.ts";
import { toolsOf } from "../tools/catalogue.ts";
import type { Handler } from "./context.ts";
import { sendJson } from "./json.ts";
import { newId, readQuery, traceparentOf } from "./request.ts";

/** GET /api/v1/agents */
export function listAgents(registry: AgentRegistry): Handler {
  return (context) => {
    readQuery(context, {});
    sendJson(context.res, { agents: registry.list() });
  };
}

/** GET /api/v1/chat/health */
export function chatHealth(mesh: Mesh, ready: () => Promise<boolean>): Handler {
  const tools = toolsOf(mesh).length;
  return async (context) => {
    readQuery(context, {});
    const status = (await ready()) ? "ok" : "degraded";
    sendJson(context.res, {
      status,
      model: mesh.models.default,
      tools_count: tools,
      time: new Date().toISOString(),
    });
  };
}

/** GET /api/v1/chat/tools */
export function listTools(mesh: Mesh): Handler {
  const tools = toolsOf(mesh);
  return (context) => {
    readQuery(context, {});
    sendJson(context.res, tools);
  };
}

/** GET /api/v1/chat/models */
export function listModels({ models }: Mesh): Handler {
  return (context) => {
    readQuery(context, {});
    sendJson(context.res, {
      default: models.default,
      models: models.allow.map((id) => ({ id, default: id === models.default })),
    });
  };
}

const POLICY_TASK = "POLICY_CHECK";

/** POST /api/v1/policy/check: the inputs of the policy task in, its outputs out. */
export function policyCheck(registry: AgentRegistry, agents: AgentClient): Handler {
  return async (context) => {
    const gone = new AbortController();
    context.res.once("close", () => gone.abort());
    readQuery(context, {});
    const inputs = context.body;
    if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
      throw new GatewayError("invalid_request", "The body must be an object.");
    }
    const agent = registry.agentFor(POLICY_TASK)?.name;
    if (agent === undefined) throw new GatewayError("not_found", "No agent of this mesh checks policies.");
    const traceparent = traceparentOf(context.req);
    try {
      const { outputs, warnings } = await agents.sync({
        agent,
        task: POLICY_TASK,
        body: { request_id: newId(), task_type: POLICY_TASK, mode: "LIVE", inputs },
        signal: gone.signal,
        ...(traceparent === undefined ? {} : { traceparent }),
      });
      sendJson(context.res, { ...outputs, warnings });
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
