import type { Hearing } from "../hearing.ts";
import type { Interpretation } from "../interpretation.ts";
import { isQuestion, partsOf } from "../questions-in.ts";
import { COMPOSITE } from "../talk.ts";

/**
 * Two questions of one message ask for what each of them asks for. Where each tells clearly what it wants, the user is not asked which of
 * them is meant, and none is left out. Effects are never added: they take an order.
 */
export function withEachQuestion(found: Interpretation, message: string, hearing: Hearing): Interpretation {
  const { talk, threshold } = hearing;
  const isOpen = found.question === undefined || found.question.key === "intent";
  if (!isOpen || found.command !== undefined) return found;
  const parts = partsOf(message);
  const questions = parts.filter(isQuestion);
  if (questions.length < 2 || questions.length < parts.length) return found;
  const heard = questions.map((part) => talk.classify(part));
  const clear = heard.filter(({ goals, confidence }) => goals.length === 1 && confidence >= threshold);
  const asked = new Set(clear.flatMap(({ goals }) => goals));
  if (found.question && clear.length < questions.length) return found;
  const all = new Set([...(found.question ? [] : found.goals), ...asked]);
  if (all.size < 2 || all.size === found.goals.length || [...asked].some((goal) => talk.effects.has(goal)))
    return found;
  // Goals that make a proposal make one for the constraints of this turn.
  const { question: _, unsure: __, proposal, about, ...left } = found;
  const isAbout = proposal !== undefined && [...all].every((goal) => talk.afterProposal.has(goal));
  const rest = isAbout ? { ...left, proposal, ...(about === undefined ? {} : { about }) } : left;
  const confidence = Math.min(...clear.map((one) => one.confidence));
  return { ...rest, category: COMPOSITE, goals: [...all], confidence };
}
