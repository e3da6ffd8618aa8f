import { GatewayError } from "../errors.ts";
import type { Talk } from "./talk.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import type { WorkingSet } from "./working-set.ts";

/** Sets what a turn works with in one flow. */
export async function use(turn: Turn, talk: Talk, working: WorkingSet, deps: TurnDeps): Promise<void> {
  const { caller, inputs } = turn.request;
  turn.talk = talk;
  turn.working = working;
  if (inputs) {
    // What the message brings is what it speaks of: earlier proposals are about other inputs.
    turn.working = { ...working, flow: talk.flow.name, inputsOf: turn.runId, proposals: [], results: {} };
    const used = await deps.inputs.given(caller, turn.runId, inputs);
    turn.inputs = inputs;
    turn.plainInputs = used.plain;
    await talk.prepare(used.plain);
    return;
  }
  delete turn.inputs;
  delete turn.plainInputs;
  delete turn.inputsOf;
  delete turn.inputsGone;
  if (working.inputsOf === undefined) return;
  try {
    const used = await deps.inputs.find(caller, working.inputsOf);
    turn.inputs = used.inputs;
    turn.plainInputs = used.plain;
    await talk.prepare(used.plain);
    turn.inputsOf = working.inputsOf;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "result_gone") throw error;
    turn.inputsGone = true;
  }
}
