import { type AgentService, isAgentService, type Mesh } from "../mesh/index.ts";
import { planOfFlow } from "../runs/index.ts";
import type { EarlierResult, RunTarget } from "../store/index.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Talk } from "./talk.ts";
import type { Proposal } from "./working-set.ts";

/** What is to be done for a turn. */
export type Errand = {
  target: RunTarget;
  takesOver?: Readonly<Record<string, EarlierResult>>;
  /** The run's own names of the proposal's steps, where it makes a new proposal. */
  makes?: Proposal["steps"];
};

/**
 * Chooses who does what a turn asks for. One goal goes to its agent alone, unless it speaks of a proposal: then the flow does it, over
 * the proposal as it is. Several goals make a plan.
 */
export function errandOf(
  { goals, slots, proposal }: Pick<Interpretation, "goals" | "slots" | "proposal">,
  talk: Talk,
  mesh: Mesh,
  { plan = false }: { plan?: boolean | undefined } = {},
): Errand {
  const [goal] = goals;
  if (goal === undefined && !plan) return { target: { kind: "general" } };
  const instead = talk.flow.instead.find(
    (rule) =>
      rule.when.some((slot) => slots[slot] !== undefined) && goals.every((one) => rule.goals.includes(one)),
  );
  const whatIf = instead && mesh.flows.get(instead.flow);
  if (whatIf) return { target: { kind: "flow", flow: whatIf.name, goals: whatIf.defaultGoals } };
  const single = goals.length === 1 && !plan ? mesh.services.get(goal ?? "") : undefined;
  const service = single && isAgentService(single) ? single : undefined;
  if (service && !proposal)
    return withMade({ target: { kind: "service", service: service.name } }, talk, service);
  const { flow } = talk;
  const target: RunTarget = {
    kind: "flow",
    flow: flow.name,
    goals: goals.length > 0 ? goals : flow.defaultGoals,
    ...(service?.target.answer ? { answer: service.name } : {}),
  };
  if (!proposal) return withMade({ target }, talk);
  const taken = Object.entries(proposal.steps).map(([own, step]): [string, EarlierResult] => [
    own,
    { run: proposal.run, step },
  ]);
  return { target, takesOver: Object.fromEntries(taken) };
}

function withMade(errand: Errand, { flow }: Talk, service?: AgentService): Errand {
  const { target } = errand;
  const [first] = flow.proposal;
  if (first === undefined) return errand;
  if (service) {
    const step = flow.steps.get(first);
    const same =
      step?.kind === "agent" &&
      step.agent === service.target.agent &&
      step.taskType === service.target.taskType;
    return same ? { ...errand, makes: { [first]: service.name } } : errand;
  }
  if (target.kind !== "flow") return errand;
  const steps = planOfFlow(flow, target.goals).steps.map(({ id }) => id);
  const makes = flow.proposal.filter((step) => steps.includes(step));
  return makes.includes(first)
    ? { ...errand, makes: Object.fromEntries(makes.map((step) => [step, step])) }
    : errand;
}
