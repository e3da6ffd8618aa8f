import { setImmediate as nextTurn } from "node:timers/promises";
import { JsonText } from "../../json-text.ts";
import type { Figure } from "../../language/index.ts";
import type { StepResult } from "../../store/index.ts";
import { nameOf, type Row, rowsOf, signed } from "./rows.ts";

/** Where the results have a number. */
export type Place = {
  /** The names of the members on the way, as words in lower case: `[["items"], ["tiers"], ["new"], ["current", "price"]]`. */
  keys: readonly (readonly string[])[];
  /** All that the number may be said to be of: the words of the keys, and the ids of the records on the way. */
  words: ReadonlySet<string>;
};

/** A row of the template whose numbers the results have under the row's names. */
export type Fact = Omit<Row, "names"> & {
  /** What a sentence has to say to mean this row. */
  words: readonly string[];
  places: { from: readonly Place[]; to: readonly Place[] };
};

/** Characters of results, and values in them: reading more would hold the event loop. */
const MOST_TEXT = 512 * 1024;
const MOST_VALUES = 20_000;
const IN_ONE_TURN = 2_000;
/** Numbers with rows that are called alike. */
const MOST_COMPARED = 200_000;
const DEEPEST = 40;

/** The member of a record with what it is called. */
const ID = /(?:^|_)(?:id|name|key|sku|code)$|[a-z](?:Id|Name|Key|Sku|Code)$/u;

/**
 * What may be said of results: what the template shows of them in a row, and they have under the same names. Nothing where there are too
 * many, since what is not looked at could say otherwise.
 */
export async function factsOf(
  report: string,
  results: Readonly<Record<string, StepResult>>,
): Promise<Fact[]> {
  const rows = await rowsOf(report);
  if (rows.length === 0) return [];
  const values = Object.values(results).flatMap(({ outputs, kept }) => [outputs, kept]);
  const text = values.reduce<number>((sum, one) => sum + (one instanceof JsonText ? one.text.length : 0), 0);
  if (text > MOST_TEXT) return [];
  const found = await numbersIn(values);
  if (!found) return [];
  const sayable = (name: string) => (found.ids.has(name) ? [name] : name.split(/[\s_]+/u));
  const facts = rows.map((row) => ({ ...row, words: row.names.flatMap(sayable), places: noPlaces() }));
  const byWord = Map.groupBy(facts, ({ words: [first = ""] }) => first);
  let compared = 0;
  for (const { keys, ids, value } of found.numbers) {
    // An id that is called like a member could pass for what is measured.
    const called = [...ids.filter((id) => !found.keyWords.has(id)), ...keys.flat()];
    const near = called.flatMap((word) => byWord.get(word) ?? []);
    const before = compared;
    compared += 1 + near.length;
    if (compared > MOST_COMPARED) return [];
    if (Math.floor(compared / IN_ONE_TURN) > Math.floor(before / IN_ONE_TURN)) await nextTurn();
    if (near.length === 0) continue;
    const words = new Set(called);
    for (const { words: said, from, to, places } of near) {
      if (!said.every((word) => words.has(word))) continue;
      if (shows(to, value)) places.to.push({ keys, words });
      if (from && shows(from, value)) places.from.push({ keys, words });
    }
  }
  return facts.filter(({ from, places }) => places.to.length > 0 && (!from || places.from.length > 0));
}

const noPlaces = (): { from: Place[]; to: Place[] } => ({ from: [], to: [] });

type Way = { keys: readonly (readonly string[])[]; ids: readonly string[]; depth: number };
type Found = {
  numbers: (Pick<Way, "keys" | "ids"> & { value: number })[];
  /** What the keys on their ways are made of. */
  keyWords: ReadonlySet<string>;
  /** What records are called. An id is said as a whole: a part of "Safe Valve" would be a claim. */
  ids: ReadonlySet<string>;
};

/** @returns undefined where there is too much to look at */
async function numbersIn(values: readonly unknown[]): Promise<Found | undefined> {
  const found = { numbers: [] as Found["numbers"], keyWords: new Set<string>(), ids: new Set<string>() };
  const known = new Map<string, string[]>();
  const wordsOf = (key: string): string[] => {
    const words = known.get(key) ?? wordsOfKey(key);
    known.set(key, words);
    return words;
  };
  const left = values.map((value): [unknown, Way] => [
    value instanceof JsonText ? value.value : value,
    { keys: [], ids: [], depth: 0 },
  ]);
  for (let seen = 1; ; seen++) {
    const next = left.pop();
    if (!next) return found;
    const [value, { keys, ids, depth }] = next;
    if (seen + left.length > MOST_VALUES || depth > DEEPEST) return undefined;
    if (seen % IN_ONE_TURN === 0) await nextTurn();
    if (typeof value === "number") {
      found.numbers.push({ keys, ids, value });
      for (const word of keys.flat()) found.keyWords.add(word);
    }
    if (typeof value !== "object" || value === null) continue;
    const within = { keys, ids, depth: depth + 1 };
    const members = Object.entries(value);
    if (seen + left.length + members.length > MOST_VALUES) return undefined;
    if (Array.isArray(value)) {
      for (const one of value) left.push([one, within]);
      continue;
    }
    const own = members.flatMap(([key, member]) =>
      typeof member === "string" && ID.test(key) ? [nameOf(member)] : [],
    );
    for (const id of own) found.ids.add(id);
    if (own.length > 0) within.ids = [...ids, ...own];
    for (const [key, member] of members) left.push([member, { ...within, keys: [...keys, wordsOf(key)] }]);
  }
}

/** `current_price` and `currentPrice` are two words; `VALVE-V7` is one. */
function wordsOfKey(key: string): string[] {
  if (/\d/u.test(key)) return [nameOf(key)];
  return key
    .replace(/(?<=[a-z])(?=[A-Z])/gu, "_")
    .split(/[\s_]+/u)
    .filter((word) => word !== "")
    .map(nameOf);
}

/** Whether the number is displayed like that. */
function shows(figure: Figure, value: number): boolean {
  const printed = figure.unit === "%" ? 100 * value : value;
  return Math.abs(printed - signed(figure)) <= figure.step / 2 + 1e-9 * Math.abs(printed);
}
