import type { PlannedStep } from "@interlock/contracts";
import { LONGEST_WAIT_MS } from "../agents/index.ts";
import {
  type AgentService,
  type Expression,
  type Flow,
  isAgentService,
  type Mesh,
  type Step,
} from "../mesh/index.ts";
import type { RunOrder } from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import { stepKindOf } from "./steps/index.ts";

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

/** An ask outlives its turn in the agent's queue and the agent's deadline: a late agent fails with its own error, not with the run's. */
const ASK_MARGIN_MS = LONGEST_WAIT_MS + 2_000;

/** The plan of a simple ask: one agent's task, and the text that the service makes of its outputs. */
export function planOfAsk({ name, target }: AgentService, mesh: Mesh): Plan {
  const { agent, taskType, answer } = target;
  const common = { after: [], optional: false };
  const steps: Step[] = [
    {
      ...common,
      kind: "agent",
      id: name,
      agent,
      taskType,
      needs: [],
      inputs: requestInputs,
    },
  ];
  if (answer) {
    // A service's answer expression sees the result of its own step: `outputs`, `warnings`.
    const render: Expression = (context, signal) => answer((context as FlowContext).steps[name], signal);
    steps.push({ ...common, kind: "render", id: ANSWER, needs: [name], render });
  }
  return {
    kind: "ask",
    name,
    goals: [name],
    steps,
    answer: answer ? ANSWER : undefined,
    timeoutMs: (mesh.agents.get(agent)?.limits.timeoutMs ?? 30_000) + ASK_MARGIN_MS,
  };
}

const ANSWER = "answer";

/** An ask takes the inputs of its request as they are. */
async function requestInputs(context: unknown): Promise<unknown> {
  return (context as FlowContext).request.inputs;
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
      if (isAgentService(service)) this.#asks.set(service.name, planOfAsk(service, mesh));
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
  return plan.steps.map((step) => {
    const kind = stepKindOf(step);
    return {
      id: step.id,
      ...(kind.asksAgent ? kind.about(step) : {}),
      needs: [...step.needs, ...step.after],
    };
  });
}
