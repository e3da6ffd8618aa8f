import {
  type Amount,
  hasRole,
  isHard,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { type Claim, foreignClaim, noClaim, openClaim, slotClaim } from "./claims.ts";
import { amountsInForce, isGoal, isMovedUp, limitMoved } from "./continuing.ts";
import type { Draft } from "./draft.ts";
import { isPaidBySome } from "./parties.ts";
import { type Words, wordsOf, type Zone, zonesAround } from "./zones.ts";

/** Finds out what a share is for, by the words around it: a noun, a comparison, a direction. */
export function shareClaim(draft: Draft, at: number, amount: Amount): Claim {
  if (isPaidBySome(draft.pieces, at)) return foreignClaim(draft, at, amount);
  for (const zone of zonesAround(draft.pieces, at)) {
    const words = wordsOf(draft, zone, at);
    const claim = claimInZone(draft, at, amount, words, zone);
    if (claim) return claim;
  }
  const behind = sentenceBehind(draft.pieces, at);
  const claim = behind && claimInZone(draft, at, amount, wordsOf(draft, behind, at), behind);
  if (claim) return claim;
  // "a factor of 2" is said of anything, but "by" it something changes.
  if (amount.factor && !draft.pieces.slice(Math.max(0, at - 4), at).some(({ token }) => token.norm === "by"))
    return noClaim(at, amount);
  const isChange = amount.low === undefined && amount.value <= 1;
  return isChange ? openClaim(at, amount) : foreignClaim(draft, at, amount);
}

/** Pieces of a sentence that are looked at, so that a long text takes time in proportion. */
const LONGEST_SENTENCE = 40;
const REFERRING = /^(?:that|this|it|which|그게|그것이|이게)$/;
/** Pieces between an amount and the end of its sentence, which says nothing else behind it. */
const REACH_TO_END = 3;

/** Pieces of a sentence that is nothing but a bound. */
const LONGEST_BOUND = 5;

/** "Three percent. That is the limit.": the sentence behind an amount that goes on about it. */
function sentenceBehind(pieces: readonly Piece[], at: number): Zone | undefined {
  let end = at + 1;
  while (end - at <= REACH_TO_END && !isHard(pieces[end])) end++;
  const first = pieces[end + 1];
  const isReferring = REFERRING.test(first?.token.norm ?? "");
  if (!isReferring && !means(first, MEANS.atMost | MEANS.atLeast | MEANS.not)) return undefined;
  let to = end + 1;
  while (to - at < LONGEST_SENTENCE && !isHard(pieces[to + 1])) {
    if (pieces[to]?.amount) return undefined;
    to++;
  }
  // "At least.", "Not more than that."; and not "At least that is what he wants."
  return isReferring || to - end <= LONGEST_BOUND ? { from: at, to } : undefined;
}

/** @returns undefined where the zone does not say what the share is for */
function claimInZone(draft: Draft, at: number, amount: Amount, words: Words, zone: Zone): Claim | undefined {
  const foreign = (): Claim => foreignClaim(draft, at, amount, { words, zone });
  const sets = (slot: SlotDeclaration, value: number, implied = false): Claim =>
    slotClaim(at, amount, words, [{ slot, value: round(value) }], implied);
  const movesAll = (claim: Claim): Claim => withJoined(draft.pieces, zone, claim);
  const own =
    words.nouns.find((slot) => slot.kind === "percent" && !slot.implicit) ?? changeInMaking(draft, words);
  const overrun = own?.reads === "change" && amount.low === undefined ? overPlan(draft.pieces, at) : 0;
  if (own && overrun !== 0) return movesAll(sets(own, overrun * Math.abs(amount.value)));
  if (words.foreign && (words.bound !== undefined || words.nouns.length === 0)) return foreign();
  if (comparesWithOther(draft.pieces, at) || matchesOther(words.parts)) return foreign();
  if (isPast(draft.pieces, at, words)) return noClaim(at, amount, words);
  // To cut by a factor of 2 is to halve.
  const isDivided = amount.factor && words.direction < 0;
  const said = amount.signed && !isDivided ? Math.sign(amount.value) : words.direction;
  const direction = said === 0 && isMore(draft.pieces, at) ? directionBefore(draft, at) : said;
  const size = isDivided ? amount.value / (1 + amount.value) : Math.abs(amount.value);
  if (own) {
    if (amount.low !== undefined) return foreign();
    if (own.reads === "least") {
      const isMost = words.bound === "most" && !isMovedUp(draft.pieces, at);
      const isMove = direction !== 0 && words.bound === undefined && !isGoal(draft.pieces, at);
      return isMost || isMove ? foreign() : sets(own, amount.value);
    }
    if (own.reads === "most") return words.bound === "least" ? foreign() : sets(own, size);
    if (words.bound !== undefined) return foreign();
    const sign = direction || directionInForce(draft);
    return sign === 0 ? undefined : movesAll(sets(own, sign * size));
  }
  const moved = amount.low === undefined ? limitMoved(draft, at) : undefined;
  if (moved) return sets(moved, size, true);
  const most = limitOfChange(draft.slots);
  if (amount.low !== undefined) return isSymmetric(amount) && most ? sets(most, size, true) : undefined;
  if (words.bound === "most" && most) return sets(most, size, true);
  if (words.bound === "least") {
    // "at least 25 %", where a floor is in force.
    const floor = amountsInForce(draft).find(({ kind, reads }) => kind === "percent" && reads === "least");
    return floor ? sets(floor, size, true) : foreign();
  }
  const named = words.nouns.find((slot) => slot.reads === "change");
  if (direction === 0) {
    const sign = named ? directionInForce(draft) : 0;
    return named && sign !== 0 ? sets(named, sign * size) : undefined;
  }
  if (amount.factor && words.nouns.length === 0 && !words.parts.some((_, i) => isObject(words.parts, i)))
    return undefined;
  const change = impliedChange(draft, words, at);
  return change && movesAll(sets(change, direction * size, true));
}

/** "another 4 %", "a further 4 %". */
const isMore = (pieces: readonly Piece[], at: number): boolean =>
  /^(?:another|further)$/.test(pieces[at - 1]?.token.norm ?? "");

/** "We raised it by 6 % last year; what would another 4 % do?" goes on in the direction that was told, or in that of the turn before. */
function directionBefore(draft: Draft, at: number): number {
  for (let i = at - 1; i >= at - LONGEST_SENTENCE && i >= 0; i--)
    if (means(draft.pieces[i], MEANS.up | MEANS.down)) return means(draft.pieces[i], MEANS.up) ? 1 : -1;
  return directionInForce(draft) || 1;
}

/** "And prices by 4 % instead?" goes on in the direction of the change that was said last. */
function directionInForce(draft: Draft): number {
  const change = amountsInForce(draft).find(({ reads }) => reads === "change");
  return change ? Math.sign(Number(draft.before[change.name])) : 0;
}

/** "why did costs jump 10 %?", "was the limit of 5 % applied?", "the margin was 20 %". */
function isPast(pieces: readonly Piece[], at: number, words: Words): boolean {
  let start = at;
  while (at - start < LONGEST_SENTENCE && !isHard(pieces[start - 1])) start--;
  if (/^(?:was|were|did)$/.test(pieces[start]?.token.norm ?? "")) return true;
  if (words.bound !== undefined) return false;
  if (words.why) return words.direction !== 0;
  return words.direction === 0 && /^(?:was|were)$/.test(pieces[at - 1]?.token.norm ?? "");
}

/** "match Siemens within 2 %": what is matched is not today's price. */
const matchesOther = (parts: readonly Piece[]): boolean =>
  parts.some((piece) => /^(?:match|beat|undercut)/.test(piece.token.norm)) &&
  !parts.some((piece) => hasRole(piece, ROLES.present));

const isSymmetric = ({ value, low }: Amount): boolean => low !== undefined && Math.abs(low + value) < 1e-12;

const round = (value: number): number => Number(value.toPrecision(12));

/** The slot of the most that anything may change. */
export const limitOfChange = (slots: readonly SlotDeclaration[]): SlotDeclaration | undefined =>
  slots.find((slot) => slot.kind === "percent" && slot.reads === "most" && slot.implicit);

/** The slot of a change whose noun is not said. */
export const changeOf = (slots: readonly SlotDeclaration[]): SlotDeclaration | undefined =>
  slots.find((slot) => slot.kind === "percent" && slot.reads === "change" && slot.implicit);

/** "And if they fall 5 % instead?" goes on with what changed in the turn before, unless it names something else. */
function impliedChange(draft: Draft, words: Words, at: number): SlotDeclaration | undefined {
  const change = changeOf(draft.slots);
  const saysChange =
    words.nouns.some((slot) => slot === change) ||
    words.parts.some((piece, i) => hasRole(piece, ROLES.priceOnly) || isObject(words.parts, i)) ||
    // "10% off" takes something off a price.
    draft.pieces[at + 1]?.token.norm === "off";
  if (saysChange) return change;
  const meant = changeMeant(draft.pieces, at);
  if (meant) return meant;
  const before = draft.slots.filter((slot) => slot.reads === "change" && slot.name in draft.before);
  const [only] = before;
  return before.length === 1 ? only : change;
}

/** Pieces between a pronoun and the amount of its change: "they should rise by". */
const REACH_OF_PRONOUN = 5;

/** "As long as costs stay flat we are fine, but what if they rise by 5 %?": the change that a pronoun stands for. */
function changeMeant(pieces: readonly Piece[], at: number): SlotDeclaration | undefined {
  let pronoun = at - 1;
  while (!/^(?:they|it)$/.test(pieces[pronoun]?.token.norm ?? "")) {
    if (at - pronoun >= REACH_OF_PRONOUN || isHard(pieces[pronoun])) return undefined;
    pronoun--;
  }
  // "raise it by 5 %"
  if (means(pieces[pronoun - 1], MEANS.up | MEANS.down)) return undefined;
  for (let i = pronoun - 1; i >= at - LONGEST_SENTENCE && pieces[i]; i--) {
    if (pieces[i]?.entity ?? pieces[i]?.value) return undefined;
    const noun = senseOf(pieces[i], "noun")?.slot;
    if (noun?.reads === "change") return noun;
  }
  return undefined;
}

/** "18 % more expensive to make", "the supplier wants 7 % more": the change of what making or buying costs. */
function changeInMaking({ slots }: Draft, { parts, nouns, direction }: Words): SlotDeclaration | undefined {
  const isSupplied = direction !== 0 && parts.some((piece) => hasRole(piece, ROLES.supplies));
  const isPriced = nouns.some((slot) => slot.reads === "change");
  const isMade = !isPriced && parts.some((_, i) => isDirectionOfMaking(parts, i));
  return isMade || isSupplied ? slots.find((slot) => slot.reads === "change" && !slot.implicit) : undefined;
}

/** "dearer to make", "more expensive for us to buy", "dearer for us". */
function isDirectionOfMaking(parts: readonly Piece[], at: number): boolean {
  const isOurs = parts[at]?.token.norm === "us" && parts[at - 1]?.token.norm === "for";
  if (!isOurs && !hasRole(parts[at], ROLES.makes)) return false;
  let before = at - 1;
  while (/^(?:for|us)$/.test(parts[before]?.token.norm ?? "")) before--;
  return means(parts[before], MEANS.up | MEANS.down | MEANS.by);
}

/** "both costs and prices rise by 5 %": the change is that of both. */
function withJoined(pieces: readonly Piece[], { from }: Zone, claim: Claim): Claim {
  const [own] = claim.is === "slot" ? claim.sets : [];
  if (claim.is !== "slot" || !own) return claim;
  for (let i = from; i < claim.at; i++) {
    const [one, joint, other] = pieces.slice(Math.max(0, i - 2), i + 1);
    if (!isChangeNoun(one) || !means(joint, MEANS.joins) || !isChangeNoun(other)) continue;
    const slots = [one, other].flatMap((piece) => senseOf(piece, "noun")?.slot ?? []);
    const sets = slots.map((slot) => ({ slot, value: own.value }));
    return slots.includes(own.slot) && slots[0] !== slots[1] ? { ...claim, sets } : claim;
  }
  return claim;
}

const isChangeNoun = (piece: Piece | undefined): boolean => senseOf(piece, "noun")?.slot.reads === "change";

/** "raise VALVE-V7 by 5 %", "cut everything": without a noun, what changes is the price. */
const isObject = (parts: readonly Piece[], at: number): boolean =>
  (parts[at]?.entity !== undefined || /^(?:everything|all)$/.test(parts[at]?.token.norm ?? "")) &&
  parts.slice(Math.max(0, at - 2), at).some((piece) => means(piece, MEANS.up | MEANS.down));

const PLAN =
  /^(?:plan|planned|forecast|forecasted|expected|expectations?|estimated?|estimates|budget|budgeted|assumed)$/;

/** "costs come in 12 % over plan": what costs are planned to be is what they are in the inputs. @returns the sign of the change, or 0 */
function overPlan(pieces: readonly Piece[], at: number): -1 | 0 | 1 {
  const next = pieces[at + 1];
  if (!means(next, MEANS.above | MEANS.below)) return 0;
  const reference = pieces[/^(?:the|our|what)$/.test(pieces[at + 2]?.token.norm ?? "") ? at + 3 : at + 2];
  if (!PLAN.test(reference?.token.norm ?? "")) return 0;
  return means(next, MEANS.above) ? 1 : -1;
}

/** Pieces behind a comparison among which its reference is looked for. */
const REFERENCE_REACH = 5;

/** "3 % below Siemens", "10 % above cost": what the share is relative to is not today's value. */
function comparesWithOther(pieces: readonly Piece[], at: number): boolean {
  const next = pieces[at + 1];
  if (senseOf(next, "amount")) return true;
  if (!means(next, MEANS.above | MEANS.below) || next?.token.hangul) return false;
  let isNamed = false;
  for (let i = at + 2; i <= at + 1 + REFERENCE_REACH && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (!piece || hasRole(piece, ROLES.present)) return false;
    if (means(piece, MEANS.separator | MEANS.joins | MEANS.question) && !hasRole(piece, ROLES.present)) {
      return isNamed || /^what/.test(piece.token.norm);
    }
    if (!means(piece, MEANS.filler) && senseOf(piece, "noun")?.slot.reads !== "change") isNamed = true;
  }
  return isNamed;
}

/**
 * A share that is written without its sign: "a margin of 0.3", "keep the margin above 20", "moves of at most .05", "costs rise by 0.12".
 * @returns undefined where the number is something else
 */
export function asShare(draft: Draft, at: number, amount: Amount): Amount | undefined {
  const { value } = amount;
  if (amount.unit !== "none" || amount.low !== undefined || value <= 0 || value === 1 || value >= 100)
    return undefined;
  // "raise it to 9"
  if (limitMoved(draft, at)) return { ...amount, unit: "share", value: value < 1 ? value : value / 100 };
  for (const zone of zonesAround(draft.pieces, at)) {
    const words = wordsOf(draft, zone, at);
    if (words.foreign) return undefined;
    const [noun] = words.nouns.filter((slot) => slot.kind === "percent" || slot.kind === "money");
    const isLeast = words.nouns.some((slot) => slot.kind === "percent" && slot.reads === "least");
    const isMost = noun?.reads === "most" && noun.kind === "percent";
    const isSmallBound = value <= MOST_SHARE && isBoundOfNothing(draft, at, words);
    const isChange =
      value < 1 &&
      words.direction !== 0 &&
      words.nouns.some((slot) => slot.reads === "change") &&
      !isTarget(draft, at);
    if (!isLeast && !isMost && !words.moves && !isChange && !isSmallBound) continue;
    if (value < 1) return { ...amount, unit: "share" };
    const isBound = isLeast ? words.bound !== "most" : words.bound === "most";
    return isBound ? { ...amount, unit: "share", value: value / 100 } : undefined;
  }
  return undefined;
}

/** "stay inside 0.02", "a band of 0.03": a bound below 1 that is said of nothing else is a share, since it is no price. */
function isBoundOfNothing({ pieces }: Draft, at: number, { bound, nouns }: Words): boolean {
  if (bound !== "most") return false;
  const near = [pieces[at - 1], pieces[at - 2], pieces[at + 1]].filter((piece) =>
    means(piece, MEANS.atMost | MEANS.cap),
  );
  // "a price of at most 0.9" is one; "prices within 0.05" are near to another.
  const isAround = near.some((piece) => AROUND.test(piece?.token.norm ?? ""));
  return (
    near.length > 0 && nouns.every(({ kind, reads }) => kind === "entity" || (isAround && reads === "change"))
  );
}

/** Bounds on both sides of a value. */
const AROUND = /^(?:within|inside|staying|±|\+|plus|give|corridor|band|tolerance|leeway|latitude)$/;
/** Most of what a bare bound below 1 is, as a share; a higher one is rather a price. */
const MOST_SHARE = 0.5;

/** "cut the price to 0.45" says what it is to be. */
const isTarget = ({ pieces }: Draft, at: number): boolean =>
  /^(?:to|at|of|from)$/.test(pieces[at - 1]?.token.norm ?? "") && !isOfChange(pieces[at - 2]);

/** "an increase of 0.05". */
const isOfChange = (piece: Piece | undefined): boolean => means(piece, MEANS.up | MEANS.down);
