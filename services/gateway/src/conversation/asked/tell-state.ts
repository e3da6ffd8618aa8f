import { asksNothing } from "../../language/index.ts";
import { enterFlow } from "../enter-flow.ts";
import type { Turn, TurnDeps } from "../turn-step.ts";
import { languageOf } from "../wording.ts";
import { describeState } from "./describe-state.ts";

/**
 * Answers what a message asks of the state, from the store alone: a question never has an effect. What the message says besides goes on to
 * the later steps, without the question.
 */
export function tellState(turn: Turn, deps: TurnDeps): "next" | "answered" | Promise<"next" | "answered"> {
  const { message, flow, goals } = turn.request;
  if (!deps.state || message === undefined || flow !== undefined || goals !== undefined) return "next";
  if (turn.heardByModel?.route.kind === "goals") return "next";
  const asked = deps.state.asked(turn.message ?? message);
  return asked.length === 0 ? "next" : tell(turn, asked, deps);
}

async function tell(turn: Turn, asked: readonly string[], deps: TurnDeps): Promise<"next" | "answered"> {
  const { request } = turn;
  const message = turn.message ?? request.message ?? "";
  const language = languageOf(message);
  const found = await deps.effectStates.read(request.caller, request.sessionId);
  turn.state = describeState(found, (about) => deps.state?.labelOf(about, language) ?? about.step, language);
  const rest = withoutParts(message, asked);
  if (/\p{L}/u.test(rest) && !asksNothing(rest)) {
    turn.message = rest;
    return "next";
  }
  turn.intent = "state";
  turn.understood = { category: "state", confidence: 1, source: "rules", goals: [], slots: [] };
  turn.target = { kind: "general", reply: { text: turn.state, buttons: [] } };
  delete turn.state;
  // Inputs that came with the question are those of the next turns.
  if (request.inputs) await enterFlow(turn, deps);
  // A question that was put to the user stays open.
  if (turn.working) turn.next = turn.working;
  return "answered";
}

function withoutParts(message: string, parts: readonly string[]): string {
  let rest = message;
  for (const part of parts) rest = rest.replace(part, () => " ");
  return rest
    .replace(/\s+/g, " ")
    .replace(/^[\s,;]*(?:(?:and|but|also|그리고)\s+)?/i, "")
    .replace(/[\s,;]*(?:\s(?:and|but|also|그리고))?\s*$/i, "")
    .trim();
}
