import { isAdded } from "./additions.ts";
import { isWhereabouts } from "./asides.ts";
import { isCorrection } from "./corrections.ts";
import type { SlotDeclaration } from "./declarations.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { isOfPast } from "./past.ts";
import { isHard, isOppositeOfFlag, isWord, means, type Piece, senseOf } from "./pieces.ts";
import { endOfDenied, endsRemoval, isOfEverything, sideOfRemoved } from "./removals.ts";

const NO_PIECES: ReadonlySet<Piece> = new Set();
/** How far "only" may be from what it selects: "only raise prices of the valve". */
const REACH_OF_ONLY = 5;

/** Sets the slots of entities and enums: what is named, without what is excluded. "All" takes them back. */
export function readSelections(draft: Draft): void {
  const swapped = new Set<Piece>();
  draft.excluded = findExcluded(draft, swapped);
  findOnly(draft);
  for (const slot of draft.slots) {
    if (slot.kind !== "entity" && slot.kind !== "enum") continue;
    if (!draft.pieces.some((piece) => mentions(piece, slot))) {
      if (saysAll(draft, slot)) draft.cleared.add(slot.name);
      continue;
    }
    const { named, without, isEdit } = mentionsOf(draft, slot, swapped);
    if (isTakenBack(draft, slot, [...named, ...without])) {
      draft.cleared.add(slot.name);
      continue;
    }
    const all = named.size > 0 || without.size > 0 ? allNamesOf(draft, slot) : [];
    const chosen = named.size > 0 ? [...named] : without.size > 0 ? all : [];
    const left = chosen.filter((name) => !without.has(name));
    const ordered = slot.kind === "enum" || named.size === 0 ? left : inOrder(all, left);
    if (ordered.length > 0) {
      const [first = ""] = ordered;
      draft.values.set(
        slot.name,
        slot.kind === "enum" && !slot.keys && ordered.length === 1
          ? first
          : slot.keys
            ? inOrder(all, ordered)
            : ordered,
      );
      if (isEdit) {
        const adds = named.size > 0 ? ordered : [];
        const isPlain = slot.kind === "enum" && !slot.keys;
        draft.edits.set(slot.name, { adds, drops: [...without], ...(isPlain ? { plain: true } : {}) });
      }
    } else if (chosen.length > 0) excludeNothing(draft, slot);
    if (ordered.length === 0 && saysAll(draft, slot)) draft.cleared.add(slot.name);
  }
}

/** "Never mind EMEA, all regions again", where it is selected: all are meant. */
function isTakenBack(draft: Draft, slot: SlotDeclaration, said: readonly string[]): boolean {
  const inForce = [draft.before[slot.name] ?? []].flat();
  const last = draft.pieces.findLastIndex((piece) => mentions(piece, slot));
  const isBehind = (at: number): boolean => at > last && saysAllAt(draft.pieces, at, (noun) => noun === slot);
  return (
    inForce.length === said.length &&
    said.every((name) => inForce.includes(name)) &&
    [...draft.pieces.keys()].some(isBehind)
  );
}

/** A message that leaves nothing, or excludes what no list has, is named rather than dropped. */
function excludeNothing(draft: Draft, slot: SlotDeclaration): void {
  for (const piece of draft.excluded) {
    if (piece.entity?.slot === slot || piece.value?.slot === slot) cannotApply(draft, piece.start, piece.end);
  }
}

function allNamesOf({ index }: Draft, slot: SlotDeclaration): readonly string[] {
  return slot.kind === "entity"
    ? (index.entities.find((list) => list.slot === slot)?.ids ?? [])
    : [...(index.values.find((list) => list.slot === slot)?.values.values() ?? [])];
}

const mentions = ({ entity, value }: Piece, slot: SlotDeclaration): boolean =>
  entity?.slot === slot || value?.slot === slot;

/** What is named of a slot, and what of it is excluded. What is corrected is neither, and hands its part on. */
function mentionsOf(draft: Draft, slot: SlotDeclaration, swapped: ReadonlySet<Piece>) {
  const { pieces, index, excluded, corrections } = draft;
  const ids = index.entities.find((list) => list.slot === slot)?.ids ?? [];
  const [named, without] = [new Set<string>(), new Set<string>()];
  // A word can name thousands of entities, and be said hundreds of times.
  const [taken, left] = [new Set<readonly number[]>(), new Set<readonly number[]>()];
  // A name that is asked about is corrected as well.
  let before = draft.places.get(slot.name);
  let stays = false;
  // The first and the last of what is named, and whether all that is left out is exchanged for it.
  let [first, last] = [Number.POSITIVE_INFINITY, -1];
  let isSwap = swapped.size > 0;
  const asides = asideMentions(pieces, slot);
  for (const [at, piece] of pieces.entries()) {
    if (!mentions(piece, slot)) continue;
    piece.used = true;
    if (asides.has(piece)) continue;
    // "the valve and the pump, no, not the pump, the motor" takes back the pump alone.
    const isPart = excluded.has(piece) && isNamed(piece, ids, named);
    if (!isPart && isCorrection(corrections, before ?? at, at)) {
      stays = without.size > 0 && named.size === 0;
      for (const said of [named, without, taken, left]) said.clear();
      draft.asks = draft.asks.filter((question) => question.slot !== slot.name);
    }
    before = at;
    const isExcluded = stays || excluded.has(piece);
    const names = isExcluded ? without : named;
    if (piece.entity?.slot === slot) {
      const { positions } = piece.entity;
      const known = isExcluded ? left : taken;
      if (!known.has(positions)) for (const position of positions) names.add(ids[position] ?? "");
      known.add(positions);
    } else if (piece.value) names.add(piece.value.value);
    if (isExcluded) isSwap &&= swapped.has(piece);
    else [first, last] = [Math.min(first, at), at];
  }
  if (named.size === 0) return { named, without, isEdit: without.size > 0 && !isOfEverything(pieces) };
  const isEdit = without.size > 0 ? isSwap : isAdded(pieces, first, last);
  return { named, without, isEdit };
}

/** Whether all that a mention names is named already. */
const isNamed = ({ entity, value }: Piece, ids: readonly string[], named: ReadonlySet<string>): boolean =>
  entity
    ? entity.positions.every((position) => named.has(ids[position] ?? ""))
    : named.has(value?.value ?? "");

/**
 * Mentions that tell what was asked for, or where those who talk are, where the message goes on to others: "I asked for the hub last week,
 * today the motor", "I'm in the US this week, price DACH".
 */
function asideMentions(pieces: readonly Piece[], slot: SlotDeclaration): ReadonlySet<Piece> {
  const asides = new Set<Piece>();
  let others = false;
  for (const [at, piece] of pieces.entries()) {
    if (!mentions(piece, slot)) continue;
    if (isOfPast(pieces, at) || (piece.value && isWhereabouts(pieces, at))) asides.add(piece);
    else others = true;
  }
  return others ? asides : NO_PIECES;
}

function inOrder(all: readonly string[], some: readonly string[]): string[] {
  const chosen = new Set(some);
  const known = all.filter((name) => chosen.has(name));
  return known.length === chosen.size ? known : [...some];
}

const isMention = (piece: Piece | undefined): boolean =>
  piece?.entity !== undefined || piece?.value !== undefined;

const isSkipped = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  !isMention(piece) &&
  !means(piece, MEANS.hard | MEANS.only | MEANS.not) &&
  (means(piece, MEANS.filler | MEANS.joins) || (senseOf(piece, "noun") !== undefined && !piece.amount));

/** The pieces that a word excludes: a list behind it, or before it. Those for which the message names others are swapped. */
function findExcluded({ pieces }: Draft, swapped: Set<Piece>): Set<Piece> {
  const excluded = new Set<Piece>();
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || isMention(piece) || piece.amount || piece.token.kind === "mark") continue;
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

const NONE: readonly Piece[] = [];

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

/** "repair out", "the pump aside", "the valve is out": a part of a list by itself. */
function isOut(pieces: readonly Piece[], at: number): boolean {
  if (!/^(?:out|aside)$/.test(pieces[at]?.token.norm ?? "") || !endsPart(pieces[at + 1])) return false;
  const name = /^(?:is|are)$/.test(pieces[at - 1]?.token.norm ?? "") ? at - 2 : at - 1;
  return isMention(pieces[name]) && (endsPart(pieces[name - 1]) || isWord(pieces[name - 1], "the"));
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
/** How far the names that are exchanged may be from the verb. */
const REACH_OF_SWAP = 8;
const SWAPPING: ReadonlySet<string> = new Set(
  "swap swapping replace replacing switch switching change changing".split(" "),
);
const SUBSTITUTING = /^(?:substitute|substituting)$/;
const SWAPPING_KOREAN = /^(?:바꾸|바꿔|교체)/;
/** Between what goes and what comes: "swap NA for EMEA", NA를 EMEA로 바꿔. */
const GOES = /^(?:for|with|by|to|into|를|을|에서|은|는)$/;

/** What a verb exchanges for another name of the same kind. */
function swappedBy(pieces: readonly Piece[], at: number): readonly Piece[] {
  const { norm = "", hangul = false } = pieces[at]?.token ?? {};
  if (hangul ? !SWAPPING_KOREAN.test(norm) : !SWAPPING.has(norm))
    return SUBSTITUTING.test(norm) ? replacedBy(pieces, at) : NONE;
  const [from, to] = hangul ? [at - REACH_OF_SWAP, at - 1] : [at + 1, at + REACH_OF_SWAP];
  const found: Piece[] = [];
  let goes = false;
  for (let i = Math.max(0, from); i <= to && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (!piece) break;
    if (!isMention(piece)) goes ||= found.length > 0 && GOES.test(piece.token.norm);
    else if (!goes) found.push(piece);
    else if (sameKind(found.at(-1), piece)) return found;
  }
  return NONE;
}

/** "substitute EMEA for NA": what goes comes last. */
function replacedBy(pieces: readonly Piece[], at: number): readonly Piece[] {
  let comes: Piece | undefined;
  let isFor = false;
  for (let i = at + 1; i <= at + REACH_OF_SWAP && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (!piece) break;
    if (!isMention(piece)) isFor ||= comes !== undefined && piece.token.norm === "for";
    else if (!isFor) comes = piece;
    else if (sameKind(comes, piece)) return [piece];
  }
  return NONE;
}

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

const slotOf = (piece: Piece | undefined) => piece?.entity?.slot ?? piece?.value?.slot;
const sameKind = (a: Piece | undefined, b: Piece): boolean => slotOf(a) === slotOf(b);

/** What the opposite of a flag is can be left out as names are: "skip the compliant items". */
const isOpposite = (piece: Piece): boolean => isOppositeOfFlag(senseOf(piece, "value"));

/** "keep the valve unchanged": "keep" is part of it. */
function markHolding(pieces: readonly Piece[], at: number): void {
  for (let i = at - 1; i >= 0 && !isHard(pieces[i]) && at - i < 8; i--) {
    const piece = pieces[i];
    if (piece && means(piece, MEANS.keep | MEANS.except)) piece.used = true;
  }
  for (let i = at + 1; i < pieces.length && i - at < 8 && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (piece && (means(piece, MEANS.exceptAfter) || piece.token.norm === "alone")) piece.used = true;
  }
}

function findOnly({ pieces }: Draft): void {
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || !means(piece, MEANS.only) || piece.used) continue;
    if (isMention(pieces[at - 1])) piece.used = true;
    for (let i = at + 1; i <= at + REACH_OF_ONLY && !isHard(pieces[i]) && !piece.used; i++) {
      if (means(pieces[i], MEANS.separator) && !means(pieces[i], MEANS.filler)) break;
      if (isMention(pieces[i])) piece.used = true;
    }
    for (let i = at - 1; i >= at - 3 && !isHard(pieces[i]) && !piece.used; i--) {
      if (isMention(pieces[i]) && pieces.slice(i + 1, at).every(isSkipped)) piece.used = true;
    }
  }
}

/** "Now for everything", "back to everything", "everything again": no selection any more; "explain everything" is another thing. */
const isEverything = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.token.norm === "everything" &&
  (/^(?:for|to|now)$/.test(pieces[at - 1]?.token.norm ?? "") || pieces[at + 1]?.token.norm === "again");

/** All prices are those of all items. */
const isOfAll = (noun: SlotDeclaration, slot: SlotDeclaration): boolean =>
  noun === slot || (slot.kind === "entity" && noun.reads === "change" && noun.implicit);

/** "all items", "both regions", "for every tier again", "all our prices". */
const saysAll = ({ pieces }: Draft, slot: SlotDeclaration): boolean =>
  pieces.some((_, at) => isEverything(pieces, at) || saysAllAt(pieces, at, (noun) => isOfAll(noun, slot)));

function saysAllAt(
  pieces: readonly Piece[],
  at: number,
  isMeant: (noun: SlotDeclaration) => boolean,
): boolean {
  if (!means(pieces[at], MEANS.all | MEANS.both)) return false;
  for (let i = at + 1; i <= at + 3 && !isHard(pieces[i]); i++) {
    if (pieces[i]?.senses.some((sense) => sense.is === "noun" && isMeant(sense.slot))) return true;
    if (!means(pieces[i], MEANS.filler)) break;
  }
  return false;
}
