import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import { chooseTalk } from "./choose-talk.ts";
import type { Talk } from "./talk.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { emptyWorkingSet, type WorkingSet, withFlow } from "./working-set.ts";

/**
 * Finds what the session works with, and the inputs that the turn is about: those of the request, those that an earlier turn brought,
 * or none, where the flow's own are used. A mesh that is not spoken to in words keeps nothing, and costs no look-up.
 */
export async function loadSession(turn: Turn, deps: TurnDeps): Promise<"next"> {
  const { caller, sessionId, message, inputs } = turn.request;
  const [first] = deps.talks;
  if (message === undefined || !first) {
    if (inputs) turn.inputs = inputs;
    // Nobody looks into them: only their text stays with the run.
    if (inputs instanceof JsonText) inputs.take();
    return "next";
  }
  const working = (await deps.sessions.working(caller, sessionId)) ?? emptyWorkingSet(first.flow.name);
  const current = deps.talks.find(({ flow }) => flow.name === working.flow) ?? first;
  await use(turn, current, working, deps);
  const talk = chooseTalk(message, { current, working, inputs: turn.plainInputs }, deps);
  if (talk !== current) await use(turn, talk, withFlow(working, talk.flow.name), deps);
  return "next";
}

/** Sets what a turn works with in one flow. */
async function use(turn: Turn, talk: Talk, working: WorkingSet, deps: TurnDeps): Promise<void> {
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
