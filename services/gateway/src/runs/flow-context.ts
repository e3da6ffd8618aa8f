import { bindSlots, type Mesh } from "../mesh/index.ts";
import type { Inputs, Journal, RunOrder, StepDecision, StepResult } from "../store/index.ts";

/** What a flow's expressions see of a run. */
export type FlowContext = {
  /**
   * `inputs` are the caller's, or the flow's default ones, with the constraints of the turn applied; `original` without.
   */
  request: { message: string; inputs: Inputs; original: Inputs };
  steps: Readonly<Record<string, StepResult>>;
  /** The constraints of the turn. */
  slots: Readonly<Record<string, unknown>>;
  /** Only for a step that was approved: what was approved, and by whom. */
  approval?: StepDecision;
};

/** The context over the journal's results: it sees later results as the run goes on. */
export async function flowContext(
  order: RunOrder,
  journal: Journal,
  mesh: Mesh,
  signal: AbortSignal,
): Promise<FlowContext> {
  const original = givenInputs(order, mesh) ?? {};
  const inputs = order.slots ? await bound(order, original, mesh, signal) : original;
  const slots = order.slots?.values ?? {};
  return { request: { message: order.message, inputs, original }, steps: journal.results, slots };
}

/** Runs without any inputs are demonstrations: their agents use samples. */
export function modeOf(order: RunOrder, mesh: Mesh): "DEMO" | "LIVE" {
  return givenInputs(order, mesh) ? "LIVE" : "DEMO";
}

/** Applies the constraints of a turn to its inputs, as the manifest says. */
async function bound(
  { slots, target }: RunOrder,
  inputs: Inputs,
  mesh: Mesh,
  signal: AbortSignal,
): Promise<Inputs> {
  const flow = slots && mesh.flows.get(slots.flow);
  if (!flow) return inputs;
  const goals =
    target.kind === "flow"
      ? [target.flow, ...target.goals]
      : target.kind === "service"
        ? [target.service]
        : [];
  return await bindSlots(flow, slots.values, inputs, { goals, signal });
}

/** An ask without inputs and without constraints leaves its agent to the agent's own sample. */
function givenInputs({ inputs, target, slots }: RunOrder, mesh: Mesh): Inputs | undefined {
  if (inputs) return inputs;
  const flow = target.kind === "flow" ? target.flow : slots?.flow;
  return flow === undefined ? undefined : mesh.flows.get(flow)?.defaultInputs;
}
