import { askingWords, type SlotReading } from "../language/index.ts";
import { clausesIn } from "./clauses.ts";
import { type Hearing, LEAST_SAID, saysSomething } from "./hearing.ts";
import { again, type Wanted } from "./interpretation.ts";
import { isOwnPlan } from "./small-talk.ts";
import { onlyTells } from "./telling.ts";
import type { Doing } from "./working-set.ts";

/** Says which things are meant, and not what is to be done with them: "the second one", "that too", "back in with it". */
const CHOOSES =
  /\b(?:ones?|others?|both|two|three|first|second|third|latter|former|too|as well|also|instead|back in|again|lot)\b|(?:것|거|하나|둘|셋)(?:만|도|으?로|은|는|을|를)?(?=$|[\s,.!?])/i;

/** "Skip the explanation for the steel fork": what is not wanted asks for nothing. */
const DENIES =
  /^\s*(?:(?:ok(?:ay)?|so|well|now|please)[\s,]+)*(?:skip|without|omit|forget|leave out|drop|spare|no(?! (?:wait|sorry)\b)|not|never ?mind|don['’]t|do not)\s/i;

/** Orders and approvals that may be told. */
const ORDER = /\b(?:do it|go ahead|go for it|make it so|proceed|good to go|green light|approved?)\b/i;

/**
 * What has effects is done where something asks for it: "there, 6.5" and "the second one" sound like orders to go ahead, and only say
 * what is meant, and "it's Friday, finally" tells something. Behind a constraint, what was done last is done again. A bare "go ahead" is an
 * order. Nobody guesses at effects.
 */
export function withoutVainEffects(
  wanted: Wanted,
  message: string,
  reading: SlotReading,
  last: Doing | undefined,
  hearing: Hearing,
): Wanted {
  const { talk } = hearing;
  const { goals, followUp } = wanted;
  if (followUp || goals.length === 0 || !goals.every((goal) => talk.effects.has(goal))) return wanted;
  if (goals.some((goal) => isAskedFor(goal, message, reading, hearing))) return wanted;
  const isAside = isOwnPlan(message, reading) || isDenial(message, hearing);
  if (last && !isBare(message, reading) && !isAside) return again(last, "local", wanted.confidence);
  return { ...wanted, category: talk.general, goals: [], unsure: true };
}

/** "Let's not publish before Friday"; "why not publish it?" proposes it. */
const DENIED =
  /(?<!\bwhy (?:\p{L}+ )?)\b(?:not|never|without|(?:do|should|must|wo|would|let)n['’]t)(?!(?:\s+\p{L}+){1,3}?\s+(?:everything|all)\b)(?:\s+\p{L}+){1,3}/giu;

const withoutDenied = (message: string): string => message.replace(DENIED, " ");

/** Whether a message only says that it does not want a goal. */
function isDenial(message: string, { talk, byRules }: Hearing): boolean {
  const named = byRules(message);
  const left = byRules(withoutDenied(message));
  if (named.some((goal) => talk.effects.has(goal) && !left.includes(goal))) return true;
  return DENIES.test(message) && named.length > 0 && clausesIn(message).length === 1;
}

const isBare = (message: string, reading: SlotReading): boolean =>
  !saysSomething(reading) && reading.unsupported.length === 0 && !/\p{N}/u.test(message);

/** Whether a message orders to go ahead, or has words beside its constraints that ask for a goal. */
export function isAskedFor(goal: string, message: string, reading: SlotReading, hearing: Hearing): boolean {
  const { talk, byRules, readSlots } = hearing;
  if (byRules(withoutDenied(reading.rest)).includes(goal)) return true;
  if (isDenial(message, hearing)) return false;
  const tells = (): boolean => !ORDER.test(message) && onlyTells(message, (clause) => readSlots(clause, {}));
  if (isBare(message, reading)) return !CHOOSES.test(message) && !tells();
  const asking = askingWords(reading.rest).join(" ");
  return asking !== "" && (talk.classify(asking).probabilities[goal] ?? 0) >= LEAST_SAID;
}
