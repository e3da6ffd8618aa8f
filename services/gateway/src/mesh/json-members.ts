const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** From and to, as String.slice takes them. */
export type Span = readonly [from: number, to: number];

export function sizeOf([from, to]: Span): number {
  return to - from;
}

/** Where the values of an object's members are in its JSON text, which has to be valid. Of members with the same name the last counts. */
export function memberSpans(json: string): Map<string, Span> {
  const spans = new Map<string, Span>();
  let depth = 0;
  let name: string | undefined;
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1 && name === undefined) name = String(JSON.parse(json.slice(at, end + 1)));
      at = end;
    } else if (OPENING.includes(code)) depth++;
    else if (depth === 1 && code === COLON) from = at + 1;
    else if (CLOSING.includes(code) || (depth === 1 && code === COMMA)) {
      if (depth === 1 && name !== undefined) {
        spans.set(name, [from, at]);
        name = undefined;
      }
      if (code !== COMMA) depth--;
    }
  }
  return spans;
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
