import { toolName } from "../events/index.ts";
import { isRemoteService, isRoundsService, type Mesh } from "../mesh/index.ts";

/** What roles can name, by the member of a role that names it. */
export const GRANTS = [
  "agents",
  "tasks",
  "flows",
  "goals",
  "services",
  "tools",
  "models",
  "books",
  "approvals.view",
  "approvals.decide",
] as const;
export type Grant = (typeof GRANTS)[number];

/** The names that a mesh has of each. */
export type Inventory = Readonly<Record<Grant, readonly string[]>>;

/** Of an MCP server it is known there alone which tools it has: this stands for them. */
const anyToolOf = (server: string): string => `${server}.*`;

export function inventoryOf({ agents, flows, services, models, tools }: Mesh): Inventory {
  const tasks = [...agents.values()].flatMap(({ name, tasks }) => tasks.map((task) => `${name}/${task}`));
  const gates = [...flows.values()].flatMap(({ name, steps }) =>
    [...steps.values()].flatMap((step) => (step.approval ? `${name}/${step.id}` : [])),
  );
  const published = [...flows.values()].flatMap(({ steps }) =>
    [...steps.values()].flatMap((step) => (step.kind === "publish" ? step.to : [])),
  );
  // Only the other gateway knows which of its steps need approvals.
  const remotes = [...services.values()].filter(isRemoteService).map(({ name }) => `${name}/*`);
  // What waits for an approval there is a call: `<service>/<service>.<round>.<call>`.
  const rounds = [...services.values()].filter(isRoundsService).map(({ name }) => `${name}/*`);
  return {
    agents: [...agents.keys()],
    tasks,
    flows: [...flows.keys()],
    goals: [...flows.values()].flatMap(({ name, goals }) =>
      [...goals.keys()].map((goal) => `${name}/${goal}`),
    ),
    services: [...services.keys()],
    tools: [
      ...new Set([...agents.values()].flatMap(({ tasks }) => tasks.map(toolName))),
      ...Array.from(tools.servers.keys(), anyToolOf),
    ],
    models: models.allow,
    books: [...new Set(published)],
    "approvals.view": [...gates, ...remotes, ...rounds],
    "approvals.decide": [...gates, ...remotes, ...rounds],
  };
}
