import {
  isHard,
  isMention,
  isOppositeOfFlag,
  isWord,
  MEANS,
  means,
  type Piece,
  sameKind,
  senseOf,
} from "@interlock/understanding";
import type { Draft } from "./draft.ts";
import { referentsOf } from "./referents.ts";
import { endOfDenied, endsRemoval, outBehind, REMOVING_WORDS, sideOfRemoved } from "./removals.ts";
import { SWAPPING_WORDS, swappedBy } from "./swaps.ts";

const NONE: readonly Piece[] = [];

/** What may stand between names, or between a name and what selects it. */
export const isSkipped = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  !isMention(piece) &&
  !means(piece, MEANS.hard | MEANS.only | MEANS.not) &&
  (means(piece, MEANS.filler | MEANS.joins) || (senseOf(piece, "noun") !== undefined && !piece.amount));

/** The pieces that a word excludes: a list behind it, or before it. Those for which the message names others are swapped. */
export function findExcluded(draft: Draft, swapped: Set<Piece>): Set<Piece> {
  if (!draft.pieces.some(mayExclude)) return new Set();
  const referents = referentsOf(draft.pieces);
  // While exclusions are looked for, a pronoun is the name that it stands for.
  for (const [pronoun, [name]] of referents) {
    if (name?.entity) pronoun.entity = name.entity;
    else if (name?.value) pronoun.value = name.value;
  }
  const excluded = excludedIn(draft, swapped);
  for (const [pronoun, names] of referents) {
    delete pronoun.entity;
    delete pronoun.value;
    if (excluded.delete(pronoun)) for (const name of names) excluded.add(name);
  }
  return excluded;
}

const EXCLUDING = MEANS.except | MEANS.exceptAfter | MEANS.clear | MEANS.not | MEANS.instead;

const WORDS: ReadonlySet<string> = new Set(["but", "out", "aside", ...REMOVING_WORDS, ...SWAPPING_WORDS]);

/** Most messages have no word that may leave anything out. */
const mayExclude = (piece: Piece): boolean =>
  means(piece, EXCLUDING) || piece.token.hangul || WORDS.has(piece.token.norm);

function excludedIn({ pieces }: Draft, swapped: Set<Piece>): Set<Piece> {
  const excluded = new Set<Piece>();
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || !mayExclude(piece) || isMention(piece) || piece.amount || piece.token.kind === "mark")
      continue;
    const exchanged = swappedBy(pieces, at);
    const found = exchanged.length > 0 ? exchanged : excludedBy(pieces, piece, at);
    if (found.length === 0) continue;
    piece.used = true;
    markHolding(pieces, at);
    const isSwap = exchanged.length > 0 || isInstead(piece);
    for (const mention of found) {
      excluded.add(mention);
      if (isSwap) swapped.add(mention);
    }
  }
  return excluded;
}

/** The names that one piece excludes. */
function excludedBy(pieces: readonly Piece[], piece: Piece, at: number): readonly Piece[] {
  const { hangul } = piece.token;
  const side = sideOfRemoved(pieces, at);
  if (side !== 0) return listFrom(pieces, at, side);
  const isOwn =
    means(piece, MEANS.except) || isDenial(pieces, at) || isAllBut(pieces, at) || isUnwantedList(pieces, at);
  const isSwap = isInstead(piece);
  // A direction between "leave" and a name makes it a price: "leave room to raise the valve".
  const found =
    (isOwn || isSwap) && !hangul
      ? withoutMeant(pieces, at, listFrom(pieces, endOfDenied(pieces, at) ?? at, 1))
      : NONE;
  const isBehind =
    ((means(piece, MEANS.exceptAfter) || isOut(pieces, at)) && !asksWhether(pieces, at)) ||
    (isSwap && hangul);
  return found.length === 0 && isBehind ? withoutOthers(pieces, at) : found;
}

/** "I don't need the valve or the pump", "neither EMEA nor NA", "don't price the motor". */
function isUnwantedList(pieces: readonly Piece[], at: number): boolean {
  const end = endOfDenied(pieces, at);
  const last = end === undefined ? undefined : listFrom(pieces, end, 1).at(-1);
  return last !== undefined && endsRemoval(pieces, pieces.indexOf(last, at) + 1);
}

/** "Not the left valve, the right one": what follows the comma is meant. A list ends with "and" or "or". */
function withoutMeant(pieces: readonly Piece[], at: number, found: readonly Piece[]): readonly Piece[] {
  const [first, second] = found;
  const before = pieces[at - 1];
  const begins = isHard(before) || before?.token.norm === "," || means(before, MEANS.correct);
  if (found.length !== 2 || !first || !second || !isWord(pieces[at], "not") || !begins) return found;
  const from = pieces.indexOf(first, at);
  const to = pieces.indexOf(second, from);
  const between = pieces.slice(from + 1, to).filter((piece) => means(piece, MEANS.joins));
  return between.length === 1 && between[0]?.token.norm === "," ? [first] : found;
}

/** "repair out", "the pump aside", "the valve is out", "the valve should stay out too": a part of a list by itself. */
function isOut(pieces: readonly Piece[], at: number): boolean {
  if (!/^(?:out|aside)$/.test(pieces[at]?.token.norm ?? "")) return false;
  let name = at - 1;
  while (at - name < REACH_OF_EXCLUSION && !isHard(pieces[name]) && !isMention(pieces[name])) name--;
  if (!isMention(pieces[name])) return false;
  const begins = endsPart(pieces[name - 1]) || isWord(pieces[name - 1], "the");
  return name === at - 1 ? begins && endsPart(pieces[at + 1]) : outBehind(pieces, name) === at;
}

const endsPart = (piece: Piece | undefined): boolean =>
  isHard(piece) || means(piece, MEANS.separator | MEANS.joins);

/** "Revenue for new and exchange, repair stays as it is": a list ends with "and" or "or", so that what a comma parts is another one. */
function withoutOthers(pieces: readonly Piece[], at: number): readonly Piece[] {
  const found = listFrom(pieces, at, -1);
  const [last, before, first] = found;
  if (!last || !before || !first) return found;
  const [from, to, end] = [first, before, last].map((piece) => pieces.lastIndexOf(piece, at));
  const isEnded = pieces.slice(from, to).some((piece) => isWord(piece, "and"));
  return pieces[(end ?? at) - 1]?.token.norm === "," && isEnded ? [last] : found;
}

/** Verbs that begin a question about what is: "does the valve stay as it is?". */
const ASKING = /^(?:why|how|do|does|did|is|are|isn't|aren't|was|were|왜)$/;
const BEFORE_QUESTION = /^(?:and|but|so|then|now|,)$/;

/** "Why did the valve stay as it is?" asks about the valve, and leaves out nothing. "Can it stay as it is?" is a request. */
function asksWhether(pieces: readonly Piece[], at: number): boolean {
  let start = at;
  while (at - start < REACH_OF_EXCLUSION && !isHard(pieces[start - 1])) start--;
  while (start < at && BEFORE_QUESTION.test(pieces[start]?.token.norm ?? "")) start++;
  const [first, second] = [pieces[start], pieces[start + 1]];
  // "Do keep it as it is" asks for it.
  return ASKING.test(first?.token.norm ?? "") && !means(second, MEANS.keep | MEANS.except | MEANS.not);
}

/** "EMEA instead of NA". */
const isInstead = (piece: Piece): boolean =>
  means(piece, MEANS.instead) && !/^(?:not|over|vs|versus|보다)$/.test(piece.token.norm);

/** How far from a word the first name that it excludes may be, so that a long text takes time in proportion. */
const REACH_OF_EXCLUSION = 12;
/** "not the valve", "nothing for the valve". */
function isDenial(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  // "no matter how far"
  if (!piece || piece.used || piece.roles !== 0) return false;
  const { norm } = piece.token;
  if (norm === "nothing" || norm === "none") return /^(?:for|on|in)$/.test(pieces[at + 1]?.token.norm ?? "");
  return (
    (norm === "not" || norm === "no" || norm === "non") && !isPriced(pieces, at) && !isBound(pieces[at + 1])
  );
}

/** "no floor for the ladder" leaves out its floor, and not the ladder. */
const isBound = (piece: Piece | undefined): boolean => {
  const noun = senseOf(piece, "noun")?.slot;
  return noun?.kind === "money" || noun?.reads === "least";
};

/** How far behind "no" the amount may be that the price of what is named must not pass: "no spare wheel for less than 75". */
const REACH_OF_BOUND = 8;

/** "no ladder for less than 60": a bound on its price. */
function isPriced(pieces: readonly Piece[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH_OF_BOUND && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (piece?.amount) return means(pieces[i - 1], MEANS.above | MEANS.below);
    if (means(piece, MEANS.separator)) return false;
  }
  return false;
}

/** "all regions but NA", "any tier but repair". */
const isAllBut = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.token.norm === "but" &&
  (pieces.slice(Math.max(0, at - 4), at).some((piece) => means(piece, MEANS.all)) ||
    (isWord(pieces[at - 2], "any") && senseOf(pieces[at - 1], "noun") !== undefined));

/**
 * A list of names next to a piece. A preposition behind the first name ends it: "except the valve in EMEA"; so does a comma before
 * something of another kind: "all but the valve, exchange tier".
 */
function listFrom(pieces: readonly Piece[], at: number, step: 1 | -1): Piece[] {
  const found: Piece[] = [];
  let bridge: "none" | "comma" | "word" = "word";
  for (let i = at + step; pieces[i]; i += step) {
    const piece = pieces[i];
    if (!piece || (found.length === 0 && Math.abs(i - at) > REACH_OF_EXCLUSION)) break;
    if (isMention(piece) || isOpposite(piece)) {
      if (bridge !== "word" && found.length > 0 && !sameKind(found.at(-1), piece)) break;
      found.push(piece);
      bridge = "none";
    } else if (found.length === 0 && piece.amount?.unit === "none") continue;
    else if (found.length === 0 && (step === 1 ? POINTING.test(piece.token.norm) : isHolding(piece)))
      continue;
    else if (!isSkipped(piece)) break;
    else if (found.length > 0) {
      if (means(piece, MEANS.joins))
        bridge = piece.token.kind === "mark" && bridge !== "word" ? "comma" : "word";
      else if (step === 1 && means(piece, MEANS.preposition) && !piece.token.hangul) break;
      else if (step === -1 && !piece.token.hangul && !/^(?:the|is|are|out|be)$/.test(piece.token.norm)) break;
    }
  }
  return found;
}

/** Between what leaves out and what is left out: "don't change anything in NA". */
const POINTING = /^(?:anything|everything|whatever|what)$/;

/** "the valve can stay as it is", VALVE-V7만 빼고: between a name and what leaves it out. */
const isHolding = (piece: Piece): boolean =>
  /^(?:만|목록|리스트|대상|선택)$/.test(piece.token.norm) ||
  means(piece, MEANS.keep | MEANS.must) ||
  /^(?:can|may|should|shall|could|will|just|is|are|left|stays|remains|fine|ok|good)$/.test(piece.token.norm);

/** What the opposite of a flag is can be left out as names are: "skip the compliant items". */
const isOpposite = (piece: Piece): boolean => isOppositeOfFlag(senseOf(piece, "value"));

const HOLDING = MEANS.keep | MEANS.except;

/** "keep the valve unchanged", "the valve has to stay out": "keep" and "has to" are part of it. */
function markHolding(pieces: readonly Piece[], at: number): void {
  let isNamed = false;
  for (let i = at - 1; i >= 0 && !isHard(pieces[i]) && at - i < 8; i--) {
    const piece = pieces[i];
    isNamed ||= isMention(piece);
    if (means(piece, isNamed ? HOLDING : HOLDING | MEANS.must) && piece) piece.used = true;
  }
  for (let i = at + 1; i < pieces.length && i - at < 8 && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (piece && (means(piece, MEANS.exceptAfter) || piece.token.norm === "alone")) piece.used = true;
  }
}
