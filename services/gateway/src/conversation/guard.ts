import { GatewayError } from "../errors.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/** Refuses a turn before any work is spent on it. @throws GatewayError draining */
export function guard(_turn: Turn, { runs }: TurnDeps): "next" {
  if (runs.draining) throw new GatewayError("draining");
  return "next";
}
