import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type Pair, parse, parseDocument } from "yaml";

export type Entry = {
  /** Names of the mappings that it is in, from the outermost. */
  readonly path: readonly string[];
  readonly key: string;
  /** The entry as it stands where `path` is not indented. */
  readonly lines: readonly string[];
  /** The entry that it follows; absent, or not there: the last one. */
  readonly after?: string | undefined;
};

/**
 * Inserts an entry into a block mapping of a YAML text. All other text stays as it is, with its comments.
 * @throws where the text is written in another way than this can handle
 */
export function insertEntry(text: string, { path, key, lines, after }: Entry): string {
  const where = path.join(".");
  const map = parseDocument(text).getIn(path, true);
  if (!isMap(map) || (map.flow === true && (lines.length > 1 || map.items.length === 0)))
    throw new Error(`${where} is not a mapping with a line for each entry`);
  const entries: Pair[] = map.items;
  const before = entries.find((pair) => keyOf(pair) === after) ?? entries.at(-1);
  const start = rangeOf(before?.key)?.[0];
  if (!before || start === undefined) throw new Error(`${where} is empty`);
  if (entries.some((pair) => keyOf(pair) === key)) throw new Error(`${where} has an entry ${key} already`);
  if (map.flow === true) {
    const end = rangeOf(before.value)?.[1] ?? start;
    return checked(text, `${text.slice(0, end)}, ${lines[0]}${text.slice(end)}`, [...path, key]);
  }
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
  const at = lineEnd(text, rangeOf(before.value)?.[1] ?? start);
  const inserted = lines.map((line) => (line === "" ? "\n" : `${indent}${line}\n`)).join("");
  return checked(text, text.slice(0, at) + inserted + text.slice(at), [...path, key]);
}

/** Inserts an entry; a text that lacks the mapping gets it at its end. @throws as `insertEntry` */
export function addEntry(text: string, entry: Entry): string {
  if (parseDocument(text).hasIn(entry.path)) return insertEntry(text, entry);
  const [section = "", ...within] = entry.path;
  if (within.length > 0 && parseDocument(text).has(section))
    throw new Error(`${section} has no ${within.join(".")}`);
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  return checked(text, ended + blockOf(entry), [section]);
}

/**
 * Removes an entry that was added, and the mapping where it was added for it.
 * @throws where it is not there, or not as it was added
 */
export function removeEntry(text: string, entry: Entry): string {
  const { path, key, lines } = entry;
  const where = [...path, key].join(".");
  const map = parseDocument(text).getIn(path, true);
  const pair = isMap(map) ? map.items.find((one) => keyOf(one) === key) : undefined;
  const start = rangeOf(pair?.key)?.[0];
  if (!isMap(map) || start === undefined) throw new Error(`There is no ${where}.`);
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const [at, added] =
    map.flow === true
      ? [start - 2, `, ${lines[0]}`]
      : [line, lines.map((one) => `${" ".repeat(start - line)}${one}\n`).join("")];
  if (!text.startsWith(added, at)) throw new Error(`${where} is not as it was made.`);
  const block = blockOf(entry);
  const isAlone = map.items.length === 1 && text.slice(0, at + added.length).endsWith(block);
  const from = isAlone ? at + added.length - block.length : at;
  return checked(
    text,
    text.slice(0, from) + text.slice(at + added.length),
    isAlone ? path.slice(0, 1) : [...path, key],
  );
}

/** The mapping of an entry that has no other, at the end of a text. */
function blockOf({ path, lines }: Entry): string {
  const heads = path.map((name, depth) => `${"  ".repeat(depth)}${name}:`);
  const indent = "  ".repeat(path.length);
  return `\n${[...heads, ...lines.map((line) => indent + line)].join("\n")}\n`;
}

/** Appends to a text that stands in one line, such as a list of names. */
export function appendToText(text: string, path: readonly string[], addition: string): string {
  const scalar = parseDocument(text).getIn(path, true);
  const end = rangeOf(scalar)?.[1];
  if (!isScalar(scalar) || typeof scalar.value !== "string" || end === undefined)
    throw new Error(`${path.join(".")} is not a text`);
  const at = /^QUOTE/.test(scalar.type ?? "") ? end - 1 : end;
  return checked(text, text.slice(0, at) + addition + text.slice(at), path);
}

/** Appends an item to a list with a line for each. @throws where it is written in another way, or has the item */
export function insertItem(text: string, path: readonly string[], item: string): string {
  const items = itemsOf(text, path);
  const last = items.at(-1);
  if (!last) throw new Error(`${path.join(".")} is empty`);
  if (items.some(({ value }) => value === item)) throw new Error(`${path.join(".")} has ${item} already`);
  const at = text.lastIndexOf("\n", last.start) + 1;
  const end = lineEnd(text, last.start);
  const before = text.slice(at, last.start);
  return checked(text, `${text.slice(0, end)}${before}${item}\n${text.slice(end)}`, path);
}

/** Removes the line of an item. @throws where it is not there */
export function removeItem(text: string, path: readonly string[], item: string): string {
  const found = itemsOf(text, path).find(({ value }) => value === item);
  if (!found) throw new Error(`${path.join(".")} has no ${item}`);
  const at = text.lastIndexOf("\n", found.start) + 1;
  return checked(text, text.slice(0, at) + text.slice(lineEnd(text, found.start)), path);
}

function itemsOf(text: string, path: readonly string[]): { value: unknown; start: number }[] {
  const list = parseDocument(text).getIn(path, true);
  if (!isSeq(list) || list.flow === true)
    throw new Error(`${path.join(".")} is not a list with a line for each item`);
  return list.items.flatMap((item) => {
    const start = rangeOf(item)?.[0];
    return isScalar(item) && start !== undefined ? [{ value: item.value, start }] : [];
  });
}

/** Checks that nothing differs but what is at a path. */
function checked(before: string, after: string, path: readonly string[]): string {
  if (isDeepStrictEqual(without(before, path), without(after, path))) return after;
  throw new Error(`${path.join(".")} cannot be written without changing something else`);
}

function without(text: string, path: readonly string[]): unknown {
  const document = parseDocument(text);
  document.deleteIn(path);
  return parse(document.toString());
}

function keyOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : undefined;
}

function rangeOf(node: unknown): readonly number[] | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  return Array.isArray(node.range) ? node.range : undefined;
}

/** Where the line ends that has this place; the blank lines that a block of text may end with do not count. */
function lineEnd(text: string, place: number): number {
  const end = text[place - 1] === "\n" ? place - 1 : text.indexOf("\n", place);
  if (end < 0) throw new Error("the text does not end with a line's end");
  return text.slice(0, end).trimEnd().length + 1;
}
