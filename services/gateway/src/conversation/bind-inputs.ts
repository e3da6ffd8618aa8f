import type { Turn } from "./turn-step.ts";

/** Takes the inputs that came with the message. Where none came, a flow uses its default ones and an agent its sample. */
export async function bindInputs(turn: Turn): Promise<"next"> {
  if (turn.request.inputs !== undefined) turn.inputs = turn.request.inputs;
  return "next";
}
