import { setImmediate as nextTurn } from "node:timers/promises";
import type { SlotDeclaration } from "./declarations.ts";
import { isComparable, type NearIndex, nearIndex, SHORTEST_NEAR } from "./near-index.ts";

/** The entities of one slot, for look-ups by what a message may call them. */
export type EntityList = {
  slot: SlotDeclaration;
  /** Ids in the order of the inputs. */
  ids: readonly string[];
  /** Positions by id or name, without marks and in lower case. */
  byKey: ReadonlyMap<string, readonly number[]>;
  /** Positions by a word of an id or a name. */
  byWord: ReadonlyMap<string, readonly number[]>;
  /** Positions by the number in an id: 4410 of "AGRI-4410". */
  byNumber: ReadonlyMap<string, readonly number[]>;
  /** First words of the keys, so that most words need one look-up. */
  firsts: ReadonlySet<string>;
  /** What ids look like: letters as A, digits as 0. */
  shapes: ReadonlySet<string>;
  /** The most words that a key has. */
  longest: number;
  near: NearIndex;
  /** Keys in order, for look-ups by their beginning. */
  sorted: () => readonly string[];
};

/** The values of a slot in the inputs. */
export type ValueList = {
  slot: SlotDeclaration;
  /** As the inputs spell them, by lower case. */
  values: ReadonlyMap<string, string>;
  /** One of them has several words. */
  spaced: boolean;
  /** Values by all their spellings in lower case: their own and the declared synonyms. */
  spellings: ReadonlyMap<string, string>;
  near: NearIndex;
  /** Every element has a value, so that one that is not among them selects nothing. */
  complete: boolean;
};

/** What a reader knows of the inputs: a list for each slot of entities, and for each enum. Made once for each inputs. */
export type EntityIndex = { entities: readonly EntityList[]; values: readonly ValueList[] };

/** Indexes what the declared slots can name in the inputs, at once: for inputs of some hundred entities, and for start-up. */
export function indexEntities(
  slots: readonly SlotDeclaration[],
  inputs: Readonly<Record<string, unknown>>,
): EntityIndex {
  const indexing = indexInPieces(slots, inputs);
  for (;;) {
    const { done, value } = indexing.next();
    if (done) return value;
  }
}

/** Like {@link indexEntities}, a piece per turn of the event loop: 10,000 entities take some 80 ms. */
export async function indexEntitiesInTurns(
  slots: readonly SlotDeclaration[],
  inputs: Readonly<Record<string, unknown>>,
): Promise<EntityIndex> {
  const indexing = indexInPieces(slots, inputs);
  for (;;) {
    const { done, value } = indexing.next();
    if (done) return value;
    await nextTurn();
  }
}

/** Elements that are indexed in one piece, some milliseconds. */
const PIECE = 500;

function* indexInPieces(
  slots: readonly SlotDeclaration[],
  inputs: Readonly<Record<string, unknown>>,
): Generator<void, EntityIndex, void> {
  const entities: EntityList[] = [];
  const values: ValueList[] = [];
  for (const slot of slots) {
    if (slot.kind === "entity") entities.push(yield* listEntities(slot, inputs));
    if (slot.kind === "enum") values.push(yield* listValues(slot, inputs));
  }
  return { entities, values };
}

/** @returns the values at a path, through arrays; and how many elements on the way lack it */
function valuesAt(path: string, inputs: unknown): { found: unknown[]; lacking: number } {
  let found: unknown[] = [inputs];
  let lacking = 0;
  for (const name of path.split(".")) {
    const next: unknown[] = [];
    for (const value of found) {
      const member = memberOf(value, name);
      if (member === undefined) lacking++;
      else if (Array.isArray(member)) for (const element of member) next.push(element);
      else next.push(member);
    }
    found = next;
  }
  return { found, lacking };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function* listValues(slot: SlotDeclaration, inputs: unknown): Generator<void, ValueList, void> {
  const values = new Map<string, string>();
  let complete = false;
  for (const path of slot.from) {
    const { found, lacking } = valuesAt(path, inputs);
    for (const [at, value] of found.entries()) {
      if (at % PIECE === PIECE - 1) yield;
      const names = slot.keys && typeof value === "object" && value !== null ? Object.keys(value) : [value];
      for (const name of names) {
        if (typeof name === "string" && !values.has(name.toLowerCase())) values.set(name.toLowerCase(), name);
      }
    }
    if (found.length > 0 && lacking === 0 && path.includes(".")) complete = true;
  }
  const spellings = new Map(values);
  for (const [value, words] of Object.entries(slot.values)) {
    for (const word of words) if (!spellings.has(word)) spellings.set(word, value);
  }
  const near = nearIndex(() => spellings.keys(), SHORTEST_NEAR - 1);
  const spaced = [...values.keys()].some((name) => /[^\p{L}\p{N}]/u.test(name));
  return { slot, values, spaced, spellings, near, complete };
}

/** A name without marks, in lower case: "VALVE-V7" is "valvev7". */
export function keyOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** "VALVE-V7" is "A-A0". */
export function shapeOf(name: string): string {
  return name.replace(/\p{L}+/gu, "A").replace(/\p{N}+/gu, "0");
}

const MOST_SHAPED = 1000;
/** Words of a name that a message has to repeat to name it in full; a longer one is found by its words. */
const MOST_WORDS = 24;

/** The one number of an id, long enough to be hardly anything else. */
const NUMBER = /^\D*(\d{4,})\D*$/;

const LETTERS_OR_DIGITS = /\p{L}+|\p{N}+/gu;

function wordsOf(name: string): readonly string[] {
  const isPlain = /^[ -~]*$/.test(name);
  const lower = isPlain ? name.toLowerCase() : name.normalize("NFKC").toLowerCase();
  return lower.match(isPlain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

function* listEntities(slot: SlotDeclaration, inputs: unknown): Generator<void, EntityList, void> {
  const ids: string[] = [];
  const byKey = new Map<string, number[]>();
  const byWord = new Map<string, number[]>();
  const byNumber = new Map<string, number[]>();
  const firsts = new Set<string>();
  const shapes = new Set<string>();
  let longest = 1;
  const put = (map: Map<string, number[]>, key: string, position: number): void => {
    const list = map.get(key);
    if (!list) map.set(key, [position]);
    else if (list.at(-1) !== position) list.push(position);
  };
  for (const path of slot.from) {
    for (const [at, element] of valuesAt(path, inputs).found.entries()) {
      if (at % PIECE === PIECE - 1) yield;
      const id = memberOf(element, slot.id);
      if (typeof id !== "string") continue;
      const position = ids.push(id) - 1;
      // Catalogues of thousands have ids of few shapes.
      if (position < MOST_SHAPED) shapes.add(shapeOf(id));
      const number = NUMBER.exec(id)?.[1];
      if (number !== undefined) put(byNumber, number, position);
      for (const name of [id, ...slot.names.map((member) => memberOf(element, member))]) {
        if (typeof name !== "string") continue;
        const words = wordsOf(name);
        const key = words.join("");
        if (key === "") continue;
        put(byKey, key, position);
        firsts.add(words[0] ?? "");
        firsts.add(key);
        // An id may be said in its parts: "brk 9" is BRK9.
        const parts = key.match(LETTERS_OR_DIGITS) ?? [];
        if (name === id) firsts.add(parts[0] ?? "");
        const count = Math.max(words.length, name === id ? parts.length : 0);
        longest = Math.min(MOST_WORDS, Math.max(longest, count));
        for (const word of words) if (isNaming(word)) put(byWord, word, position);
      }
    }
  }
  let sorted: readonly string[] | undefined;
  const near = nearIndex(function* () {
    for (const key of byKey.keys()) if (isComparable(key)) yield key;
    for (const word of byWord.keys()) if (word.length >= SHORTEST_NEAR && !byKey.has(word)) yield word;
  }, 1);
  // Made when a message has the beginning of a name; most have none.
  return {
    slot,
    ids,
    byKey,
    byWord,
    byNumber,
    firsts,
    shapes,
    longest,
    near,
    sorted: () => (sorted ??= [...byKey.keys()].sort()),
  };
}

/** Numbers and single letters name nothing. */
function isNaming(word: string): boolean {
  const code = word.charCodeAt(0);
  if (word.length >= 3 && code >= 97 && code <= 122) return true;
  return (
    !/^\p{N}+$/u.test(word) && (word.length >= 3 || /\p{N}/u.test(word) || /[\uac00-\ud7a3]{2}/.test(word))
  );
}

/** Keys that begin with a text, at most `most` of them. */
export function keysFrom(list: EntityList, beginning: string, most: number): string[] {
  const sorted = list.sorted();
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < beginning) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let i = low; i < sorted.length && found.length < most; i++) {
    const key = sorted[i] ?? "";
    if (!key.startsWith(beginning)) break;
    found.push(key);
  }
  return found;
}
