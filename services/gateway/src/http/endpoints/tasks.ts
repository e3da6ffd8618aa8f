import { compileSchema } from "@interlock/contracts";
import { type AgentClient, type AgentRegistry, UpstreamError } from "../../agents/index.ts";
import { GatewayError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { Mesh } from "../../mesh/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { traceparentOf } from "../request.ts";
import { sendJson } from "../respond.ts";

export type TaskEndpointsDeps = { mesh: Mesh; registry: AgentRegistry; agents: AgentClient };

const ANY_OBJECT = compileSchema<Record<string, unknown>>({ type: "object" });

/** The tasks that the manifest lets callers reach directly: inputs in, outputs out, outside of any conversation. */
export function taskEndpoints({ mesh, registry, agents }: TaskEndpointsDeps): Endpoint[] {
  return [...mesh.endpoints].map(([path, { taskType }]) =>
    endpoint({
      method: "POST",
      path: `/api/v1/${path}`,
      body: ANY_OBJECT,
      async handler({ req, res, body: inputs }) {
        const gone = new AbortController();
        res.once("close", () => gone.abort());
        const agent = registry.agentFor(taskType)?.name;
        if (agent === undefined) throw new GatewayError("not_found", "No agent of this mesh has this task.");
        const traceparent = traceparentOf(req);
        try {
          const { outputs, warnings } = await agents.sync({
            agent,
            task: taskType,
            body: { request_id: newId(), task_type: taskType, mode: "LIVE", inputs },
            signal: gone.signal,
            ...(traceparent === undefined ? {} : { traceparent }),
          });
          sendJson(res, { ...outputs, warnings });
        } catch (error) {
          throw error instanceof UpstreamError ? refusalOf(error) : error;
        }
      },
    }),
  );
}

/** The inputs are the caller's own here, so that what the agent refuses is the caller's mistake. */
function refusalOf(error: UpstreamError): GatewayError {
  const { code, message, retryable, agentCode } = error;
  const extra = agentCode === undefined ? {} : { agent_code: agentCode };
  if (code === "upstream_refused")
    return new GatewayError("invalid_request", message, { cause: error, extra });
  const said = code === "upstream_failed" ? message : undefined;
  const shown = error.callerStatus === undefined ? code : "invalid_inputs";
  return new GatewayError(shown, said, { cause: error, retryable, extra });
}
