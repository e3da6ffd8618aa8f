import type { Intent, SlotReading } from "../language/index.ts";
import { askedBeside } from "./clauses.ts";
import { GUESS, type Hearing, saysSomething } from "./hearing.ts";
import { again, taken, type Wanted } from "./interpretation.ts";
import { takesOutOrIn } from "./references.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import { onlyTells } from "./telling.ts";
import type { Doing } from "./working-set.ts";

/** "Which of them break a rule?", "are there any violations?" */
const ASKS_WHICH =
  /^\s*(?:(?:ok(?:ay)?|and|so|but|now|then|well|good)[\s,]+)*(?:which|what|who|do|does|are|is|how many|any)\b.*\?\s*$/is;

/** Verbs that are nouns of constraints too, as an order: "now price the valve". */
const ORDERS =
  /(?:^|[.,;:!?]\s+|\b(?:now|then|please|and|also|just|next)\s+)(price)\s+(?!(?:of|for|is|are|was|and|or|only|first|range|list)\b)(?=\p{L})/iu;

/** What such an order asks for. */
function orderedIn(message: string, talk: Talk): Intent | undefined {
  const [, order] = ORDERS.exec(message) ?? [];
  return order === undefined ? undefined : talk.classify(order);
}

/**
 * The goal that a message names in the words of a constraint, where something else was done last: "optimise them for revenue" behind a
 * check. A selection of what a check finds is said in the words of the check, and asks for none.
 */
export function otherGoal(
  message: string,
  { slots, cleared }: SlotReading,
  last: Doing,
  heard: Intent,
  { talk, byRules }: Hearing,
): string | undefined {
  const selects = [...Object.keys(slots), ...cleared].some((name) => talk.findings.has(name));
  if (selects && !ASKS_WHICH.test(message)) return undefined;
  const ordered = orderedIn(message, talk);
  const limits = Object.keys(slots).filter((name) => !talk.narrowing.has(name));
  const [named = ordered?.category, ...others] = byRules(talk.withoutWordsOf(message, limits));
  if (named === undefined || others.length > 0 || last.goals.includes(named)) return undefined;
  const asked = ordered ?? heard;
  return asked.category === named && asked.confidence >= GUESS ? named : undefined;
}

/**
 * What a message asks for that says a constraint and more. What is left of it without the constraints has to ask for something: "release the
 * limit" publishes nothing, and what was done last is done again.
 */
export function againOrElse(
  message: string,
  { slots, rest, cleared, edits }: SlotReading,
  { last, heard }: { last: Doing; heard: Intent },
  hearing: Hearing,
): Wanted {
  const { talk, threshold, byRules } = hearing;
  if (takesOutOrIn(edits, message)) {
    // "Leave out the valve and check the rules": what is left out is not what is asked for.
    const asking = askedBeside(message, (clause) => hearing.readSlots(clause, last.slots), saysSomething);
    const asked = asking === undefined ? undefined : talk.classify(asking);
    if (asked && asked.goals.length > 0 && asked.confidence >= threshold) return taken(asked, "local");
  }
  const ordered = orderedIn(message, talk);
  if (ordered && ordered.confidence >= GUESS && ordered.goals.every((goal) => !last.goals.includes(goal)))
    return taken(ordered, "rules");
  const left = talk.classify(rest);
  const [named, ...others] = byRules(rest);
  if (named === undefined && onlyTells(message, (clause) => hearing.readSlots(clause, last.slots))) {
    // "NA had bad weather": a name by itself constrains nothing.
    const isAside =
      talk.isGeneral(heard.category) &&
      heard.confidence >= threshold &&
      [...Object.keys(slots), ...cleared].every((name) => talk.narrowing.has(name));
    return isAside ? taken(heard, "local") : again(last, "rules", 1);
  }
  const isNamed = named !== undefined && others.length === 0 && !last.goals.includes(named);
  const both = againAndMore(message, last, hearing);
  // "A proposal for these, at most 3 %": there is none yet that keeps to the constraint, so that none is explained or published.
  const speaksOfNone =
    both?.goals.some((goal) => talk.afterProposal.has(goal)) && !talk.afterProposal.has(named ?? "");
  if (both && !(isNamed && speaksOfNone)) return both;
  const isSame = left.category === heard.category;
  const isBacked = isSame && left.confidence >= GUESS && heard.confidence >= threshold;
  const isClear = left.confidence >= threshold || isBacked;
  if (isNamed && (both || !isClear)) return { ...taken(left, "rules"), category: named, goals: [named] };
  // What a message takes back it takes back whatever it says besides.
  const isComment = cleared.length > 0 && talk.isGeneral(left.category);
  if (!isClear || isComment) return again(last, "local", left.confidence);
  if (heard.confidence >= threshold) return taken(heard, "local");
  return isSame && left.goals.length > 0 && left.category !== COMPOSITE
    ? taken(left, "local")
    : again(last, "local", heard.confidence);
}

/** "Now at most 2 %, and why?": what was done before, done again because its results change, and what the message asks for besides. */
function againAndMore(
  message: string,
  last: Doing,
  { talk, readSlots, threshold }: Hearing,
): Wanted | undefined {
  // A part of what there is, or a what-if, is what the question is about: nothing is done again for it.
  const changesResults = ({ slots, cleared }: SlotReading): boolean =>
    [...Object.keys(slots), ...cleared].some((name) => !talk.narrowing.has(name) && !talk.passing.has(name));
  const rest = askedBeside(message, (clause) => readSlots(clause, last.slots), changesResults);
  const asked = rest === undefined ? undefined : talk.classify(rest);
  if (!asked || asked.confidence < threshold || asked.goals.length === 0) return undefined;
  // Another proposal heeds the constraint itself.
  if (asked.goals.some((goal) => talk.inProposal.has(goal) && !talk.checks.has(goal)))
    return { ...taken(asked, "local"), followUp: last.goals.join() === asked.goals.join() };
  const goals = [...new Set([...last.goals, ...asked.goals])];
  const [only] = goals;
  const category = goals.length === 1 && only !== undefined ? only : COMPOSITE;
  return { category, goals, source: "local", confidence: asked.confidence, followUp: true };
}
