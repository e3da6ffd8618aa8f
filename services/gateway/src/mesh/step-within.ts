import type { FlowStep, Mesh } from "./model.ts";

const SEPARATOR = ":";

/** The name of a flow's step where the flow is called within a run. Names of steps and of services have no such separator. */
export function idWithin(step: string, call: string): string {
  return `${step}${SEPARATOR}${call}`;
}

/** The step as its flow names it. */
export function ownStepId(id: string): string {
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? id : id.slice(0, at);
}

/** A step of a flow, also where it was executed within a call. */
export function flowStep(
  { flows }: Pick<Mesh, "flows">,
  { flow, step }: { flow: string; step: string },
): FlowStep | undefined {
  return flows.get(flow)?.steps.get(ownStepId(step));
}
