import {
  abbreviated,
  COMMON_WORDS,
  type EntityList,
  hasDigit,
  inBoth,
  isHard,
  isNameInPart,
  isWord,
  MEANS,
  means,
  namedByWords,
  newSearch,
  type Piece,
  type Search,
  seek,
  senseOf,
  shapeOf,
  wordPositions,
} from "@interlock/understanding";
import { lengthOfAddition } from "./additions.ts";
import type { Draft } from "./draft.ts";
import {
  cannotName,
  isPluralName,
  isStandIn,
  keyOfPieces,
  saidBy,
  take,
  unknownName,
} from "./name-outcome.ts";

/** Parts of a name that are written in one. */
const LONGEST_CLUSTER = 16;

/**
 * Finds what names entities without being a whole id or name: a word of it, its beginning, or a misspelt one. What could be several asks.
 */
export function findNames(draft: Draft): void {
  for (const list of draft.index.entities) if (list.ids.length > 0) findNamesIn(draft, list);
}

function findNamesIn(draft: Draft, list: EntityList): void {
  const { pieces } = draft;
  // Most messages name nothing in part.
  let search: Search | undefined;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (!piece || piece.entity) continue;
    if (piece.amount) {
      numericId(draft, list, i);
      continue;
    }
    if (!isOpen(piece) && !takeMeaning(draft, list, i)) {
      takeShort(draft, list, i);
      continue;
    }
    const end = clusterEnd(pieces, i);
    const key = keyOfPieces(pieces, i, end);
    const isId = hasDigit(key) && /\p{L}/u.test(key);
    const own = wordPositions(list, key);
    if (own && (isId || end > i || isEvident(draft, list, i) || isObject(pieces, i))) {
      search ??= newSearch();
      const named = end === i && !isId ? namedByWords(draft, list, i, own, search) : own;
      const positions = named && withoutThose(draft, list, i, named);
      const name = { list, from: i, to: end, search };
      if (positions) take(draft, { ...name, positions });
      else cannotName(draft, name);
      continue;
    }
    const lead = own && !isId ? unknownLead(pieces, i) : -1;
    if (own && lead >= 0) {
      search ??= newSearch();
      unknownName(draft, { list, from: lead, to: i, positions: own, search });
      continue;
    }
    if (!own && !isId && end === i && isOpen(pieces[i + 1]) && isDetermined(pieces[i - 1])) {
      search ??= newSearch();
      const positions = abbreviated(list, key, pieces[i + 1], search);
      if (positions.length > 0) {
        take(draft, { list, from: i, to: i, positions, search });
        continue;
      }
    }
    if (!isId && (COMMON_WORDS.has(key) || key.length < 4)) continue;
    if (!isId && end === i && !isEvident(draft, list, i)) continue;
    search ??= newSearch();
    const { near, begun } = seek(list, key, search, piece.token.capitals || isId);
    const like = near.length > 0 ? near : begun;
    // "leahter sofa" is near to what several are made of, and one sofa.
    const found = like.length < 2 || end > i || isId ? like : namedByWords(draft, list, i, like, search);
    if (!found) cannotName(draft, { from: i, to: end });
    else if (found.length > 0) {
      // Another digit is another item rather than a misspelt one.
      const sure =
        near.length === 0 || digitsOf(key) === "" || near.every((position) => hasDigits(list, position, key));
      const name = { list, from: i, to: end, positions: found, search };
      if (sure) take(draft, name);
      else unknownName(draft, name);
    } else if (search.checks <= 0 || search.positions <= 0) {
      cannotName(draft, { from: i, to: end });
    } else if (isId && list.shapes.has(shapeOf(saidBy(draft, i, end)))) {
      const positions = list.byWord.get(piece.token.norm) ?? [];
      unknownName(draft, { list, from: i, to: end, positions, search });
    } else if (end === i && !isId && isDetermined(pieces[i - 1]) && endsName(pieces[i + 1])) {
      const positions = abbreviated(list, key, undefined, search);
      if (positions.length === 1) unknownName(draft, { list, from: i, to: end, positions, search });
    }
    i = Math.max(i, end);
  }
}

const isDetermined = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.joins) || /^(?:the|our|my|your|this|that|for)$/.test(piece?.token.norm ?? "");

/** A name may end before it. */
const endsName = (piece: Piece | undefined): boolean =>
  isHard(piece) ||
  piece?.amount !== undefined ||
  means(piece, MEANS.separator | MEANS.joins | MEANS.preposition | MEANS.only);

/** "the bunk bed", where a bed has another name: the word that no name has, before one that a name ends with; or -1. */
function unknownLead(pieces: readonly Piece[], at: number): number {
  const lead = pieces[at - 1];
  const isNamed = isOpen(lead) && !lead.used && !COMMON_WORDS.has(pieces[at]?.token.norm ?? "");
  const isLed = /^(?:the|this|that|for)$/.test(pieces[at - 2]?.token.norm ?? "");
  return isNamed && isLed && !lead.token.hangul && endsName(pieces[at + 1]) ? at - 1 : -1;
}

/** "The other lathe" is none of those in force. */
function withoutThose({ pieces, before }: Draft, list: EntityList, at: number, named: readonly number[]) {
  const inForce = before[list.slot.name];
  if (pieces[at - 1]?.token.norm !== "other" || !Array.isArray(inForce)) return named;
  const now = new Set(inForce);
  const others = named.filter((position) => !now.has(list.ids[position] ?? ""));
  return others.length > 0 ? others : named;
}

/** Neither a phrase with a meaning nor a name. */
const isOpen = (piece: Piece | undefined): piece is Piece =>
  piece !== undefined &&
  piece.means === 0 &&
  piece.senses.length === 0 &&
  piece.token.kind === "word" &&
  !piece.entity;

/** Takes its other meaning from a word that is a part of a name: "the lever machine" is no lever. */
function takeMeaning({ pieces }: Draft, list: EntityList, at: number): boolean {
  const piece = pieces[at];
  if (piece?.means !== 0 || piece.token.kind !== "word") return false;
  if (!piece.senses.every(({ is }) => is === "noun") || !isNameInPart(pieces, list, at)) return false;
  piece.senses = [];
  return true;
}

/** Pieces between a name and the one that is compared with it. */
const REACH_OF_COMPARISON = 10;

/** "the deluxe lamp came out higher than the standard one": a value that stands for a name, beside one that shares its noun. */
function takeShort({ text, pieces }: Draft, list: EntityList, at: number): void {
  const piece = pieces[at];
  if (!isWord(pieces[at + 1], "one") || !senseOf(piece, "value")) return;
  const own = piece && wordPositions(list, piece.token.norm);
  if (!own) return;
  for (let i = at - 1; i >= at - REACH_OF_COMPARISON && !isHard(pieces[i]); i--) {
    const other = pieces[i];
    if (other?.entity?.slot !== list.slot) continue;
    const [noun = ""] = /\p{L}+$/u.exec(text.slice(other.start, other.end)) ?? [];
    const positions = inBoth(own, wordPositions(list, noun.toLowerCase()) ?? []);
    if (positions.length === 1) piece.entity = { slot: list.slot, positions };
    return;
  }
}

/** The last piece that is written in one with this one, such as "V7" of "VALVE-V7". */
function clusterEnd(pieces: readonly Piece[], from: number): number {
  let end = from;
  for (let i = from + 1; i < pieces.length && i - from < LONGEST_CLUSTER; i++) {
    const next = pieces[i];
    if (!next?.token.glued || next.token.kind === "mark" || next.token.hangul || means(next, MEANS.percent))
      break;
    end = i;
  }
  const next = pieces[end + 1];
  // "valve v8": a word with letters and digits goes with the one before.
  return end === from &&
    isOpen(next) &&
    hasDigit(next.token.norm) &&
    /^\p{L}\p{N}+$/u.test(next.token.norm) &&
    !hasDigit(pieces[from]?.token.norm ?? "")
    ? end + 1
    : end;
}

/** What may stand before a name, so that it is one. */
const LEADS =
  MEANS.preposition |
  MEANS.only |
  MEANS.except |
  MEANS.up |
  MEANS.down |
  MEANS.all |
  MEANS.both |
  MEANS.joins |
  MEANS.keep;
const POINTING = new Set([
  "the",
  "our",
  "my",
  "your",
  "this",
  "that",
  "these",
  "those",
  "other",
  "not",
  "no",
  "a",
  "an",
]);

/** "what body of rules": what follows is any noun. */
const OTHER = /^(?:what|who|whose)$/;
/** "there's room for it": no verbs. */
const NO_VERB = /^(?:there|here|it|this|that|they|we|you|i|he|she|who)$/;

/** What a name may stand behind where it is written as a name has it: "optimise analytical", "check shaker", "is shaker fine?". */
function isObject(pieces: readonly Piece[], at: number): boolean {
  const [before, own, after] = [pieces[at - 1], pieces[at], pieces[at + 1]];
  if (before?.senses.some(({ is }) => is === "cue")) return true;
  if (!own || COMMON_WORDS.has(own.token.norm)) return false;
  if (
    senseOf(before, "neutral") ||
    (means(before, MEANS.question | MEANS.why) && !OTHER.test(before?.token.norm ?? ""))
  )
    return true;
  // "reprice shaker": the verb of a request may be any word.
  const ends = isHard(after) || means(after, MEANS.separator | MEANS.joins | MEANS.preposition);
  return ends && isOpen(before) && !NO_VERB.test(before.token.norm) && isHard(pieces[at - 2]);
}

/** Whether the words around make it a name: "the valve", "for valve", "valve only". */
function isEvident({ pieces }: Draft, list: EntityList, at: number): boolean {
  const piece = pieces[at];
  const before = pieces[at - 1];
  const after = pieces[at + 1];
  if (piece?.token.capitals || piece?.token.hangul) return true;
  if (before && (means(before, LEADS) || POINTING.has(before.token.norm) || before.entity || before.amount))
    return true;
  // "the premium mixer"
  if (senseOf(before, "value")?.slot.kind === "enum") return true;
  // No other word is a plural of a name's; frequent ones are looked up by what is around them.
  if (piece && isNamePlural(list, piece)) return true;
  if (isName(after, list) || (means(after, MEANS.joins) && isName(pieces[at + 2], list))) return true;
  if (means(after, MEANS.only | MEANS.exceptAfter) || senseOf(after, "noun") || isStandIn(after)) return true;
  if (
    isHard(before) &&
    (after?.amount ||
      // "stoev and latern": of two that are joined, both may be misspelt.
      (means(after, MEANS.joins) &&
        isOpen(pieces[at + 2]) &&
        !COMMON_WORDS.has(pieces[at + 2]?.token.norm ?? "")) ||
      /^(?:please|at)$/.test(after?.token.norm ?? "") ||
      (/^(?:,|for|within|with|in)$/.test(after?.token.norm ?? "") &&
        !COMMON_WORDS.has(piece?.token.norm ?? "")) ||
      (piece && isPluralName(list, piece)))
  )
    return true;
  if (isHard(before) && lengthOfAddition(pieces, at + 1) > 0) return true;
  return (isHard(before) && isHard(after)) || senseOf(before, "noun")?.slot === list.slot;
}

const isNamePlural = (list: EntityList, piece: Piece): boolean =>
  isPluralName(list, piece) &&
  !COMMON_WORDS.has(piece.token.norm) &&
  wordPositions(list, piece.token.norm) !== undefined;

const isName = (piece: Piece | undefined, list: EntityList): boolean =>
  piece?.entity !== undefined || wordPositions(list, piece?.token.norm ?? "") !== undefined;

/** Digits from which on a number that is an id is hardly anything else. */
const LONG_ID = 4;
/** "down to 4000", "in 4000 places". */
const LEADS_NUMBER = /^(?:to|at|by|than|price|is)$/;

/** An id of digits alone needs a noun or a mark before it, or it would be any number; a long one is a number where it bounds or counts. */
function numericId(draft: Draft, list: EntityList, at: number): void {
  const { pieces } = draft;
  const { slot } = list;
  const piece = pieces[at];
  if (piece?.token.kind !== "number" || (piece.amount?.unit !== "none" && piece.amount?.unit !== "time"))
    return;
  const number = piece.token.norm.replaceAll(/[.,']/g, "");
  const positions = list.byKey.get(number) ?? byNumber(draft, list, at, number);
  const before = pieces[at - 1];
  const named = senseOf(before, "noun")?.slot === slot || before?.token.norm === "#";
  if (
    !positions ||
    !(
      named ||
      (piece.token.norm.length >= LONG_ID &&
        piece.amount.unit === "none" &&
        piece.amount.low === undefined &&
        !isNumber(draft, at))
    )
  )
    return;
  piece.entity = { slot, positions };
  delete piece.amount;
}

/** "4410 and 4475": the number of an id that only one item has, said where a name is. */
function byNumber(
  { pieces }: Draft,
  list: EntityList,
  at: number,
  number: string,
): readonly number[] | undefined {
  const positions = list.byNumber.get(number);
  if (positions?.length !== 1 || pieces[at]?.end !== (pieces[at]?.start ?? 0) + number.length)
    return undefined;
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  const isLed =
    isHard(before) ||
    before?.entity !== undefined ||
    means(before, MEANS.joins | MEANS.separator | MEANS.except | MEANS.only | MEANS.question) ||
    /^(?:the|for|of|about|on|both|item|#)$/.test(before?.token.norm ?? "") ||
    before?.senses.some(({ is }) => is === "cue" || is === "neutral" || is === "noun") ||
    // The verb of a request may be any word.
    (isHard(pieces[at - 2]) && isOpen(before));
  const ends =
    isHard(after) ||
    means(after, MEANS.joins | MEANS.separator | MEANS.atMost | MEANS.only | MEANS.exceptAfter) ||
    /^(?:for|in|at|please|by|out|stays|should|too)$/.test(after?.token.norm ?? "");
  return isLed && ends && !YEAR.test(number) ? positions : undefined;
}

const YEAR = /^(?:19|20)\d\d$/;

function isNumber(draft: Draft, at: number): boolean {
  const [before, next] = [draft.pieces[at - 1], draft.pieces[at + 1]];
  return (
    means(before, MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast | MEANS.cap) ||
    (/^(?:or|[가-힣]+)$/.test(next?.token.norm ?? "") &&
      means(next, MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast)) ||
    (LEADS_NUMBER.test(before?.token.norm ?? "") && senseOf(draft.pieces[at - 2], "noun") !== undefined) ||
    senseOf(next, "unsupported") !== undefined
  );
}

const digitsOf = (text: string): string => text.replace(/\P{N}/gu, "");
const hasDigits = (list: EntityList, position: number, key: string): boolean =>
  digitsOf(list.ids[position] ?? "") === digitsOf(key);
