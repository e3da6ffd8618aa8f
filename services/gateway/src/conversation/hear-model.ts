import { addUsage } from "../store/index.ts";
import { commandOf } from "./commands.ts";
import { buttonIn } from "./gate/offer.ts";
import { mayHave, mayUse } from "./offers.ts";
import { chosenOption } from "./questions.ts";
import type { Told } from "./told.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { use } from "./use-inputs.ts";

/**
 * Has a model say what the message says, once a turn, where the manifest has one for it. Whom the caller names and what answers a question
 * with its own words are clear without one.
 * @returns undefined where there is none, or it says nothing in time
 */
export async function hearModel(turn: Turn, deps: TurnDeps): Promise<Told | undefined> {
  if (turn.heardByModel !== undefined) return turn.heardByModel ?? undefined;
  turn.heardByModel = null;
  const { request, runId, trace, working } = turn;
  const { caller, sessionId, flow, goals, modelHint: hint, disableFallbacks } = request;
  const message = turn.message ?? request.message;
  if (!deps.askModel || message === undefined || !working || flow !== undefined || goals !== undefined)
    return undefined;
  const isAnswer = working.question && chosenOption(message, working.question.options);
  if (isAnswer || buttonIn(message) || commandOf(message) !== undefined) return undefined;
  const current = deps.talks.find((talk) => talk.flow.name === working.flow) ?? deps.talks[0];
  if (current) await use(turn, current, working, deps);
  const inputs = turn.plainInputs;
  turn.working = working;
  const services = [...(deps.services?.candidates.values() ?? [])]
    .filter(({ service }) => mayUse(caller, service, deps))
    .map(({ service }) => service.name);
  const talks = current ? [current, ...deps.talks.filter((talk) => talk !== current)] : [];
  const flows = talks.map((talk) => ({
    talk,
    goals: [...talk.flow.goals.keys()].filter((goal) => mayHave(caller, goal, talk, deps)),
  }));
  const asked = { caller, sessionId, runId, trace, hint, disableFallbacks };
  const answer = await deps.askModel({ ...asked, message, working, inputs, flows, services });
  if (!answer) return undefined;
  turn.used = turn.used ? addUsage(turn.used, answer.used) : answer.used;
  turn.heardByModel = answer.told;
  return answer.told;
}

/** The step of a turn that hears the model before anything else looks at the message. */
export function listen(turn: Turn, deps: TurnDeps): "next" | Promise<"next"> {
  return deps.askModel ? hearModel(turn, deps).then(() => "next") : "next";
}
