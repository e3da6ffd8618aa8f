import type { AgentStep, Flow, Mesh, Service, Step } from "../mesh.ts";
import type { PlannedStep } from "./events.ts";
import type { FlowContext, RunOrder } from "./record.ts";

/** The steps of one run in an order of execution; `needs` and `after` name only steps of the plan. */
export type Plan = {
  kind: "ask" | "plan";
  /** Flow or service name. */
  name: string;
  goals: readonly string[];
  steps: readonly Step[];
  /** Makes the answer's text. */
  answer: string | undefined;
  timeoutMs: number;
};

/** The plan of a composite ask: the goals' steps, closed over `needs`, and the step that answers. */
export function planOfFlow(flow: Flow, goals: readonly string[]): Plan {
  const chosen = new Set<string>();
  const add = (id: string): void => {
    if (chosen.has(id)) return;
    chosen.add(id);
    for (const need of flow.steps.get(id)?.needs ?? []) add(need);
  };
  for (const goal of goals) for (const id of flow.goals.get(goal) ?? []) add(id);
  if (flow.answer !== undefined) add(flow.answer);
  const steps = inOrder([...flow.steps.values()].filter((step) => chosen.has(step.id))).map((step) => ({
    ...step,
    after: step.after.filter((id) => chosen.has(id)),
  }));
  return { kind: "plan", name: flow.name, goals, steps, answer: flow.answer, timeoutMs: flow.timeoutMs };
}

/** An ask lives a little longer than its agent may take: it is the agent's deadline that is missed, and the error says so. */
const ASK_MARGIN_MS = 2_000;

/** The plan of a simple ask: one agent, and what its answer says. */
export function planOfAsk(service: Service & { target: { kind: "agent" } }, mesh: Mesh): Plan {
  const { agent, taskType, answer } = service.target;
  const ask: AgentStep = {
    kind: "agent",
    id: service.name,
    agent,
    taskType,
    needs: [],
    after: [],
    optional: false,
    inputs: async ({ request }) => request.inputs,
  };
  const steps: Step[] = [ask];
  if (answer) {
    // A service's answer expression sees its own step alone: `outputs`, `warnings`.
    const render = ({ steps: done }: FlowContext) => answer(done[service.name]);
    steps.push({ kind: "render", id: "answer", needs: [service.name], after: [], optional: false, render });
  }
  return {
    kind: "ask",
    name: service.name,
    goals: [service.name],
    steps,
    answer: answer ? "answer" : undefined,
    timeoutMs: (mesh.agents.get(agent)?.limits.timeoutMs ?? 30_000) + ASK_MARGIN_MS,
  };
}

const GENERAL: Plan = {
  kind: "ask",
  name: "general",
  goals: [],
  steps: [],
  answer: undefined,
  timeoutMs: 30_000,
};

/** Makes plans from orders. A plan depends on order and manifest alone, so every replica comes to the same one. */
export class Planner {
  readonly #mesh: Mesh;
  readonly #asks = new Map<string, Plan>();

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    for (const service of mesh.services.values()) {
      const { target } = service;
      if (target.kind === "agent") this.#asks.set(service.name, planOfAsk({ ...service, target }, mesh));
    }
  }

  /** @returns undefined where the manifest does not know the order's flow or service any more */
  planOf({ target }: Pick<RunOrder, "target">): Plan | undefined {
    if (target.kind === "service") return this.#asks.get(target.service);
    if (target.kind === "general") return GENERAL;
    const flow = this.#mesh.flows.get(target.flow);
    return flow && planOfFlow(flow, target.goals);
  }
}

/** Stable topological order: as declared, but no step before one that it waits for. */
function inOrder(steps: readonly Step[]): Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ordered = new Set<Step>();
  const visit = (step: Step): void => {
    if (ordered.has(step)) return;
    for (const id of [...step.needs, ...step.after]) {
      const other = byId.get(id);
      if (other) visit(other);
    }
    ordered.add(step);
  };
  for (const step of steps) visit(step);
  return [...ordered];
}

/** The plan as its event shows it. */
export function plannedSteps(plan: Plan): PlannedStep[] {
  return plan.steps.map((step) =>
    step.kind === "agent"
      ? { id: step.id, agent: step.agent, task_type: step.taskType, needs: [...step.needs, ...step.after] }
      : { id: step.id, needs: [...step.needs, ...step.after] },
  );
}
