import type { InPieces } from "./turns.ts";

/** White space of JSON is this or below, and nothing else outside of a string is. */
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENS = 0x7b;
const CLOSES = 0x7d;
/** Makes a square bracket the curly one. */
const CURLY = 0x20;

/** From and to, as String.slice takes them. */
export type Span = readonly [from: number, to: number];

/** How an object or a list is written. */
export type Members = {
  /** Where an object's members have their values, without the space around them. Of members with the same name the last counts. */
  spans: ReadonlyMap<string, Span>;
  /** Elements of a list. */
  elements: number;
  /** Levels of arrays and objects, its own included. */
  depth: number;
};

/** Characters that are scanned between two pauses. */
const PIECE = 256 * 1024;

/** Looks through the JSON text of an object or a list, which has to be valid. It takes a fraction of the time of parsing the text. */
export function* findMembers(json: string): InPieces<Members> {
  const spans = new Map<string, Span>();
  const isObject = json.trimStart().startsWith("{");
  let [depth, deepest, commas, from, pause] = [0, 0, 0, 0, PIECE];
  let isEmpty = true;
  let name: string | undefined;
  for (let at = 0; at < json.length; at++) {
    if (at >= pause) {
      pause = at + PIECE;
      yield;
    }
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = endOfString(json, start);
      isEmpty = false;
      if (isObject && depth === 1 && name === undefined) name = String(JSON.parse(json.slice(start, at + 1)));
    } else if ((code | CURLY) === OPENS) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (depth > 1) isEmpty = false;
    } else if ((code | CURLY) === CLOSES) {
      if (depth === 1 && name !== undefined) spans.set(name, trimmed(json, from, at));
      depth--;
    } else if (depth === 1 && code > SPACE) {
      isEmpty = false;
      if (code === COLON && isObject) from = at + 1;
      else if (code === COMMA) {
        commas++;
        if (name !== undefined) spans.set(name, trimmed(json, from, at));
        name = undefined;
      }
    }
  }
  return { spans, elements: isObject || isEmpty ? 0 : commas + 1, depth: deepest };
}

function trimmed(json: string, from: number, to: number): Span {
  let [start, end] = [from, to];
  while (json.charCodeAt(start) <= SPACE) start++;
  while (json.charCodeAt(end - 1) <= SPACE) end--;
  return [start, end];
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}
