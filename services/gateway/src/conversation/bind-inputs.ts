import { GatewayError } from "../errors.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Takes the inputs that came with the message. Where none came, a flow uses its default ones and an agent its sample.
 * @throws GatewayError invalid_inputs, where the flow does not take one of them
 */
export function bindInputs(turn: Turn, { mesh }: TurnDeps): "next" {
  const { inputs } = turn.request;
  if (inputs === undefined) return "next";
  const accepts = turn.target.kind === "flow" ? mesh.flows.get(turn.target.flow)?.accepts : undefined;
  if (accepts) refuseUnknown(inputs, accepts);
  turn.inputs = inputs;
  return "next";
}

/** Fields that the refusal names, so that it is short whatever was sent. */
const NAMED = 5;
const LONGEST_NAME = 64;

/** What a caller says is applied or refused, never dropped. */
function refuseUnknown(inputs: Inputs, accepts: ReadonlySet<string>): void {
  const unknown = Object.keys(inputs).filter((field) => !accepts.has(field));
  if (unknown.length === 0) return;
  const names = unknown.slice(0, NAMED).map((field) => JSON.stringify(field.slice(0, LONGEST_NAME)));
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : "";
  throw new GatewayError(
    "invalid_inputs",
    `The flow does not take these inputs: ${names.join(", ")}${more}.`,
  );
}
