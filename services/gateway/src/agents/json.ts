import { Defect } from "./defect.ts";

export type JsonObject = Record<string, unknown>;

/** Beyond any sane answer, and far below where a recursive writer overflows its stack. */
const MAX_DEPTH = 512;

const QUOTE = 34;
const BACKSLASH = 92;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Throws a Defect (`bad_json`, `too_deep`, `not_an_object`), never the parser's own error: that quotes the text.
 * A member named `__proto__` becomes an own property as JSON.parse makes it; nothing here merges objects.
 */
export const parseObject = (text: string): JsonObject => {
  if (text.length > 2 * MAX_DEPTH && isDeep(text)) throw new Defect("too_deep");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Defect("bad_json");
  }
  if (!isObject(value)) throw new Defect("not_an_object");
  return value;
};

/** JSON.parse takes any depth, but what writes, checks or maps the value later is recursive. */
const isDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at === -1) return false;
      // `[` and `{` differ from `]` and `}` by 2, and from each other by 32.
    } else if ((code & ~32) === 91) {
      if (++depth > MAX_DEPTH) return true;
    } else if ((code & ~32) === 93) depth--;
  }
  return false;
};

/** -1 in a text that no parser will take either. */
const closingQuote = (text: string, open: number): number => {
  let at = text.indexOf('"', open + 1);
  while (at !== -1) {
    let slash = at;
    while (text.charCodeAt(slash - 1) === BACKSLASH) slash--;
    if ((at - slash) % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return -1;
};
