import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * A large JSON value that stays text, since parsing and writing it would hold the event loop. It goes as it is into journals, into
 * requests to agents and to the processes that look into large values.
 */
export class JsonText {
  readonly text: string;
  readonly #names: readonly string[] | undefined;
  #read: object | undefined;

  /**
   * @param names of an object's members, where they are known
   * @param read the object, where the text was read already
   */
  constructor(text: string, names?: readonly string[], read?: object) {
    this.text = text;
    this.#names = names;
    this.#read = read;
  }

  /** The object, where the text was read already. It is given away once, since it takes several times the memory of the text. */
  take(): object | undefined {
    const read = this.#read;
    this.#read = undefined;
    return read;
  }

  /** The names of an object's members. */
  get names(): readonly string[] {
    return this.#names ?? Object.keys(Object(this.value));
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }

  /** For JSON.stringify: right everywhere, but slow. */
  toJSON(): unknown {
    return this.value;
  }
}

/** A longer text is encoded in pieces. */
export const LARGE_TEXT = 256 * 1024;

/**
 * Encodes texts as UTF-8, one after another, a piece per turn of the event loop, for sockets: they would encode all of it at once. A large
 * text that is put together from others is better passed as these: to take a piece of it, V8 would copy all of it first.
 */
export async function utf8InPieces(...texts: readonly string[]): Promise<Buffer> {
  let size = 0;
  for (const text of texts) {
    // V8 copies a text that was put together, and it was put together just now.
    if (text.length > LARGE_TEXT) await nextTurn();
    size += Buffer.byteLength(text);
  }
  const bytes = Buffer.allocUnsafe(size);
  let written = 0;
  for (const text of texts) {
    for (let from = 0; from < text.length; ) {
      await nextTurn();
      let to = Math.min(from + LARGE_TEXT, text.length);
      // The two halves of a character beyond the basic plane stay together.
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
      written += bytes.write(text.slice(from, to), written);
      from = to;
    }
  }
  return bytes;
}

/** Decodes valid UTF-8, a piece per turn of the event loop. */
export async function textInPieces(bytes: Buffer): Promise<string> {
  let text = "";
  for (let from = 0; from < bytes.length; ) {
    await nextTurn();
    let to = Math.min(from + LARGE_TEXT, bytes.length);
    // The bytes of a character stay together.
    while (isContinuation(bytes[to])) to--;
    text += bytes.toString("utf8", from, to);
    from = to;
  }
  return text;
}

/** For sockets: short texts as one text, large ones as bytes. */
export function encoded(...texts: readonly string[]): string | Promise<Buffer> {
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  return size <= LARGE_TEXT ? texts.join("") : utf8InPieces(...texts);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** The value itself, wherever it may be text. */
export function plainValue(value: unknown): unknown {
  return value instanceof JsonText ? value.value : value;
}

/** JSON.stringify for an object, some of whose members may be text already. */
export function writeJson(members: Readonly<Record<string, unknown>>): string {
  // Put together without a copy of a large text, which V8 makes once, where the whole is read.
  let written = "";
  for (const [name, member] of Object.entries(members)) {
    const text = member instanceof JsonText ? member.text : JSON.stringify(member);
    if (text !== undefined) written += `${written === "" ? "" : ","}${JSON.stringify(name)}:${text}`;
  }
  return `{${written}}`;
}

/** JSON.stringify for a value, any part of which may be text already. */
export function jsonOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (!hasText(value)) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(",")}]`;
  const members = Object.entries(Object(value)).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(",")}}`;
}

function hasText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof JsonText || Object.values(value).some(hasText);
}

/** Characters of a string that cost about as much as one value. */
const CHARACTERS = 16;

/** Subtracts the number of values within a value, and stops below zero: the cost of counting is bounded by `left`. */
export function lessSizeOf(value: unknown, left: number): number {
  if (value instanceof JsonText) return -1;
  let rest = left - 1;
  if (typeof value === "string") return rest - value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return rest;
  for (const name in value) {
    if (rest < 0) return rest;
    rest = lessSizeOf(Reflect.get(value, name), rest);
  }
  return rest;
}
