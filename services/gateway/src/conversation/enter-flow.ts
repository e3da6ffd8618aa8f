import { JsonText } from "../json-text.ts";
import { chooseTalk, isOfOneDomain } from "./choose-talk.ts";
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
  const here = withFlow(working, current.flow.name);
  await use(turn, current, here, deps);
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
  if (talk !== current) await use(turn, talk, goneOver(here, current, talk), deps);
  return "next";
}

/** Flows of one domain have the same slots: what was said in one of them holds in the others, too. */
function goneOver(working: WorkingSet, from: Talk, to: Talk): WorkingSet {
  const next = withFlow(working, to.flow.name);
  if (!isOfOneDomain(from, to)) return next;
  const { slots } = working;
  const last = next.done.at(-1);
  return { ...next, slots, done: last ? [...next.done.slice(0, -1), { ...last, slots }] : next.done };
}
