import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, type Pair, parse, parseDocument } from "yaml";

type Entry = {
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
  if (!isMap(map) || map.flow === true)
    throw new Error(`${where} is not a mapping with a line for each entry`);
  const entries: Pair[] = map.items;
  const before = entries.find((pair) => keyOf(pair) === after) ?? entries.at(-1);
  const start = rangeOf(before?.key)?.[0];
  if (!before || start === undefined) throw new Error(`${where} is empty`);
  if (entries.some((pair) => keyOf(pair) === key)) throw new Error(`${where} has an entry ${key} already`);
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
  const at = lineEnd(text, rangeOf(before.value)?.[1] ?? start);
  const inserted = lines.map((line) => (line === "" ? "\n" : `${indent}${line}\n`)).join("");
  return checked(text, text.slice(0, at) + inserted + text.slice(at), [...path, key]);
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
