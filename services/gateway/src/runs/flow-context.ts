import type { Constraint } from "../constraint.ts";
import { JsonText, writeJson } from "../json-text.ts";
import { constraintsFor, type Mesh, membersOf } from "../mesh/index.ts";
import type { Inputs, Journal, RunOrder, StepDecision, StepResult } from "../store/index.ts";

/** The data of a run that a flow's templates and conditions can read. */
export type FlowContext = {
  /** `inputs` are the caller's, or the flow's default ones, with what the turn said as their member `constraints`. */
  request: { message: string; language: "en" | "ko"; inputs: Inputs };
  steps: Readonly<Record<string, StepResult>>;
  /** The constraints of the turn. */
  constraints: readonly Constraint[];
  /** Only for a step that was approved: what was approved, and by whom. */
  approval?: StepDecision;
};

/** The context over the journal's results: it sees later results as the run goes on. */
export async function flowContext(order: RunOrder, journal: Journal, mesh: Mesh): Promise<FlowContext> {
  const given = givenInputs(order, mesh) ?? {};
  const inputs = await withConstraints(given, order, mesh);
  const constraints = order.constraints?.said ?? [];
  const { target, language = "en" } = order;
  const message = (target.kind === "flow" ? target.message : undefined) ?? order.message;
  return { request: { message, language, inputs }, steps: journal.results, constraints };
}

/** Runs without any inputs are demonstrations: their agents use samples. */
export function modeOf(order: RunOrder, mesh: Mesh): "DEMO" | "LIVE" {
  return givenInputs(order, mesh) ? "LIVE" : "DEMO";
}

/** The agents apply what was said, so that they get it as an input. What none of the goals can apply the answer has named. */
async function withConstraints(
  inputs: Inputs,
  { constraints: order, target }: RunOrder,
  mesh: Mesh,
): Promise<Inputs> {
  const flow = order && mesh.flows.get(order.flow);
  if (!flow) return inputs;
  const goals =
    target.kind === "flow"
      ? [target.flow, ...target.goals]
      : target.kind === "service"
        ? [target.service]
        : [];
  const constraints = constraintsFor(flow, order.said, goals);
  if (constraints.length === 0) return inputs;
  if (!(inputs instanceof JsonText)) return { ...inputs, constraints };
  const members = Array.from(await membersOf(inputs), ([name, json]) => [name, new JsonText(json)]);
  const whole = { ...Object.fromEntries(members), constraints };
  return new JsonText(writeJson(whole), Object.keys(whole));
}

/** An ask without inputs and without constraints leaves its agent to the agent's own sample. */
function givenInputs({ inputs, target, constraints }: RunOrder, mesh: Mesh): Inputs | undefined {
  if (inputs) return inputs;
  const flow = target.kind === "flow" ? target.flow : constraints?.flow;
  return flow === undefined ? undefined : mesh.flows.get(flow)?.defaultInputs;
}
