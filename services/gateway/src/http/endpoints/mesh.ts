import type { ListedAgent, ListedModel, ListedService, ListedTool } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { mayUse } from "../../conversation/index.ts";
import type { Access } from "../../identity/index.ts";
import type { Mesh, Service } from "../../mesh/index.ts";
import type { Runs } from "../../runs/index.ts";
import { toolsOf } from "../../tools/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type MeshEndpointsDeps = {
  access: Access;
  mesh: Mesh;
  runs: Runs;
  listAgents: () => ListedAgent[];
  /** Those of the models, with their health. */
  listModels: (names: readonly string[], caller: Caller) => Promise<ListedModel[]>;
  /** Whether this replica takes work. */
  ready: () => Promise<boolean>;
};

/** Lists what the caller may use: agents, services, tools, models. */
export function meshEndpoints({
  access,
  mesh,
  runs,
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
        // The logs that somebody may read name the agents all the same.
        const seesAll = access.scopeOf(caller) === "tenant";
        const agents = listAgents().filter(({ name }) => seesAll || mayView(caller, "agent", name));
        sendJson(res, { agents });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/services",
      handler({ res, caller }) {
        const agents = listAgents();
        const ready = new Set(agents.flatMap(({ name, status }) => (status === "ready" ? [name] : [])));
        const allowed = [...mesh.services.values()].filter((one) => mayUse(caller, one, { access, runs }));
        const { defaultService } = mesh;
        const offered = allowed.some(({ name }) => name === defaultService);
        sendJson(res, {
          ...(offered ? { default: defaultService } : {}),
          services: allowed.map((service) => listedService(service, mesh, ready)),
        });
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

/** A manifest may have hundreds of examples; show a few. */
const MOST_EXAMPLES = 3;

function listedService(
  { name, label = { en: name, ko: name }, description = "", examples, target }: Service,
  mesh: Mesh,
  ready: ReadonlySet<string>,
): ListedService {
  const shown = examples.slice(0, MOST_EXAMPLES);
  const listed = {
    name,
    kind: target.kind,
    label,
    description,
    ...(shown.length > 0 ? { examples: shown } : {}),
  };
  switch (target.kind) {
    case "flow": {
      const agents = agentsOf(target.flow, mesh);
      return { ...listed, goals: [...target.goals], healthy: agents.every((agent) => ready.has(agent)) };
    }
    case "agent":
    case "dialogue":
      return { ...listed, agent: target.agent, healthy: ready.has(target.agent) };
    case "remote":
    case "rounds":
      return listed;
    default:
      return target satisfies never;
  }
}

function agentsOf(flow: string, { flows }: Mesh): string[] {
  const steps = [...(flows.get(flow)?.steps.values() ?? [])];
  return steps.flatMap((step) => (step.kind === "agent" ? [step.agent] : []));
}
