import type { Mesh } from "../mesh/index.ts";
import type { Journal, RunOrder, StepDecision, StepResult } from "../store/index.ts";

/** What a flow's expressions see of a run. */
export type FlowContext = {
  /** `inputs` are the caller's, or the flow's default ones. */
  request: { message: string; inputs: Readonly<Record<string, unknown>> };
  steps: Readonly<Record<string, StepResult>>;
  /** Only for a step that was approved: what was approved, and by whom. */
  approval?: StepDecision;
};

/** The context over the journal's results: it sees later results as the run goes on. */
export function flowContext(order: RunOrder, journal: Journal, mesh: Mesh): FlowContext {
  const inputs = order.inputs ?? defaultInputs(order, mesh) ?? {};
  return { request: { message: order.message, inputs }, steps: journal.results };
}

/** Runs without any inputs are demonstrations: their agents use samples. */
export function modeOf(order: RunOrder, mesh: Mesh): "DEMO" | "LIVE" {
  return order.inputs || defaultInputs(order, mesh) ? "LIVE" : "DEMO";
}

function defaultInputs({ target }: RunOrder, mesh: Mesh): Readonly<Record<string, unknown>> | undefined {
  return target.kind === "flow" ? mesh.flows.get(target.flow)?.defaultInputs : undefined;
}
