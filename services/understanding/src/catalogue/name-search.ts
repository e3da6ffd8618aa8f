import { americanOf } from "../text/american.ts";
import { MEANS } from "../text/generic-words.ts";
import { singularsOf } from "../text/lexicon.ts";
import { means, type Piece } from "../text/pieces.ts";
import { type EntityList, keysFrom } from "./entity-index.ts";

/** Comparisons with near names in one message, so that no text makes it long. A name behind that is said not to be applied. */
const MOST_CHECKS = 8_000;
/** Entities that are compared in one message, to find those that two words name. */
const MOST_POSITIONS = 200_000;
/** What it costs to put the entities of several names in order, in comparisons. */
const COST_OF_ORDER = 8;

type Found = { near: readonly number[]; begun: readonly number[] };

/** What one message may cost, and what is known of it. */
export type Search = {
  checks: number;
  positions: number;
  /** What was found for a word that is no name. */
  sought: Map<string, Found>;
  /** The entities that a word and its neighbours name. */
  narrowed: Map<string, readonly number[]>;
  /** The words that are asked about. */
  asked: Set<string>;
};

export function newSearch(): Search {
  return {
    checks: MOST_CHECKS,
    positions: MOST_POSITIONS,
    sought: new Map(),
    narrowed: new Map(),
    asked: new Set(),
  };
}

/** The entities with a name that is one edit from the word, and those with a name that begins with it. */
export function seek(list: EntityList, key: string, search: Search, isName: boolean): Found {
  const known = search.sought.get(key);
  if (known) return known;
  const near = positionsOf(list, list.near.find(key, search), search);
  const found = { near, begun: near.length > 0 ? [] : positionsBegun(list, key, isName, search) };
  search.sought.set(key, found);
  return found;
}

/** The entities of which a name has the word, in the singular or as it is. */
export function wordPositions(list: EntityList, word: string): readonly number[] | undefined {
  const own = list.byWord.get(word) ?? list.byWord.get(americanOf(word));
  if (own || !word.endsWith("s")) return own;
  for (const singular of singularsOf(word)) {
    const positions = list.byWord.get(singular);
    if (positions) return positions;
  }
  return undefined;
}

/**
 * The entities that have the word, and those of the words around it that have any: "pressure valve", "petrol and electric saws".
 * @returns undefined where the message has cost too much
 */
export function namedByWords(
  { pieces }: { pieces: readonly Piece[] },
  list: EntityList,
  at: number,
  own: readonly number[],
  search: Search,
): readonly number[] | undefined {
  if (own.length === 1) return own;
  const around = [pieces[at - 1], pieces[at + 1]];
  const shared = sharedWord(pieces, list, at) ?? wordOfPurpose(pieces, at);
  const key = [...[pieces[at], ...around].map((piece) => piece?.token.norm), shared].join(" ");
  // What is named already may be more or less than its words are.
  const isKnown = around.every((piece) => !piece?.entity);
  let positions = (isKnown && search.narrowed.get(key)) || own;
  if (isKnown && search.narrowed.has(key)) return positions;
  const others = around.map((piece) => namedIn(list, piece));
  if (shared !== undefined) others.push(wordPositions(list, shared));
  for (const theirs of others) {
    if (!theirs) continue;
    if (search.positions <= 0) return undefined;
    search.positions -= positions.length + theirs.length;
    const both = inBoth(positions, theirs);
    if (both.length > 0) positions = both;
  }
  if (isKnown) search.narrowed.set(key, positions);
  return positions;
}

/** The entities that a piece names, or has a word of. */
function namedIn(list: EntityList, piece: Piece | undefined): readonly number[] | undefined {
  if (piece?.entity) return piece.entity.slot === list.slot ? piece.entity.positions : undefined;
  return wordPositions(list, piece?.token.norm ?? "");
}

/** What says behind a name which of several it is: "the lamp for the desk" is a desk lamp. */
function wordOfPurpose(pieces: readonly Piece[], at: number): string | undefined {
  if (!/^(?:for|of|with)$/.test(pieces[at + 1]?.token.norm ?? "")) return undefined;
  return pieces[/^(?:an?|the)$/.test(pieces[at + 2]?.token.norm ?? "") ? at + 3 : at + 2]?.token.norm;
}

/** Words that share the one behind the last of them. */
const MOST_SHARING = 4;

/** The word that a list of words shares: "saws" of "petrol and electric saws". */
function sharedWord(pieces: readonly Piece[], list: EntityList, at: number): string | undefined {
  let last = at;
  for (let words = 0; words < MOST_SHARING; words++) {
    let next = last + 1;
    while (means(pieces[next], MEANS.joins) || pieces[next]?.token.norm === "the") next++;
    if (next === last + 1 || namedIn(list, pieces[next]) === undefined) return undefined;
    const behind = pieces[next + 1];
    if (behind && namedIn(list, behind) !== undefined) return behind.token.norm;
    last = next;
  }
  return undefined;
}

/** Whether a word and the next one are of the same entity, so that they are a name even where the first means something else too. */
export function isNameInPart(pieces: readonly Piece[], list: EntityList, at: number): boolean {
  const [own, next] = [pieces[at], pieces[at + 1]].map((piece) => namedIn(list, piece));
  return own !== undefined && next !== undefined && inBoth(own, next).length > 0;
}

/** What two lists in order have in common. */
export function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const both: number[] = [];
  let i = 0;
  for (const position of some) {
    while (i < others.length && (others[i] ?? 0) < position) i++;
    if (others[i] === position) both.push(position);
  }
  return both;
}

function positionsOf(list: EntityList, keys: readonly string[], search: Search): readonly number[] {
  const withKey = (key: string) => list.byKey.get(key) ?? list.byWord.get(key) ?? [];
  const [only] = keys;
  if (only === undefined) return [];
  if (keys.length === 1) return withKey(only);
  const positions = new Set<number>();
  for (const key of keys) {
    // A part of the entities would be a wrong selection.
    if (search.positions <= 0) return [];
    const more = withKey(key);
    search.positions -= COST_OF_ORDER * more.length;
    for (const position of more) positions.add(position);
  }
  return [...positions].sort((a, b) => a - b);
}

/** Letters of a word that abbreviate it: "dorm" of "dormitory". */
const SHORTEST_BEGINNING = 4;

/** The entities of which a word abbreviates a name: those that the next word names too, or where it stands alone all that begin so. */
export function abbreviated(
  list: EntityList,
  key: string,
  next: Piece | undefined,
  search: Search,
): readonly number[] {
  if (key.length < SHORTEST_BEGINNING) return [];
  const theirs = next && wordPositions(list, next.token.norm);
  if (next && !theirs) return [];
  const begun = positionsBegun(list, key, true, search);
  return theirs ? inBoth(begun, theirs) : begun;
}

/** The beginning of a key. In small letters it has to be half of a word at least, because it could be any word. */
function positionsBegun(list: EntityList, key: string, isName: boolean, search: Search): readonly number[] {
  if (key.length < 3 || search.checks <= 0) return [];
  const keys = keysFrom(list, key, 50);
  search.checks -= keys.length;
  const evident = isName
    ? keys
    : keys.filter((found) => key.length * 2 >= (/^\p{L}+/u.exec(found)?.[0].length ?? 0));
  return positionsOf(list, evident, search);
}
