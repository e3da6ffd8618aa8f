import { GatewayError } from "../errors.ts";
import { toolName } from "../events/index.ts";
import { mayAsk } from "./offers.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/**
 * Has the task done that the caller names: there is no message to understand.
 * @throws GatewayError not_found: an unknown task and one that the caller may not have done look alike
 */
export function askTask(turn: Turn, deps: TurnDeps): "next" | "answered" {
  const { task, caller, inputs } = turn.request;
  if (!task) return "next";
  if (!mayAsk(caller, task, deps)) throw new GatewayError("not_found", "There is no such task.");
  turn.target = { kind: "task", ...task };
  turn.intent = toolName(task.task);
  if (inputs) turn.inputs = inputs;
  return "answered";
}
