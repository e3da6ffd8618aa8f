import type { AgentStep, Flow, Mesh, Service, Step } from "../mesh.ts";
import type { PlannedStep } from "./events.ts";
import { compileExpression } from "./expression.ts";

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

const REQUEST_INPUTS = compileExpression("request.inputs");

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
    inputs: REQUEST_INPUTS,
  };
  const steps: Step[] = [ask];
  if (answer) {
    const render = (context: unknown) => answer(stepOf(context, service.name));
    steps.push({ kind: "render", id: "answer", needs: [service.name], after: [], optional: false, render });
  }
  return {
    kind: "ask",
    name: service.name,
    goals: [service.name],
    steps,
    answer: answer ? "answer" : undefined,
    timeoutMs: mesh.agents.get(agent)?.limits.timeoutMs ?? 30_000,
  };
}

/** A service's answer expression sees its own step alone: `outputs`, `warnings`. */
function stepOf(context: unknown, id: string): unknown {
  if (typeof context !== "object" || context === null || !("steps" in context)) return undefined;
  const { steps } = context;
  return typeof steps === "object" && steps !== null
    ? Object.entries(steps).find(([name]) => name === id)?.[1]
    : undefined;
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
