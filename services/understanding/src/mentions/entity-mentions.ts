import { type EntityList, keysFrom, shapeOf } from "../catalogue/entity-index.ts";
import {
  inBoth,
  isNameInPart,
  namedByWords,
  type Search,
  seek,
  wordPositions,
} from "../catalogue/name-search.ts";
import { COMMON_WORDS, MEANS } from "../text/generic-words.ts";
import { hasRole, means, type Piece } from "../text/pieces.ts";
import { hasDigit } from "../text/tokens.ts";
import type { EntityReading } from "./mention.ts";

/** A name in a message: the pieces that it takes and what it may name. */
export type NameFound = { from: number; to: number; reading: EntityReading };

/** Parts of a name that are written in one. */
const LONGEST_CLUSTER = 16;
/** Words of a name that stand beside each other. */
const LONGEST_NAME = 6;
/** Names that begin with an abbreviation; of more none is meant. */
const MOST_BEGUN = 8;

/** Finds the names of the entities of a list: ids and names, words of them, their beginnings and misspelt ones. */
export function findEntities(
  text: string,
  pieces: readonly Piece[],
  list: EntityList,
  search: Search,
): NameFound[] {
  const found: NameFound[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const name = nameAt(text, pieces, list, at, search);
    if (!name) continue;
    found.push(name);
    at = name.to;
  }
  return found;
}

function nameAt(
  text: string,
  pieces: readonly Piece[],
  list: EntityList,
  at: number,
  search: Search,
): NameFound | undefined {
  const piece = pieces[at];
  if (!piece) return undefined;
  if (piece.entity)
    return piece.entity.slot === list.slot
      ? reading(pieces, list, at, at, piece.entity.positions, false)
      : undefined;
  if (piece.amount) return numericId(pieces, list, at);
  if (piece.token.kind !== "word") return undefined;
  if (!isOpen(piece) && !(isOnlyNoun(piece) && isNameInPart(pieces, list, at))) return undefined;
  const end = clusterEnd(pieces, at);
  const said = text.slice(piece.start, pieces[end]?.end).toLowerCase();
  const key = said.replace(/[^\p{L}\p{N}]+/gu, "");
  if (hasDigit(key) && /\p{L}/u.test(key)) return idAt(pieces, list, at, end, key, said, search);
  return (
    wordsAt(pieces, list, at, search) ??
    heardAt(pieces, list, at, search) ??
    misspeltAt(pieces, list, at, key, search)
  );
}

/** An id, a part of one, or what looks like one. */
function idAt(
  pieces: readonly Piece[],
  list: EntityList,
  at: number,
  end: number,
  key: string,
  said: string,
  search: Search,
): NameFound | undefined {
  const own = list.byKey.get(key) ?? wordPositions(list, key);
  if (own) return reading(pieces, list, at, end, own, false);
  const { near, begun } = seek(list, key, search, true);
  if (near.length > 0) return reading(pieces, list, at, end, near, true);
  if (begun.length > 0) return reading(pieces, list, at, end, begun, false);
  return list.shapes.has(shapeOf(said).replace(/a/g, "A")) || list.shapes.has(shapeOf(key))
    ? reading(pieces, list, at, end, [], false)
    : undefined;
}

/** Words that some names share: "pressure valve", "pumps". */
function wordsAt(
  pieces: readonly Piece[],
  list: EntityList,
  at: number,
  search: Search,
): NameFound | undefined {
  const own = wordPositions(list, pieces[at]?.token.norm ?? "");
  if (!own) return undefined;
  let positions: readonly number[] = own;
  let to = at;
  for (let next = at + 1; next < pieces.length && next - at < LONGEST_NAME; next++) {
    const word = pieces[next];
    const theirs =
      word?.entity || word?.amount || word?.token.kind !== "word"
        ? undefined
        : wordPositions(list, word.token.norm);
    const both: readonly number[] = theirs ? inBoth(positions, theirs) : [];
    if (both.length === 0) break;
    positions = both;
    to = next;
  }
  const named = to === at ? namedByWords({ pieces }, list, at, positions, search) : positions;
  return named && reading(pieces, list, at, to, named, false);
}

/** A name in Hangul as it sounds: 리서치, 헤이즐넛 스네일. */
function heardAt(
  pieces: readonly Piece[],
  list: EntityList,
  at: number,
  search: Search,
): NameFound | undefined {
  let positions: readonly number[] | undefined;
  let to = at;
  for (let next = at; next < pieces.length && next - at < LONGEST_NAME; next++) {
    const word = pieces[next];
    if (!word || !isOpen(word) || word.entity || word.amount) break;
    const names = list.sounds.find(word.token.norm);
    const theirs = [...new Set(names.flatMap((name) => wordPositions(list, name) ?? []))];
    const sorted = theirs.sort((one, other) => one - other);
    const both = positions ? inBoth(positions, sorted) : sorted;
    if (both.length === 0) break;
    positions = both;
    to = next;
  }
  const named = positions && to === at ? namedByWords({ pieces }, list, at, positions, search) : positions;
  return named && reading(pieces, list, at, to, named, true);
}

function misspeltAt(
  pieces: readonly Piece[],
  list: EntityList,
  at: number,
  key: string,
  search: Search,
): NameFound | undefined {
  if (key.length < 3 || COMMON_WORDS.has(key)) return undefined;
  const piece = pieces[at];
  if (key.length < 5) {
    const isCode = piece?.token.capitals === true;
    const begun = isCode ? keysFrom(list, key, MOST_BEGUN).filter(hasDigit) : [];
    const positions = begun.flatMap((found) => list.byKey.get(found) ?? []);
    return positions.length > 0 ? reading(pieces, list, at, at, positions, false) : undefined;
  }
  const singular = key.replace(/s$/, "");
  let { near } = seek(list, key, search, false);
  if (near.length === 0 && singular !== key) near = seek(list, singular, search, false).near;
  // "Dynamo" is DynamoDB, where nothing else begins so.
  if (near.length === 0 && key.length >= SHORTEST_CALL) near = calledBy(list, key);
  if (near.length === 0) return undefined;
  const named = near.length > 1 ? namedByWords({ pieces }, list, at, near, search) : near;
  // "presure valve": the next word belongs to it.
  const next = pieces[at + 1];
  const theirs = next && isOpen(next) ? wordPositions(list, next.token.norm) : undefined;
  const both = named && theirs ? inBoth(named, theirs) : [];
  return both.length > 0
    ? reading(pieces, list, at, at + 1, both, true)
    : named && reading(pieces, list, at, at, named, true);
}

/** Letters of the beginning of a name by which it is called. */
const SHORTEST_CALL = 5;
/** The part of a name that stands for all of it. */
const MOST_OF = 0.6;

/** The entities of the one name that a word is most of. */
function calledBy(list: EntityList, key: string): readonly number[] {
  const [name, ...others] = keysFrom(list, key, 2);
  if (name === undefined || others.length > 0 || key.length < MOST_OF * name.length) return [];
  return list.byKey.get(name) ?? [];
}

/** An id of digits, or the number of an id that only one has. Whether it is a number after all, the tagger says. */
function numericId(pieces: readonly Piece[], list: EntityList, at: number): NameFound | undefined {
  const piece = pieces[at];
  if (piece?.token.kind !== "number" || piece.end - piece.start !== piece.token.end - piece.token.start)
    return undefined;
  const number = piece.token.norm.replaceAll(/[.,']/g, "");
  const positions = list.byKey.get(number) ?? list.byNumber.get(number);
  return positions?.length === 1 ? reading(pieces, list, at, at, positions, false) : undefined;
}

function reading(
  pieces: readonly Piece[],
  list: EntityList,
  from: number,
  to: number,
  positions: readonly number[],
  near: boolean,
): NameFound {
  const ambiguous = positions.length !== 1 && !isPlural(pieces, list, to) && !isAll(pieces, from);
  return { from, to, reading: { slot: list.slot, positions, ambiguous, near } };
}

/** Words that stand for an entity behind a word of its name: "espresso machines". */
const STAND_INS = /^(?:ones|machines|models|devices|versions|variants|types|units|things)$/;

function isPlural(pieces: readonly Piece[], list: EntityList, to: number): boolean {
  const [last, next] = [pieces[to], pieces[to + 1]];
  return isPluralName(list, last) || isPluralName(list, next) || STAND_INS.test(next?.token.norm ?? "");
}

function isPluralName(list: EntityList, piece: Piece | undefined): boolean {
  const norm = piece?.token.norm ?? "";
  if (!norm.endsWith("s") || norm.endsWith("ss")) return false;
  if (!list.byWord.has(norm)) return wordPositions(list, norm) !== undefined;
  return (list.byWord.get(norm)?.length ?? 0) > 1;
}

/** "both ovens", "all the ovens", "no oven". */
function isAll(pieces: readonly Piece[], from: number): boolean {
  let before = from - 1;
  while (/^(?:the|of|our|my|these|those)$/.test(pieces[before]?.token.norm ?? "")) before--;
  const piece = pieces[before];
  return means(piece, MEANS.all | MEANS.both) || /^(?:no|any|two|three)$/.test(piece?.token.norm ?? "");
}

/** Neither a phrase with a meaning nor a name. */
const isOpen = (piece: Piece | undefined): boolean =>
  piece !== undefined && piece.means === 0 && piece.senses.length === 0 && piece.token.kind === "word";

const isOnlyNoun = (piece: Piece): boolean =>
  piece.means === 0 && !hasRole(piece, -1) && piece.senses.every(({ is }) => is === "noun");

/** The last piece that is written in one with this one, such as "V7" of "VALVE-V7", or that belongs to it: "valve v7". */
function clusterEnd(pieces: readonly Piece[], from: number): number {
  let end = from;
  for (let i = from + 1; i < pieces.length && i - from < LONGEST_CLUSTER; i++) {
    const next = pieces[i];
    if (!next?.token.glued || next.token.kind === "mark" || next.token.hangul || means(next, MEANS.percent))
      break;
    end = i;
  }
  const next = pieces[end + 1];
  const isNumbered =
    end === from &&
    isOpen(next) &&
    /^\p{L}\p{N}+$/u.test(next?.token.norm ?? "") &&
    !hasDigit(pieces[from]?.token.norm ?? "");
  return isNumbered ? end + 1 : end;
}
