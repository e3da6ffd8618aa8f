import type { SlotReading } from "../language/index.ts";
import { clausesIn } from "./clauses.ts";
import { isDenied, isNamed } from "./gate/clear-order.ts";
import { yesOrNo } from "./gate/offer.ts";
import { type Hearing, saysSomething } from "./hearing.ts";
import { again, type Wanted } from "./interpretation.ts";
import { isOwnPlan } from "./small-talk.ts";
import type { Doing } from "./working-set.ts";

/** "Skip the explanation for the steel fork": what is not wanted asks for nothing. */
const DENIES =
  /^\s*(?:(?:ok(?:ay)?|so|well|now|please)[\s,]+)*(?:skip|without|omit|forget|leave out|drop|spare|no(?! (?:wait|sorry)\b)|not|never ?mind|don['’]t|do not)\s/i;

/**
 * What has effects is wanted where something names it: "there, 6.5" and "the second one" sound like orders to go ahead, and only say what
 * is meant. Behind a constraint, what was done last is done again. Whether it is ordered, the gate finds out.
 */
export function withoutVainEffects(
  wanted: Wanted,
  message: string,
  reading: SlotReading,
  last: Doing | undefined,
  hearing: Hearing,
): Wanted {
  const { talk, byRules } = hearing;
  const { goals, followUp } = wanted;
  if (followUp || goals.length === 0 || !goals.every((goal) => talk.effects.has(goal))) return wanted;
  const isDropped =
    goals.every((goal) => isDenied(message, talk.orders(goal))) ||
    (DENIES.test(message) && byRules(message).length > 0 && clausesIn(message).length === 1);
  if (!isDropped && goals.some((goal) => isAskedFor(goal, message, hearing))) return wanted;
  const isBare = !saysSomething(reading) && reading.unsupported.length === 0 && !/\p{N}/u.test(message);
  if (last && !isBare && !isDropped && !isOwnPlan(message, reading))
    return again(last, "local", wanted.confidence);
  return { ...wanted, category: talk.general, goals: [], unsure: true };
}

/** Whether a message names a goal, or says nothing but that something is to be done: nobody is offered effects that nothing asks for. */
export function isAskedFor(goal: string, message: string, { talk, byRules }: Hearing): boolean {
  return isNamed(message, talk.orders(goal)) || byRules(message).includes(goal) || yesOrNo(message) === "yes";
}
