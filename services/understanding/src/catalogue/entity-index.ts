import { setImmediate as nextTurn } from "node:timers/promises";
import { americanOf } from "../text/american.ts";
import { isOfCalendar, withShortNames } from "../text/short-names.ts";
import type { SlotDeclaration } from "./declarations.ts";
import { isComparable, type NearIndex, nearIndex, nearIndexInPieces, SHORTEST_NEAR } from "./near-index.ts";
import { sortedInPieces } from "./sort-in-pieces.ts";
import { type SoundIndex, soundIndex } from "./sound-index.ts";

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
  /** Words of names by how they sound. */
  sounds: SoundIndex;
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
  sounds: SoundIndex;
  /** Every element has a value, so that one that is not among them selects nothing. */
  complete: boolean;
};

/** What a reader knows of the inputs: a list for each slot of entities, and for each enum. Made once for each inputs. */
export type EntityIndex = {
  entities: readonly EntityList[];
  values: readonly ValueList[];
  /** The currency of all amounts of money of the inputs, as an ISO code, where they name one as `currency`. */
  currency?: string;
};

/** Whether a word is one of a name in the inputs, or one of their values. */
export function namesOf({ entities, values }: EntityIndex): (word: string) => boolean {
  return (word) =>
    entities.some(({ byWord, byKey }) => byWord.has(word) || byKey.has(word)) ||
    values.some((list) => list.values.has(word));
}

/** Entities of one slot, such as the items of a catalogue. */
const MOST_ENTITIES = 100_000;
/** Different values of one slot, such as regions. */
const MOST_VALUES = 10_000;
/** Characters of an id, a name or a value. A message has some thousand, and a text of combining marks alone takes their square. */
const LONGEST_NAME = 1_000;

/** Inputs that nobody can speak of: they have too many names, or too long ones. The message names no value of theirs. */
export class UnspeakableInputs extends Error {}

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

/**
 * Like {@link indexEntities}, a piece per turn of the event loop: 10,000 entities take some 80 ms.
 * @throws UnspeakableInputs
 */
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
  const currency = memberOf(inputs, "currency");
  const isCode = typeof currency === "string" && /^[A-Z]{3}$/.test(currency);
  return { entities, values, ...(isCode ? { currency } : {}) };
}

/** Characters that are indexed in one turn of the event loop, some milliseconds. */
const TURN = 16_000;

/** Says when work has cost enough for one turn. */
class Turns {
  #left = TURN;

  /** @param cost in characters, about */
  isOver(cost: number): boolean {
    this.#left -= cost;
    if (this.#left > 0) return false;
    this.#left = TURN;
    return true;
  }
}

/** What looking at an element costs, whatever it is, in characters. */
const ELEMENT = 16;

/** What is at a path, through arrays, one after the other. @returns whether all elements on the way have it */
function* valuesAt(path: readonly string[], from: unknown): Generator<unknown, boolean> {
  const [name, ...rest] = path;
  if (name === undefined) {
    yield from;
    return true;
  }
  const member = memberOf(from, name);
  // So that whoever counts what comes counts this, too.
  yield undefined;
  if (member === undefined) return false;
  if (!Array.isArray(member)) return yield* valuesAt(rest, member);
  let complete = true;
  for (const element of member) if (!(yield* valuesAt(rest, element))) complete = false;
  return complete;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** @throws UnspeakableInputs for one that is too long */
function refuseLong(name: string, member: string): void {
  if (name.length > LONGEST_NAME)
    throw new UnspeakableInputs(`One "${member}" of the inputs is longer than ${LONGEST_NAME} characters.`);
}

function* listValues(slot: SlotDeclaration, inputs: unknown): Generator<void, ValueList, void> {
  const values = new Map<string, string>();
  const turns = new Turns();
  let complete = false;
  let spaced = false;
  for (const path of slot.from) {
    const found = valuesAt(path.split("."), inputs);
    let next = found.next();
    let isAny = false;
    for (; !next.done; next = found.next()) {
      const value = next.value;
      if (turns.isOver(ELEMENT)) yield;
      if (value === undefined) continue;
      isAny = true;
      const names = slot.keys && typeof value === "object" && value !== null ? Object.keys(value) : [value];
      for (const name of names) {
        if (typeof name !== "string") continue;
        refuseLong(name, slot.name);
        if (turns.isOver(ELEMENT + name.length)) yield;
        const lower = name.toLowerCase();
        if (values.has(lower)) continue;
        values.set(lower, name);
        spaced ||= /[^\p{L}\p{N}]/u.test(lower);
        if (values.size > MOST_VALUES)
          throw new UnspeakableInputs(`The inputs have more than ${MOST_VALUES} different "${slot.name}".`);
      }
    }
    if (isAny && next.value === true && path.includes(".")) complete = true;
  }
  const spellings = new Map(values);
  for (const [value, words] of Object.entries(slot.values)) {
    for (const word of withShortNames(value, words)) if (!spellings.has(word)) spellings.set(word, value);
  }
  const near = nearIndex(() => spellings.keys(), SHORTEST_NEAR - 1);
  // A Friday or a morning is called by its Korean name; other words sound like it by chance.
  const foreign = (): string[] => [...spellings.keys()].filter((word) => !isOfCalendar(word));
  const sounds = soundIndex(foreign, slot.nouns);
  return { slot, values, spaced, spellings, near, sounds, complete };
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

/** Keys and words that may be put in order within one turn of the event loop. */
const MOST_AT_ONCE = 5_000;
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
  /** Names by their initials: VM for "virtual machines". */
  const initials = new Map<string, number[]>();
  const firsts = new Set<string>();
  const shapes = new Set<string>();
  let longest = 1;
  const put = (map: Map<string, number[]>, key: string, position: number): void => {
    const list = map.get(key);
    if (!list) map.set(key, [position]);
    else if (list.at(-1) !== position) list.push(position);
  };
  const turns = new Turns();
  for (const path of slot.from) {
    for (const element of valuesAt(path.split("."), inputs)) {
      if (turns.isOver(ELEMENT)) yield;
      const id = memberOf(element, slot.id);
      if (typeof id !== "string") continue;
      refuseLong(id, slot.id);
      const position = ids.push(id) - 1;
      if (ids.length > MOST_ENTITIES)
        throw new UnspeakableInputs(`The inputs have more than ${MOST_ENTITIES} of "${slot.name}".`);
      // Catalogues of thousands have ids of few shapes.
      if (position < MOST_SHAPED) shapes.add(shapeOf(id));
      const number = NUMBER.exec(id)?.[1];
      if (number !== undefined) put(byNumber, number, position);
      for (const name of [id, ...slot.names.map((member) => memberOf(element, member))]) {
        if (typeof name !== "string") continue;
        refuseLong(name, slot.name);
        if (turns.isOver(ELEMENT + name.length)) yield;
        const words = wordsOf(name);
        const key = words.join("");
        if (key === "") continue;
        put(byKey, key, position);
        const short = words.length > 1 && words.length <= MOST_INITIALS ? initialsOf(words) : "";
        if (short !== "") put(initials, short, position);
        firsts.add(words[0] ?? "");
        firsts.add(key);
        // An id may be said in its parts: "brk 9" is BRK9.
        const parts = key.match(LETTERS_OR_DIGITS) ?? [];
        if (name === id) firsts.add(parts[0] ?? "");
        const count = Math.max(words.length, name === id ? parts.length : 0);
        longest = Math.min(MOST_WORDS, Math.max(longest, count));
        for (const word of words) {
          if (isNaming(word)) put(byWord, word, position);
          const american = americanOf(word);
          if (american !== word) put(byWord, american, position);
        }
      }
    }
  }
  for (const [short, positions] of initials) {
    if (positions.length > 1 || byKey.has(short) || byWord.has(short)) continue;
    for (const form of [short, `${short}s`]) {
      byKey.set(form, positions);
      firsts.add(form);
    }
  }
  const keys = function* () {
    for (const key of byKey.keys()) if (isComparable(key)) yield key;
    for (const word of byWord.keys()) if (word.length >= SHORTEST_NEAR && !byKey.has(word)) yield word;
  };
  // Of a small list they are made when a message has a misspelt name or the beginning of one; most have none.
  const isLarge = byKey.size + byWord.size > MOST_AT_ONCE;
  const near = isLarge ? yield* nearIndexInPieces(keys(), 1) : nearIndex(keys, 1);
  let sorted: readonly string[] | undefined = isLarge ? yield* sortedInPieces([...byKey.keys()]) : undefined;
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
    sounds: soundIndex(() => byWord.keys(), slot.nouns),
    sorted: () => (sorted ??= [...byKey.keys()].sort()),
  };
}

/** Names of more words have initials that nobody knows. */
const MOST_INITIALS = 4;
/** Initials that are something else: units, ordinals, titles and what people write in haste. */
const OTHER_INITIALS =
  /^(?:bp|pp|mn|bn|kg|km|cm|mm|ml|kw|kb|mb|gb|tb|hr|vs|pc|tv|st|nd|rd|th|mr|mrs|ms|dr|nr|wk|yr|pls|plz|thx|btw|cd|pm)$/;

/** One with a vowel may be a word. */
function initialsOf(words: readonly string[]): string {
  const short = words.map((word) => word[0]).join("");
  return /^[b-df-hj-np-tv-z]{2,}$/.test(short) && !OTHER_INITIALS.test(short) ? short : "";
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

/** All that a selecting slot can select, in the order of the inputs. */
export function valuesOf({ entities, values }: EntityIndex, slot: SlotDeclaration): readonly string[] {
  const list = entities.find((one) => one.slot === slot);
  return list?.ids ?? [...(values.find((one) => one.slot === slot)?.values.values() ?? [])];
}
