import { GatewayError } from "../errors.ts";
import type { Flow, Mesh, Step } from "../mesh/index.ts";
import type { RunOrder, StepResult } from "../store/index.ts";

/**
 * What a run works with where nobody gave it inputs. `flow`: the flow's own inputs (`default_inputs`); `agent`: each agent uses a sample of
 * its own. The steps that ask agents put the mark on their results, which later steps and turns take over with it.
 */
export type Sample = NonNullable<StepResult["sample"]>;

/** The flow whose own inputs a run works with; undefined where inputs were given, or where no flow has any. */
export function flowOfSample(order: RunOrder, mesh: Mesh): string | undefined {
  const own = ownFlowOf(order, mesh);
  return own && !own.tableNote ? own.name : undefined;
}

/** How the table was read that a run works with, where nobody gave it inputs and the manifest names one. */
export function tableNotes(order: RunOrder, mesh: Mesh): string[] {
  const note = ownFlowOf(order, mesh)?.tableNote;
  return note ? [note[order.language ?? "en"]] : [];
}

/** The flow whose own inputs a run works with. */
function ownFlowOf({ inputs, target, constraints }: RunOrder, mesh: Mesh): Flow | undefined {
  if (inputs) return undefined;
  const name = target.kind === "flow" ? target.flow : constraints?.flow;
  const flow = name === undefined ? undefined : mesh.flows.get(name);
  return flow?.defaultInputs ? flow : undefined;
}

/** Whether anything that a run has so far was made from a sample. */
export function sampleOf(results: Readonly<Record<string, StepResult>>): Sample | undefined {
  const samples = Object.values(results).map(({ sample }) => sample);
  return samples.includes("flow") ? "flow" : samples.find((sample) => sample !== undefined);
}

/** An agent reports by itself that it used its own sample. */
export function sampleWarnings(sample: Sample | undefined): string[] {
  return sample === "flow"
    ? ["No inputs were given: the results are of the flow's sample, not of your data."]
    : [];
}

/**
 * Refuses a plan that would publish what it makes from a sample, before anything of it is started.
 * @throws GatewayError sample_refused
 */
export function refuseSample(
  order: RunOrder,
  plan: { name: string; steps: readonly Step[] },
  mesh: Mesh,
): void {
  if (flowOfSample(order, mesh) === undefined) return;
  for (const step of plan.steps) refusePublication(step, plan.name);
}

/** @throws GatewayError sample_refused, where the step publishes and its manifest does not let it publish a sample */
export function refusePublication(step: Step, flow: string): void {
  if (step.kind !== "publish" || step.allowSample) return;
  const message =
    `The step "${step.id}" does not publish what was made from a sample: send your own data as \`inputs\`. ` +
    `A demonstration may publish the sample where the manifest has \`allow_sample: true\` at flows.${flow}.steps.${step.id}.`;
  throw new GatewayError("sample_refused", message, { extra: { flow, step: step.id } });
}
