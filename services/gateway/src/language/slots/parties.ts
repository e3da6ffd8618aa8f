import {
  hasRole,
  isHard,
  isPluralOfAny,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
} from "@interlock/understanding";
import type { Draft } from "./draft.ts";

const PERMITTING = /^(?:should|shall|must|ought|could|can|may|might|let|make)$/;

/** The verb of "the valve should cost 5 % less", "make it cost more" is said of its price; what it costs us is a cost. */
export function slotOfNoun(
  { slots }: Draft,
  parts: readonly Piece[],
  at: number,
  slot: SlotDeclaration,
): SlotDeclaration {
  return (
    (isVerbOfPrice(parts, at) && slots.find(({ reads, implicit }) => reads === "change" && implicit)) || slot
  );
}

/** Pieces before "cost" among which what makes a verb of it is. */
const REACH_TO_AUXILIARY = 8;

export function isVerbOfPrice(parts: readonly Piece[], at: number): boolean {
  const next = parts[at + 1];
  if (parts[at]?.token.norm !== "cost" || !(next?.amount || hasRole(next, ROLES.pays))) return false;
  if (/^(?:to|it|they)$/.test(parts[at - 1]?.token.norm ?? "")) return true;
  for (let i = at - 1; i >= at - REACH_TO_AUXILIARY && parts[i] && !isHard(parts[i]); i--)
    if (PERMITTING.test(parts[i]?.token.norm ?? "")) return true;
  return false;
}

const TELLING =
  /^(?:tell|told|agree|agreed|promise|promised|explain|explained|justify|justified|defend|announce|announced|show|send|present)$/;
/** "somebody from sales said that 4 % is fine". */
const SAYING =
  /^(?:say|says|said|think|thinks|thought|believe|believes|suggest|suggests|suggested|asked|told)$/;
/** Pieces between the verb and who is told. */
const REACH_OF_TELLING = 12;

/** "3 % looks bad in front of the dealers", "we agreed with the customers": who is told of something is not what it is said of. */
export function isTold(parts: readonly Piece[], at: number): boolean {
  if (SAYING.test(parts[at + 1]?.token.norm ?? "")) return true;
  let lead = at - 1;
  while (/^(?:the|our|my|your|all|other)$/.test(parts[lead]?.token.norm ?? "")) lead--;
  const norm = parts[lead]?.token.norm ?? "";
  if (norm === "of") return parts[lead - 1]?.token.norm === "front";
  return (
    /^(?:to|with)$/.test(norm) &&
    parts.slice(Math.max(0, lead - REACH_OF_TELLING), lead).some(({ token }) => TELLING.test(token.norm))
  );
}

/** "customers in the north would pay". */
const REACH_TO_PAYING = 6;

/** "8 % cheaper for our customers", "customers would pay 5 % more". */
export function isPayer(parts: readonly Piece[], at: number): boolean {
  if (!hasRole(parts[at], ROLES.pays)) return false;
  if (
    parts
      .slice(at + 1, at + REACH_TO_PAYING)
      .some(({ token }) => /^(?:pay|accept|tolerate|swallow|expect|notice|complain)/.test(token.norm))
  )
    return true;
  let lead = at - 1;
  while (/^(?:the|our|my|your)$/.test(parts[lead]?.token.norm ?? "")) lead--;
  return parts[lead]?.token.norm === "for" && means(parts[lead - 1], MEANS.up | MEANS.down);
}

/** "students pay 15 % less", "residents get 20 % off": the price of some who buy, and not of all. */
export const isPaidBySome = (parts: readonly Piece[], at: number): boolean =>
  /^(?:pay|get)$/.test(parts[at - 1]?.token.norm ?? "") &&
  isPluralOfAny(parts[at - 2]) &&
  !parts[at - 2]?.value &&
  !hasRole(parts[at - 2], ROLES.pays);

/** Pieces between an amount and the verb of who asks for it: "29 euros that the other shop charges". */
const REACH_TO_CHARGING = 6;

/** "below the 29 euros our neighbour charges": the price of somebody else. */
export function isChargedByOther(parts: readonly Piece[], at: number): boolean {
  if (!/^(?:our|the|my|their|his|that|which|another)$/.test(parts[at + 1]?.token.norm ?? "")) return false;
  for (let i = at + 2; i <= at + REACH_TO_CHARGING && !isHard(parts[i]); i++) {
    const norm = parts[i]?.token.norm ?? "";
    if (/^(?:charges?|asks?|lists?|takes?|demands?)$/.test(norm)) return true;
    if (norm === "," || parts[i]?.amount || PERMITTING.test(norm)) return false;
  }
  return false;
}

/** What is said of a subject behind a preposition, and asks for nothing. */
const AFFECTING =
  /^(?:(?:do|does|happens?|happened) to|(?:do|does|means?) for|(?:effects?|impact|influence|consequences?) (?:on|for)|(?:lose|gain|lost) in|(?:go|goes|going|went|switch|switches|turn|turns|run|lose|lost) to)$/;

/** "what would it do to volume", "the effect on demand", "what 4 % less mean for profit": what is asked about, and nothing that is wanted. */
export function isAffected(parts: readonly Piece[], at: number): boolean {
  let lead = at - 1;
  while (/^(?:the|our|my|your|its|their)$/.test(parts[lead]?.token.norm ?? "")) lead--;
  if (/^(?:affects?|hurts?|influences?)$/.test(parts[lead]?.token.norm ?? "")) return true;
  return AFFECTING.test(`${parts[lead - 1]?.token.norm} ${parts[lead]?.token.norm}`);
}
