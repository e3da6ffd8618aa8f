import { asksNothing } from "../../language/index.ts";
import { type Flow, isAgentService } from "../../mesh/index.ts";
import { planOfFlow } from "../../runs/index.ts";
import { inline } from "../inline-text.ts";
import { isQuestion, partsOf } from "../questions-in.ts";
import type { Turn, TurnDeps } from "../turn-step.ts";
import { languageOf } from "../wording.ts";
import { STATE_TEXTS } from "./state-texts.ts";

const LONGEST_QUOTE = 80;

/** Puts the state that was asked for into the answer, and names each other question of the message that nothing of the turn answers. */
export function answerAll(turn: Turn, deps: TurnDeps): void {
  const { request, target, state } = turn;
  if (request.message === undefined || request.flow !== undefined || request.goals !== undefined) return;
  const texts = STATE_TEXTS[languageOf(request.message)];
  const left = leftOut(turn, deps);
  const named =
    left.length > 0 ? texts.notAnswered(left.map((part) => inline(part, LONGEST_QUOTE))) : undefined;
  if (state === undefined && named === undefined) return;
  if (target.kind === "general") {
    const reply = saysSomething(turn, deps) ? target.reply : undefined;
    const text = [state, named, reply?.text].filter((part) => part !== undefined).join("\n\n");
    turn.target = { kind: "general", reply: { text, buttons: reply?.buttons ?? [] } };
    return;
  }
  const mayChange = state !== undefined && turn.pauseButtons !== undefined;
  if (named !== undefined) turn.also = [...(turn.also ?? []), named];
  if (state !== undefined) turn.told = mayChange ? `${texts.before}\n\n${state}` : state;
}

/** Whether the gateway itself answers something, instead of only saying what it can do. */
const saysSomething = ({ target }: Turn, { mesh }: TurnDeps): boolean =>
  target.kind === "general" &&
  target.reply !== undefined &&
  !Object.values(mesh.general).includes(target.reply.text);

/** The questions of a message of several parts that nothing of the turn answers. */
function leftOut(turn: Turn, deps: TurnDeps): readonly string[] {
  const { request, target, state } = turn;
  const message = turn.message ?? request.message ?? "";
  const parts = partsOf(message);
  const questions = parts.filter(isQuestion);
  const others = parts.length - questions.length + (state === undefined ? 0 : 1);
  if (questions.length === 0 || questions.length + others < 2) return [];
  if (target.kind === "general")
    // Asked back, the whole message waits for the answer.
    return state === undefined || saysSomething(turn, deps) ? [] : questions;
  const ran = goalsOf(turn, deps);
  if (ran === "all") return [];
  const rated = questions.map((part) => ({ part, clearness: clearnessOf(part, ran, turn, deps) }));
  const clear = rated.filter(({ clearness }) => clearness >= deps.intentThreshold);
  // What runs was asked for by something: by the likeliest, where no question tells clearly.
  const most =
    clear.length > 0 || others > 0
      ? []
      : rated.toSorted((one, other) => other.clearness - one.clearness).slice(0, 1);
  return rated.filter((one) => !clear.includes(one) && !most.includes(one)).map(({ part }) => part);
}

/** The goals whose steps run; a service that gets the message as it is answers all of it. */
function goalsOf({ target, understood, talk }: Turn, { mesh }: TurnDeps): ReadonlySet<string> | "all" {
  const said = understood?.goals ?? [];
  if (target.kind === "flow") {
    const flow = mesh.flows.get(target.flow);
    return new Set([...said, ...target.goals, ...(flow ? goalsWithin(flow, target.goals) : [])]);
  }
  if (target.kind !== "service") return "all";
  const service = mesh.services.get(target.service);
  const isGoal = talk?.flow.goals.has(target.service) ?? false;
  return service && isAgentService(service) && isGoal ? new Set([...said, target.service]) : "all";
}

function goalsWithin(flow: Flow, goals: readonly string[]): string[] {
  const steps = new Set(planOfFlow(flow, goals).steps.map(({ id }) => id));
  return [...flow.goals].flatMap(([goal, own]) => (own.every((step) => steps.has(step)) ? [goal] : []));
}

/** How surely a question asks for a goal that runs, between 0 and 1. */
function clearnessOf(part: string, ran: ReadonlySet<string>, turn: Turn, deps: TurnDeps): number {
  const { talk, plainInputs } = turn;
  const routed = deps.route(part, { plan: false });
  const ruled = routed.kind === "ask" ? [routed.service] : routed.kind === "plan" ? routed.goals : [];
  if (ruled.some((goal) => ran.has(goal))) return 1;
  if (!talk) return 0;
  // "And for the valve?", "at most 5 %?": a constraint of what else is asked.
  if (asksNothing(talk.readSlots(part, plainInputs, {}).rest)) return 1;
  const { goals, confidence } = talk.classify(part);
  return goals.some((goal) => ran.has(goal)) ? confidence : 0;
}
