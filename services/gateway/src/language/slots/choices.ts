import {
  hasRole,
  isHard,
  isOppositeOfFlag,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { cueOf, nounOf, readChoice } from "./choice-cues.ts";
import { type Draft, setSlot } from "./draft.ts";
import { readFlag, readOpposite } from "./flags.ts";

/** How far a negation may be from the phrase that it denies. */
const REACH = 4;

/** Sets the slots that are choices, flags, counts, and whole phrases. */
export function readChoices(draft: Draft): void {
  const { pieces } = draft;
  // Slots that a cue of this sentence leads to.
  const led = new Set<SlotDeclaration>();
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) continue;
    if (led.size > 0 && isHard(piece)) led.clear();
    if (piece.senses.length === 0) continue;
    readPhrase(draft, piece, at);
    for (const sense of piece.senses) {
      if (sense.is === "value" && sense.slot.kind === "choice") readChoice(draft, at, sense, led);
      if (sense.is === "cue" && sense.slot.kind === "flag") readFlag(draft, at, sense.slot);
      if (sense.is === "value" && isOppositeOfFlag(sense)) readOpposite(draft, at, sense.slot);
    }
    for (const sense of piece.senses) if (sense.is === "cue") led.add(sense.slot);
  }
  for (const slot of draft.slots) if (slot.kind === "count") readCount(draft, slot);
}

/** A phrase that stands for an amount, such as "below cost" behind a negation. */
function readPhrase(draft: Draft, piece: Piece, at: number): void {
  const sense = senseOf(piece, "amount");
  // "10 % above cost" is no bound at cost.
  if (!sense || piece.used || draft.pieces[at - 1]?.amount) return;
  piece.used = true;
  for (let i = at - 1; i >= 0 && !isHard(draft.pieces[i]) && at - i <= REACH; i--) {
    const part = draft.pieces[i];
    if (part && means(part, MEANS.not | MEANS.must | MEANS.keep | MEANS.clear)) part.used = true;
  }
  setSlot(draft, sense.slot, sense.amount, at);
}

/** "top 3", "the 5 biggest items", "three items with the most upside"; in the singular 1. */
function readCount(draft: Draft, slot: SlotDeclaration): void {
  const { pieces } = draft;
  if (draft.text.includes(" of th")) readShareOfThem(draft, slot);
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) continue;
    const isCue = cueOf(piece, slot);
    // "top 3 in one region and top 5 in another" says two.
    if (!isCue && (draft.values.has(slot.name) || !isExtreme(piece))) continue;
    if (!isCue && readExtremes(draft, at, slot)) return;
    if (!isCue && !means(piece, MEANS.superlative)) continue;
    const number = numberNear(pieces, at);
    // 기회가 가장 큰 세 가지: in Korean the noun is before.
    const near = pieces.slice(piece.token.hangul ? Math.max(0, at - 2) : at + 1, at + 5);
    const about = near.some((part) => nounOf(part, slot)) || isOfEntities(pieces, at);
    const count = number?.amount?.value;
    if (count !== undefined && Number.isInteger(count) && count > 0 && count < 10_000 && (isCue || about)) {
      if (number) number.used = true;
      piece.used = true;
      for (const part of pieces.slice(at + 1, at + 5)) if (nounOf(part, slot)) part.used = true;
      spendOnly(pieces, at);
      setSlot(draft, slot, count, at);
    } else if (
      count === undefined &&
      pieces.slice(at + 1, at + 4).some((part) => nounOf(part, slot)) &&
      isOfOne(pieces, at)
    ) {
      piece.used = true;
      setSlot(draft, slot, 1, at);
      return;
    }
  }
}

/** Superlatives of what a list begins with, and of no value that is wanted: "the worst violations", "the highest price increases". */
const EXTREME: ReadonlySet<string> = new Set(["worst", "steepest", "sharpest", "boldest", "highest", "most"]);

/** Whether a word may say what a list begins with. */
export const isExtreme = (piece: Piece): boolean =>
  means(piece, MEANS.superlative) || EXTREME.has(piece.token.norm);

/** "the single biggest move": one. */
const SINGLE = /^(?:single|one)$/;
/** Pieces before a verb at the end among which what it counts is: "the four products that move the most". */
const REACH_OF_RELATIVE = 6;

/**
 * "The five biggest changes", "list the 3 best", "the four that move most", "the single largest move": a number of moves is how many are
 * shown, and limits none of them. With a share ("the biggest change is 4 %") it is a limit.
 * @returns whether it says how many
 */
function readExtremes(draft: Draft, at: number, slot: SlotDeclaration): boolean {
  const { pieces } = draft;
  if (pieces[at]?.token.hangul) return readKoreanExtremes(draft, at, slot);
  const isSingle = SINGLE.test(pieces[at - 1]?.token.norm ?? "");
  const before = isPlainNumber(pieces[at - 1]) ? pieces[at - 1] : undefined;
  const number = before ?? (isPlainNumber(pieces[at + 1]) ? pieces[at + 1] : undefined);
  let noun = number && !before ? at + 2 : at + 1;
  // "the four most urgent changes"
  if (normOf(pieces[at]) === "most" && isWordOfAny(pieces[noun])) noun++;
  while (isOfPrice(pieces[noun]) && isRanked(pieces[noun + 1], slot)) noun++;
  const isListed =
    isRanked(pieces[noun], slot) || (before !== undefined && /^(?:best|worst)$/.test(normOf(pieces[at])));
  if (isListed && (number || isSingle)) {
    if (!isRanked(pieces[noun], slot) && !endsList(pieces[at + 1])) return false;
    return setCount(draft, slot, at, number, noun);
  }
  return readRelative(draft, at, slot);
}

/** "the five products that change most", "the five products with the biggest move". */
function readRelative(draft: Draft, at: number, slot: SlotDeclaration): boolean {
  const { pieces } = draft;
  const noun = isOfPrice(pieces[at + 1]) ? at + 2 : at + 1;
  if (normOf(pieces[at - 1]) === "the" && normOf(pieces[at - 2]) === "with" && isRanked(pieces[noun], slot))
    return countBefore(draft, slot, at, at - 2, noun);
  let verb = at - 1;
  if (pieces[verb]?.token.norm === "the") verb--;
  if (readNeeding(draft, at, slot)) return true;
  if (!(isMoved(pieces[verb]) || nounOf(pieces[verb], slot)) || !endsList(pieces[at + 1])) return false;
  // "which two items would gain the most?"
  let item = verb - 1;
  while (/^(?:would|will|could|can|do|may|should)$/.test(normOf(pieces[item]))) item--;
  const counted = isEntityNoun(pieces[item]) ? item - 1 : item;
  if (isPlainNumber(pieces[counted])) return setCount(draft, slot, at, pieces[counted], verb);
  let that = verb - 1;
  while (that > verb - 3 && !RELATIVE.test(normOf(pieces[that]))) that--;
  return RELATIVE.test(normOf(pieces[that])) && countBefore(draft, slot, at, that, verb);
}

/** "which five items need the biggest correction?": how many there are that have the most of something. */
function readNeeding(draft: Draft, at: number, slot: SlotDeclaration): boolean {
  const { pieces } = draft;
  const noun = isOfPrice(pieces[at + 1]) ? at + 2 : at + 1;
  const verb = pieces[at - 1]?.token.norm === "the" ? at - 2 : at - 1;
  if (!isRanked(pieces[noun], slot) || !NEEDING.test(normOf(pieces[verb]))) return false;
  const item = pieces[verb - 1];
  const isItem = isEntityNoun(item) || item?.entity !== undefined || item?.value !== undefined;
  const number = isItem ? verb - 2 : verb - 1;
  return isPlainNumber(pieces[number]) && setCount(draft, slot, at, pieces[number], noun);
}

const NEEDING = /^(?:need|needs|have|has|get|see|require|take|show|want|with)$/;

/** "no more than 2 of them", "only 3 of those": how many are shown of what a message has spoken of. */
function readShareOfThem(draft: Draft, slot: SlotDeclaration): void {
  const { pieces } = draft;
  for (const [at, piece] of pieces.entries()) {
    if (!isPlainNumber(piece) || !Number.isInteger(piece.amount?.value) || normOf(pieces[at + 1]) !== "of")
      continue;
    if (!/^(?:them|those|these)$/.test(normOf(pieces[at + 2])) || !endsList(pieces[at + 3])) continue;
    const lead = pieces[at - 1];
    if (!lead || !means(lead, MEANS.atMost | MEANS.only)) continue;
    lead.used = true;
    setCount(draft, slot, at, piece, at + 2);
  }
}

/** The number of what a relative clause goes on about. */
function countBefore(draft: Draft, slot: SlotDeclaration, at: number, clause: number, noun: number): boolean {
  const { pieces } = draft;
  for (let i = clause - 1; i >= at - REACH_OF_RELATIVE && !isHard(pieces[i]); i--)
    if (isPlainNumber(pieces[i])) return setCount(draft, slot, at, pieces[i], noun);
  return false;
}

/** 변동이 가장 큰 세 품목, 가장 큰 변동 4개, 가장 많이 오르는 3개. */
function readKoreanExtremes(draft: Draft, at: number, slot: SlotDeclaration): boolean {
  const { pieces } = draft;
  let number = at + 1;
  while (number <= at + REACH && !isHard(pieces[number]) && !isPlainNumber(pieces[number])) number++;
  if (!isPlainNumber(pieces[number])) return false;
  const near = pieces.slice(Math.max(0, at - 2), number + 2);
  const moved = near.findIndex((piece) => isRanked(piece, slot) || isMoved(piece));
  return moved >= 0 && setCount(draft, slot, at, pieces[number], Math.max(0, at - 2) + moved);
}

function setCount(
  draft: Draft,
  slot: SlotDeclaration,
  at: number,
  number: Piece | undefined,
  noun: number,
): boolean {
  const { pieces } = draft;
  const count = number?.amount?.value ?? 1;
  if (!Number.isInteger(count) || count <= 0 || count >= 10_000) return false;
  for (let i = at - REACH; i <= at + REACH; i++) if (pieces[i]?.amount?.unit === "share") return false;
  for (const piece of [pieces[at], number, pieces[noun]]) if (piece) piece.used = true;
  spendOnly(pieces, at);
  setSlot(draft, slot, count, at);
  return true;
}

/** "only the top three of the changes": how many says what "only" does. */
function spendOnly(pieces: readonly Piece[], at: number): void {
  for (const piece of pieces.slice(Math.max(0, at - REACH), at))
    if (means(piece, MEANS.only)) piece.used = true;
}

const isWordOfAny = (piece: Piece | undefined): boolean =>
  piece?.token.kind === "word" && piece.means === 0 && piece.senses.length === 0;
const RELATIVE = /^(?:that|which|whose)$/;
const normOf = (piece: Piece | undefined): string => piece?.token.norm ?? "";
const isPlainNumber = (piece: Piece | undefined): boolean =>
  piece?.amount?.unit === "none" && piece.amount.low === undefined && !piece.used && !piece.entity;
const isMoved = (piece: Piece | undefined): boolean =>
  hasRole(piece, ROLES.moves) || means(piece, MEANS.up | MEANS.down);
/** What is ranked by how much it moves, or breaks. */
const isRanked = (piece: Piece | undefined, slot: SlotDeclaration): boolean =>
  isMoved(piece) ||
  nounOf(piece, slot) ||
  senseOf(piece, "cue")?.slot.kind === "flag" ||
  senseOf(piece, "noun")?.slot.reads === "most";
const isEntityNoun = (piece: Piece | undefined): boolean => senseOf(piece, "noun")?.slot.kind === "entity";
const isOfPrice = (piece: Piece | undefined): boolean => senseOf(piece, "noun")?.slot.reads === "change";
const endsList = (piece: Piece | undefined): boolean =>
  isHard(piece) || means(piece, MEANS.joins | MEANS.separator | MEANS.preposition);

/** The plain number nearest to a piece, and of two the one before it. */
function numberNear(pieces: readonly Piece[], at: number): Piece | undefined {
  const isNumber = (piece: Piece | undefined): boolean => piece?.amount?.unit === "none" && !piece.used;
  for (let far = 0; far <= 5; far++) {
    if (isNumber(pieces[at - far])) return pieces[at - far];
    if (isNumber(pieces[at + far])) return pieces[at + far];
  }
  return undefined;
}

const isOfEntities = (pieces: readonly Piece[], at: number): boolean =>
  pieces.slice(at + 1, at + 4).some((part) => senseOf(part, "noun")?.slot.kind === "entity");

/** "the item with the most upside": one, where the noun is in the singular. */
function isOfOne(pieces: readonly Piece[], at: number): boolean {
  return pieces
    .slice(Math.max(0, at - 6), at + 6)
    .some((part) => senseOf(part, "noun")?.slot.kind === "entity" && !part.token.norm.endsWith("s"));
}
