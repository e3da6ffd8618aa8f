import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import { chooseTalk } from "./choose-talk.ts";
import type { Talk } from "./talk.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { type WorkingSet, withFlow } from "./working-set.ts";

/**
 * Finds the flow that the message is for, and the inputs that the turn is about: those of the request, those that an earlier turn brought,
 * or none, where the flow's own are used.
 */
export function enterFlow(turn: Turn, deps: TurnDeps): "next" | Promise<"next"> {
  const { working, request } = turn;
  const [first] = deps.talks;
  const message = turn.message ?? request.message;
  if (message !== undefined && first && working) return enter(turn, { message, first, working }, deps);
  if (request.inputs) turn.inputs = request.inputs;
  // Inputs that nothing reads: only their text is kept with the run.
  if (request.inputs instanceof JsonText) request.inputs.take();
  return "next";
}

async function enter(
  turn: Turn,
  { message, first, working }: { message: string; first: Talk; working: WorkingSet },
  deps: TurnDeps,
): Promise<"next"> {
  const current = deps.talks.find(({ flow }) => flow.name === working.flow) ?? first;
  await use(turn, current, withFlow(working, current.flow.name), deps);
  // Inputs that came with the message are for a flow that takes them.
  const names = turn.request.inputs ? Object.keys(turn.plainInputs ?? {}) : [];
  const talks = deps.talks.filter(({ flow }) => names.every((name) => flow.accepts?.has(name) ?? true));
  const known = talks.includes(current) ? current : (talks[0] ?? current);
  const about = { current: known, working, inputs: turn.plainInputs };
  const talk = chooseTalk(message, about, { ...deps, talks });
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
