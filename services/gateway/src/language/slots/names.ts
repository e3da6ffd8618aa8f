import type { SlotDeclaration } from "./declarations.ts";
import { ask, cannotApply, type Draft } from "./draft.ts";
import { type EntityList, keysFrom, shapeOf } from "./entity-index.ts";
import { COMMON_WORDS, MEANS } from "./generic-words.ts";
import { pluralOf } from "./lexicon.ts";
import { isHard, means, type Piece, senseOf } from "./pieces.ts";

/** Buttons of a question. */
const MOST_OPTIONS = 3;
/** Comparisons with near names in one message, so that no text makes it long. A name behind that is said not to be applied. */
const MOST_CHECKS = 8_000;
/** Entities that are compared in one message, to find those that two words name. */
const MOST_POSITIONS = 200_000;
/** What it costs to put the entities of several names in order, in comparisons. */
const COST_OF_ORDER = 8;
/** Parts of a name that are written in one. */
const LONGEST_CLUSTER = 16;

/** What one message may cost, and what is known of it. */
type Search = {
  checks: number;
  positions: number;
  /** What was found for a word that is no name. */
  sought: Map<string, { near: readonly number[]; begun: readonly number[] }>;
  /** The entities that a word and its neighbours name. */
  narrowed: Map<string, readonly number[]>;
  /** The words that are asked about. */
  asked: Set<string>;
};

/**
 * Finds what names entities without being a whole id or name: a word of it, its beginning, or a misspelt one. What could be several asks.
 */
export function findNames(draft: Draft): void {
  for (const slot of draft.slots) {
    const list = draft.index.entities.get(slot.name);
    if (slot.kind === "entity" && list && list.ids.length > 0) findNamesOf(draft, slot, list);
  }
}

function findNamesOf(draft: Draft, slot: SlotDeclaration, list: EntityList): void {
  const search: Search = {
    checks: MOST_CHECKS,
    positions: MOST_POSITIONS,
    sought: new Map(),
    narrowed: new Map(),
    asked: new Set(),
  };
  const { pieces } = draft;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (!piece || piece.entity) continue;
    if (piece.amount) {
      numericId(draft, slot, list, i);
      continue;
    }
    if (!isOpen(piece)) continue;
    const end = clusterEnd(pieces, i);
    const said = draft.text.slice(piece.start, pieces[end]?.end);
    const key = keyOfPieces(pieces, i, end);
    const isId = /\p{N}/u.test(key) && /\p{L}/u.test(key);
    const own = wordPositions(list, key);
    if (own && (isId || end > i || isEvident(draft, slot, list, [i, i]))) {
      const positions = end === i && !isId ? namedByWords(draft, list, i, own, search) : own;
      const name = { slot, list, from: i, to: end, said, search };
      if (positions) take(draft, { ...name, positions });
      else notSought(draft, name);
      continue;
    }
    if (!isId && (COMMON_WORDS.has(key) || key.length < 4)) continue;
    if (!isId && end === i && !isEvident(draft, slot, list, [i, i])) continue;
    const { near, begun } = seek(list, key, search, piece.token.capitals || isId);
    const found = near.length > 0 ? near : begun;
    if (found.length > 0) {
      // Another digit is another item rather than a misspelt one.
      const sure =
        near.length === 0 || digitsOf(key) === "" || near.every((position) => hasDigits(list, position, key));
      const name = { slot, list, from: i, to: end, said, positions: found, search };
      if (sure) take(draft, name);
      else unknownName(draft, name);
    } else if (search.checks <= 0 || search.positions <= 0) {
      notSought(draft, { from: i, to: end });
    } else if (isId && list.shapes.has(shapeOf(said))) {
      const positions = list.byWord.get(piece.token.norm) ?? [];
      unknownName(draft, { slot, list, from: i, to: end, said, positions, search });
    }
    i = Math.max(i, end);
  }
}

function seek(list: EntityList, key: string, search: Search, isName: boolean) {
  const known = search.sought.get(key);
  if (known) return known;
  const near = positionsOf(list, list.near.find(key, search), search);
  const found = { near, begun: near.length > 0 ? [] : positionsBegun(list, key, isName, search) };
  search.sought.set(key, found);
  return found;
}

/** What the message is too long to look up is named. */
function notSought(draft: Draft, { from, to }: { from: number; to: number }): void {
  markUsed(draft, from, to);
  cannotApply(draft, draft.pieces[from]?.start ?? 0, draft.pieces[to]?.end ?? 0);
}

function markUsed({ pieces }: Draft, from: number, to: number): void {
  for (let i = from; i <= to; i++) {
    const piece = pieces[i];
    if (piece) piece.used = true;
  }
}

/** Neither a phrase with a meaning nor a name. */
const isOpen = (piece: Piece | undefined): piece is Piece =>
  piece !== undefined &&
  piece.means === 0 &&
  piece.senses.length === 0 &&
  piece.token.kind === "word" &&
  !piece.entity;

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
    /^\p{L}\p{N}+$/u.test(next.token.norm) &&
    !/\p{N}/u.test(pieces[from]?.token.norm ?? "")
    ? end + 1
    : end;
}

function keyOfPieces(pieces: readonly Piece[], from: number, to: number): string {
  let key = "";
  for (let i = from; i <= to; i++) key += pieces[i]?.token.norm ?? "";
  return key;
}

function wordPositions(list: EntityList, word: string): readonly number[] | undefined {
  return (
    list.byWord.get(word) ??
    (word.endsWith("s") && word.length > 3 ? list.byWord.get(word.slice(0, -1)) : undefined)
  );
}

/**
 * The entities that have the word, and those of the words around it that have any: "pressure valve".
 * @returns undefined where the message has cost too much
 */
function namedByWords(
  { pieces }: Draft,
  list: EntityList,
  at: number,
  own: readonly number[],
  search: Search,
): readonly number[] | undefined {
  if (own.length === 1) return own;
  const around = [pieces[at - 1], pieces[at + 1]].map((piece) =>
    piece?.entity ? "" : (piece?.token.norm ?? ""),
  );
  const key = `${pieces[at]?.token.norm} ${around.join(" ")}`;
  let positions = search.narrowed.get(key) ?? own;
  if (search.narrowed.has(key)) return positions;
  for (const neighbour of around) {
    const theirs = wordPositions(list, neighbour);
    if (!theirs) continue;
    if (search.positions <= 0) return undefined;
    search.positions -= positions.length + theirs.length;
    const both = inBoth(positions, theirs);
    if (both.length > 0) positions = both;
  }
  search.narrowed.set(key, positions);
  return positions;
}

/** What two lists in order have in common. */
function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const both: number[] = [];
  let i = 0;
  for (const position of some) {
    while (i < others.length && (others[i] ?? 0) < position) i++;
    if (others[i] === position) both.push(position);
  }
  return both;
}

/** Whether the words around make it a name: "the valve", "for valve", "valve only". */
function isEvident(
  { pieces }: Draft,
  slot: SlotDeclaration,
  list: EntityList,
  [from, to]: readonly [number, number],
): boolean {
  const [before, after] = [pieces[from - 1], pieces[to + 1]];
  const leads =
    MEANS.preposition |
    MEANS.only |
    MEANS.except |
    MEANS.up |
    MEANS.down |
    MEANS.all |
    MEANS.both |
    MEANS.joins |
    MEANS.keep;
  if (pieces[from]?.token.capitals || pieces[from]?.token.hangul) return true;
  if (
    means(before, leads) ||
    /^(?:the|our|my|your|this|that|these|those|not|a|an)$/.test(before?.token.norm ?? "")
  )
    return true;
  if (before?.entity || before?.amount) return true;
  if (means(after, MEANS.joins) && isName(pieces[to + 2], list)) return true;
  if (means(after, MEANS.only | MEANS.exceptAfter) || senseOf(after, "noun")) return true;
  return (isHard(before) && isHard(after)) || senseOf(before, "noun")?.slot === slot;
}

const isName = (piece: Piece | undefined, list: EntityList): boolean =>
  piece?.entity !== undefined || wordPositions(list, piece?.token.norm ?? "") !== undefined;

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

const digitsOf = (text: string): string => text.replace(/\P{N}/gu, "");
const hasDigits = (list: EntityList, position: number, key: string): boolean =>
  digitsOf(list.ids[position] ?? "") === digitsOf(key);

/** An id of digits alone needs a noun or a mark before it, or it would be any number. */
function numericId({ pieces }: Draft, slot: SlotDeclaration, list: EntityList, at: number): void {
  const piece = pieces[at];
  if (piece?.token.kind !== "number" || (piece.amount?.unit !== "none" && piece.amount?.unit !== "time"))
    return;
  const positions = list.byKey.get(piece.token.norm.replaceAll(/[.,']/g, ""));
  const before = pieces[at - 1];
  const named = senseOf(before, "noun")?.slot === slot || before?.token.norm === "#";
  if (
    !positions ||
    !(
      named ||
      (piece.token.norm.length >= 4 &&
        piece.amount.unit === "none" &&
        means(before, MEANS.preposition | MEANS.only | MEANS.except))
    )
  )
    return;
  piece.entity = { slot, positions };
  delete piece.amount;
}

type Named = {
  slot: SlotDeclaration;
  list: EntityList;
  positions: readonly number[];
  from: number;
  to: number;
  said: string;
  search: Search;
};

/** Takes one entity, or all where the plural says so, or asks which. */
function take(draft: Draft, named: Named): void {
  const { slot, list, positions, from, to, said } = named;
  const piece = draft.pieces[from];
  if (!piece) return;
  markUsed(draft, from, to);
  const word = piece.token.norm;
  const isPlural = positions.length > 1 && word.endsWith("s") && !list.byWord.has(word);
  const isAll = means(draft.pieces[from - 1], MEANS.all | MEANS.both);
  if (positions.length === 1 || isPlural || isAll) {
    piece.entity = { slot, positions };
    for (let i = from + 1; i <= to; i++) {
      const part = draft.pieces[i];
      if (part) part.entity = piece.entity;
    }
    return;
  }
  if (isAsked(draft, named)) return;
  ask(draft, {
    slot: slot.name,
    question: draft.korean
      ? `"${said}"은(는) 어느 ${slot.label.ko}입니까?`
      : `Which ${slot.label.en} do you mean by "${said}"?`,
    options: optionsOf(draft, slot, list, positions),
  });
}

function unknownName(draft: Draft, named: Named): void {
  const { slot, list, positions, from, to, said } = named;
  markUsed(draft, from, to);
  const [start, end] = [draft.pieces[from]?.start ?? 0, draft.pieces[to]?.end ?? 0];
  if (positions.length === 0) return void cannotApply(draft, start, end);
  if (isAsked(draft, named)) return;
  ask(draft, {
    slot: slot.name,
    question: draft.korean
      ? `${said}은(는) 없습니다. 다음 중 하나입니까?`
      : `There is no ${slot.label.en} ${said}. Did you mean ${positions.length === 1 ? "this one" : "one of these"}?`,
    options: optionsOf(draft, slot, list, positions),
  });
}

/** Whether the slot has its question already. A question is about one name; another one is said not to be applied. */
function isAsked(draft: Draft, { slot, from, to, search }: Named): boolean {
  const word = keyOfPieces(draft.pieces, from, to).replace(/s$/, "");
  if (!draft.asks.some((question) => question.slot === slot.name)) {
    search.asked.add(word);
    return false;
  }
  if (!search.asked.has(word)) cannotApply(draft, draft.pieces[from]?.start ?? 0, draft.pieces[to]?.end ?? 0);
  return true;
}

function optionsOf({ korean }: Draft, slot: SlotDeclaration, list: EntityList, positions: readonly number[]) {
  const ids = positions.flatMap((position) => list.ids[position] ?? []);
  const single = ids.slice(0, ids.length > MOST_OPTIONS ? MOST_OPTIONS - 1 : MOST_OPTIONS);
  const options = single.map((id) => ({ label: id, sets: { [slot.name]: [id] } }));
  if (single.length === ids.length) return options;
  const all = korean ? `${ids.length}개 모두` : `All ${ids.length} ${pluralOf(slot.label.en)}`;
  return [...options, { label: all, sets: { [slot.name]: ids } }];
}
