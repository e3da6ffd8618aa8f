import { GatewayError } from "../errors.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

export type JsonLimits = {
  /** Levels of arrays and objects. */
  maxDepth: number;
  /** Elements and members, of all levels together. */
  maxValues: number;
};

/**
 * Looks at the structure of a JSON text before anything is built from it: how deep it nests, how many values it has, and where its
 * large arrays and objects end. It takes text that is not JSON, too: finding the mistake is left to the parser.
 */
export class JsonScan {
  /** Where each array or object that is longer than `large` bytes has its closing bracket, by where it opens. */
  readonly ends = new Map<number, number>();
  /** The same for strings, and their closing quotes. */
  readonly strings = new Map<number, number>();
  readonly #limits: JsonLimits;
  readonly #large: number;
  readonly #open: number[] = [];
  #values = 0;
  #at = 0;
  /** Where the string begins that is being looked at. */
  #string: number | undefined;

  constructor(limits: JsonLimits, large: number) {
    this.#limits = limits;
    this.#large = large;
  }

  /**
   * Looks at the text as far as `to`.
   * @throws GatewayError invalid_request for a text over the limits
   */
  advance(bytes: Uint8Array, to: number): void {
    while (this.#at < to) {
      if (this.#string !== undefined) {
        this.#throughString(bytes, this.#string, to);
        continue;
      }
      const byte = bytes[this.#at];
      if (byte === QUOTE) this.#string = this.#at;
      else if (byte === COMMA) this.#count();
      else if (opens(byte)) {
        this.#open.push(this.#at);
        this.#count();
        if (this.#open.length > this.#limits.maxDepth)
          throw new GatewayError("invalid_request", "The body is nested too deeply.");
      } else if (closes(byte)) {
        const start = this.#open.pop();
        if (start !== undefined && this.#at - start > this.#large) this.ends.set(start, this.#at);
      }
      this.#at += 1;
    }
  }

  /** Whether the text so far ends within a string. */
  get isInString(): boolean {
    return this.#string !== undefined;
  }

  #throughString(bytes: Uint8Array, start: number, to: number): void {
    let at = this.#at;
    while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at < to) {
      if (at - start > this.#large) this.strings.set(start, at);
      this.#string = undefined;
      at += 1;
    }
    this.#at = at;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues)
      throw new GatewayError("invalid_request", "The body has too many values.");
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
  return byte === 0x5b || byte === 0x7b;
}

export function closes(byte: number | undefined): boolean {
  return byte === 0x5d || byte === 0x7d;
}
