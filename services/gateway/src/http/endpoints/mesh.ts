import type { ListedAgent } from "@interlock/contracts";
import type { Mesh } from "../../mesh/index.ts";
import { toolsOf } from "../../tools/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type MeshEndpointsDeps = {
  mesh: Mesh;
  listAgents: () => ListedAgent[];
  /** Whether this replica takes work. */
  ready: () => Promise<boolean>;
};

/** What the mesh has: agents, tools, models. */
export function meshEndpoints({ mesh, listAgents, ready }: MeshEndpointsDeps): Endpoint[] {
  const tools = toolsOf(mesh);
  const { models } = mesh;
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/agents",
      handler({ res }) {
        sendJson(res, { agents: listAgents() });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/chat/health",
      async handler({ res }) {
        const status = (await ready()) ? "ok" : "degraded";
        const time = new Date().toISOString();
        sendJson(res, { status, model: models.default, tools_count: tools.length, time });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/chat/tools",
      handler({ res }) {
        sendJson(res, tools);
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/chat/models",
      handler({ res }) {
        sendJson(res, {
          default: models.default,
          models: models.allow.map((id) => ({ id, default: id === models.default })),
        });
      },
    }),
  ];
}
