import { JsonText } from "../json-text.ts";
import { chooseTalk } from "./choose-talk.ts";
import { hearModel } from "./hear-model.ts";
import type { Talk } from "./talk.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { use } from "./use-inputs.ts";
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
  const told = await hearModel(turn, deps);
  const wanted = told?.route.kind === "goals" ? told.route.goals : [];
  const talk =
    talks.find(({ flow }) => wanted.some((goal) => flow.goals.has(goal))) ??
    (told ? known : chooseTalk(message, about, { ...deps, talks }));
  if (talk !== current) await use(turn, talk, withFlow(working, talk.flow.name), deps);
  return "next";
}
