import type { ListedAgent, ListedModel, ListedTool } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import type { Access } from "../../identity/index.ts";
import type { Mesh } from "../../mesh/index.ts";
import { toolsOf } from "../../tools/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type MeshEndpointsDeps = {
  access: Access;
  mesh: Mesh;
  listAgents: () => ListedAgent[];
  /** Those of the models, with their health. */
  listModels: (names: readonly string[], caller: Caller) => Promise<ListedModel[]>;
  /** Whether this replica takes work. */
  ready: () => Promise<boolean>;
};

/** What the mesh has for the caller: agents, tools, models. */
export function meshEndpoints({
  access,
  mesh,
  listAgents,
  listModels,
  ready,
}: MeshEndpointsDeps): Endpoint[] {
  const tools = toolsOf(mesh);
  const { models } = mesh;
  const toolsFor = (caller: Caller): ListedTool[] =>
    tools.flatMap(({ tool, agent, task }) =>
      access.may(caller, "view", { kind: "tool", name: tool.name }) &&
      access.may(caller, "view", { kind: "task", agent, task })
        ? [tool]
        : [],
    );
  const mayView = (caller: Caller, kind: "agent" | "model", name: string) =>
    access.may(caller, "view", { kind, name });
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/agents",
      handler({ res, caller }) {
        sendJson(res, { agents: listAgents().filter(({ name }) => mayView(caller, "agent", name)) });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/chat/health",
      async handler({ res, caller }) {
        const status = (await ready()) ? "ok" : "degraded";
        const time = new Date().toISOString();
        sendJson(res, { status, model: models.default, tools_count: toolsFor(caller).length, time });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/chat/tools",
      handler({ res, caller }) {
        sendJson(res, toolsFor(caller));
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/chat/models",
      async handler({ res, caller }) {
        const allowed = models.allow.filter((id) => mayView(caller, "model", id));
        sendJson(res, { default: models.default, models: await listModels(allowed, caller) });
      },
    }),
  ];
}
