import { nearest } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import type { Inputs } from "../store/index.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/**
 * Checks the inputs that came with the message. Where none came, a flow uses its default ones and an agent its sample. The constraints
 * are applied to them when the run is executed.
 * @throws GatewayError invalid_inputs, where the flow does not take one of them
 */
export function checkInputs({ request, target }: Turn, { mesh }: TurnDeps): "next" {
  const { inputs } = request;
  const accepts = target.kind === "flow" ? mesh.flows.get(target.flow)?.accepts : undefined;
  if (inputs && accepts) refuseUnknown(inputs, accepts);
  return "next";
}

/** Most fields that a refusal names, so that it stays short. */
const NAMED = 5;
const LONGEST_NAME = 64;

/** Inputs of a caller are applied or refused, never dropped. */
function refuseUnknown(inputs: Inputs, accepts: ReadonlySet<string>): void {
  const unknown = namesOf(inputs).filter((field) => !accepts.has(field));
  if (unknown.length === 0) return;
  const names = unknown.slice(0, NAMED).map((field) => {
    const name = field.slice(0, LONGEST_NAME);
    const meant = nearest(name, [...accepts]);
    return `${JSON.stringify(name)}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
  });
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : "";
  throw new GatewayError(
    "invalid_inputs",
    `The flow does not take these inputs: ${names.join(", ")}${more}.`,
  );
}

function namesOf(inputs: Inputs): readonly string[] {
  return inputs instanceof JsonText ? inputs.names : Object.keys(inputs);
}
