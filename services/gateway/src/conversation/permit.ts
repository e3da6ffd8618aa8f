import { principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/**
 * Refuses a turn of somebody who may ask for nothing, before any work is spent on it, and a model that the caller may not choose. Whether
 * he may have what the message asks for is known with the plan; see runs/permit.ts.
 * @throws GatewayError forbidden
 */
export function permit({ request }: Turn, { access, mesh }: TurnDeps): "next" {
  const { caller, modelHint } = request;
  if (!access.may(caller, "use", { kind: "session", owner: principalOf(caller) }))
    throw new GatewayError("forbidden", "None of your roles lets you ask for anything here.");
  // What is on no list is ignored for everybody; see models/.
  if (modelHint === undefined || !mesh.models.allow.includes(modelHint)) return "next";
  if (!access.may(caller, "use", { kind: "model", name: modelHint }))
    throw new GatewayError("forbidden", "You may not choose this model.");
  return "next";
}
