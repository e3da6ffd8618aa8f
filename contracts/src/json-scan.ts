const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SQUARE = 0x5b;
const SQUARE_END = 0x5d;
const CURLY = 0x7b;
const CURLY_END = 0x7d;

export type JsonLimits = {
  /** Levels of arrays and objects. */
  readonly maxDepth: number;
  /** Elements and members, of all levels together. */
  readonly maxValues: number;
  /** Members of one object. Looking one up by its name is fast, but listing them and copying the object is not. */
  readonly maxMembers?: number;
  /** Bytes of a member's name. */
  readonly maxNameBytes?: number;
  /** Bytes of a string. */
  readonly maxTextBytes?: number;
  /** Bytes between two brackets, strings, commas or colons: blanks, or the digits of a number. */
  readonly maxGapBytes?: number;
};

/** Which limit a text is over. */
export type JsonExcess =
  | "too_deep"
  | "too_many_values"
  | "too_many_members"
  | "long_name"
  | "long_text"
  | "long_gap";

/**
 * Looks at the structure of a JSON text before anything is built from it: how deep it nests, how many values it has, and where its
 * large arrays and objects end. It takes text that is not JSON, too: finding the mistake is left to the parser. One pass, a few
 * nanoseconds for each byte.
 */
export class JsonScan {
  /** Where each array or object that is longer than `large` bytes has its closing bracket, by where it opens. */
  readonly ends = new Map<number, number>();
  /** The same for strings, and their closing quotes. */
  readonly strings = new Map<number, number>();
  readonly #limits: Required<JsonLimits>;
  readonly #large: number;
  readonly #open: number[] = [];
  /** Commas of the innermost object so far. Those of an array are not counted: it stays below every limit. */
  #commas = Number.NEGATIVE_INFINITY;
  readonly #commasAround: number[] = [];
  #values = 0;
  #at = 0;
  /** Where the string begins that is being looked at. */
  #string: number | undefined;
  /** Bytes of the last string: a colon behind it says that it is a name. */
  #textBytes = 0;
  /** Where the last bracket, string, comma or colon ends. */
  #gap = 0;

  /** @param large bytes from which on the end of a value is noted */
  constructor(limits: JsonLimits, large = Number.POSITIVE_INFINITY) {
    const none = Number.POSITIVE_INFINITY;
    this.#limits = { maxMembers: none, maxNameBytes: none, maxTextBytes: none, maxGapBytes: none, ...limits };
    this.#large = large;
  }

  /** Looks at the text as far as `to`. @returns the first limit that it is over */
  advance(bytes: Uint8Array, to: number): JsonExcess | undefined {
    const { maxMembers, maxNameBytes, maxGapBytes, maxTextBytes } = this.#limits;
    let at = this.#at;
    while (at < to) {
      if (this.#string !== undefined) {
        at = this.#throughString(bytes, at, this.#string, to);
        if (this.#textBytes > maxTextBytes) return "long_text";
        continue;
      }
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) this.#string = at - 1;
      else if (byte === COMMA) {
        this.#values += 1;
        this.#commas += 1;
        if (this.#commas >= maxMembers) return "too_many_members";
      } else if (byte === COLON) {
        if (this.#textBytes > maxNameBytes) return "long_name";
      } else if (byte === SQUARE || byte === CURLY) this.#openAt(at - 1, byte);
      else if (byte === SQUARE_END || byte === CURLY_END) this.#closeAt(at - 1);
      else continue;
      if (this.#open.length > this.#limits.maxDepth) return "too_deep";
      if (this.#values > this.#limits.maxValues) return "too_many_values";
      if (at - 1 - this.#gap > maxGapBytes) return "long_gap";
      this.#gap = at;
    }
    this.#at = at;
    return undefined;
  }

  /** Whether the text so far ends within a string. */
  get isInString(): boolean {
    return this.#string !== undefined;
  }

  #openAt(at: number, bracket: number): void {
    this.#open.push(at);
    this.#commasAround.push(this.#commas);
    this.#commas = bracket === CURLY ? 0 : Number.NEGATIVE_INFINITY;
    this.#values += 1;
  }

  #closeAt(at: number): void {
    const start = this.#open.pop();
    this.#commas = this.#commasAround.pop() ?? Number.NEGATIVE_INFINITY;
    if (start !== undefined && at - start > this.#large) this.ends.set(start, at);
  }

  /** @returns the place behind the string, or `to` where it goes on */
  #throughString(bytes: Uint8Array, from: number, start: number, to: number): number {
    let at = from;
    while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.#textBytes = at - start - 1;
    if (at >= to) return at;
    if (at - start > this.#large) this.strings.set(start, at);
    this.#string = undefined;
    this.#gap = at + 1;
    return at + 1;
  }
}

/** @returns the place after the string that begins at `start`; the end of the text where nothing closes it */
export function afterString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return bytes.length;
}

export function opens(byte: number | undefined): boolean {
  return byte === SQUARE || byte === CURLY;
}

export function closes(byte: number | undefined): boolean {
  return byte === SQUARE_END || byte === CURLY_END;
}
