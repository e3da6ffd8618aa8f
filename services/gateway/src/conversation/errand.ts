import type { Slots } from "../language/index.ts";
import { type AgentService, isAgentService, type Mesh } from "../mesh/index.ts";
import { answeredStep, planOfFlow } from "../runs/index.ts";
import type { EarlierResult, RunTarget } from "../store/index.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Talk } from "./talk.ts";
import type { Proposal } from "./working-set.ts";

/** The target of a turn's run. */
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
  const whatIf = Object.keys(slots).some((slot) => talk.moves.has(slot));
  if (whatIf && goals.length > 0 && !goals.some((one) => talk.effects.has(one))) {
    // A what-if makes a new proposal, which later turns do not refer to.
    return {
      target: { kind: "flow", flow: talk.flow.name, goals: [...new Set([...talk.inProposal, ...goals])] },
    };
  }
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
  // The text of a step is of the constraints that it was made under: under others the step that answers is done anew.
  const again =
    service?.target.answer && !isSame(slots, proposal.slots)
      ? answeredStep(flow.steps.values(), service)
      : undefined;
  const taken = Object.entries(proposal.steps).flatMap(([own, step]): [string, EarlierResult][] =>
    own === again ? [] : [[own, { run: proposal.run, step }]],
  );
  return { target, takesOver: Object.fromEntries(taken) };
}

const isSame = (now: Slots, then: Slots): boolean =>
  Object.keys({ ...now, ...then }).every((name) => JSON.stringify(now[name]) === JSON.stringify(then[name]));

function withMade(errand: Errand, { flow }: Talk, service?: AgentService): Errand {
  const { target } = errand;
  const [first] = flow.proposal;
  if (first === undefined) return errand;
  if (service) {
    const isFirst = answeredStep(flow.steps.values(), service) === first;
    return isFirst ? { ...errand, makes: { [first]: service.name } } : errand;
  }
  if (target.kind !== "flow") return errand;
  const steps = planOfFlow(flow, target.goals).steps.map(({ id }) => id);
  const makes = flow.proposal.filter((step) => steps.includes(step));
  return makes.includes(first)
    ? { ...errand, makes: Object.fromEntries(makes.map((step) => [step, step])) }
    : errand;
}
