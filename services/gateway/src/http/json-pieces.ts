import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterString, closes, type JsonLimits, JsonScan, opens } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { JsonText, textInPieces } from "../json-text.ts";
import { excessError } from "./body-limits.ts";

/** Bytes that are parsed in one turn of the event loop. The costliest text of this length, all new names, takes about 10 ms. */
export const PIECE_BYTES = 64 * 1024;

/** Bytes that are scanned before yielding to the event loop. */
const SCAN_BYTES = 512 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;

/** An entry between two commas: its bounds, and the large array or object in it. */
type Entry = { start: number; end: number; large?: number | undefined };

/** What stays text where it is a large object: the whole body, or the members of it that are named. Those can be taken as values, too. */
export type AsText = "body" | readonly string[];

/**
 * Reads a JSON text like JSON.parse, but a piece per turn of the event loop, so that other requests are served meanwhile. A worker thread
 * would not help: taking over the value from it costs the loop as much as parsing the text.
 * @param asText is checked like the rest, and kept as JsonText
 * @throws GatewayError invalid_json; invalid_request for a text over the limits
 */
export async function parseInPieces(
  bytes: Buffer,
  limits: JsonLimits,
  { asText = [], pieceBytes = PIECE_BYTES }: { asText?: AsText | undefined; pieceBytes?: number } = {},
): Promise<unknown> {
  if (!isUtf8(bytes)) throw new GatewayError("invalid_json");
  const scan = new JsonScan(limits, pieceBytes);
  for (let to = SCAN_BYTES; to < bytes.length + SCAN_BYTES; to += SCAN_BYTES) {
    const excess = scan.advance(bytes, Math.min(to, bytes.length));
    if (excess) throw excessError(excess);
    await nextTurn();
  }
  if (scan.isInString) throw new GatewayError("invalid_json");
  const pieces = new Pieces(bytes, scan, pieceBytes);
  if (asText === "body") return await pieces.text(0, bytes.length);
  return await pieces.value(0, bytes.length, asText);
}

/** Large arrays and objects are put together from pieces of consecutive entries; JSON.parse reads the pieces. */
class Pieces {
  readonly #bytes: Buffer;
  readonly #scan: Pick<JsonScan, "ends" | "strings">;
  readonly #pieceBytes: number;
  /** Whether the pieces are only checked: the values that they hold are dropped, but for the names of members. */
  readonly #checks: boolean;

  constructor(bytes: Buffer, scan: Pick<JsonScan, "ends" | "strings">, pieceBytes: number, checks = false) {
    this.#bytes = bytes;
    this.#scan = scan;
    this.#pieceBytes = pieceBytes;
    this.#checks = checks;
  }

  /** Checks the text of a value, and keeps nothing else where the value is a large object. */
  async text(start: number, end: number): Promise<unknown> {
    const large = this.#largeObject(start);
    if (!large) return await this.value(start, end);
    const names = await new Pieces(this.#bytes, this.#scan, this.#pieceBytes, true).value(start, end);
    return new JsonText(await this.#wholeText(...large), Object.keys(Object(names)));
  }

  /** Reads a value, and keeps its text as well where it is a large object. */
  async #valueWithText(start: number, end: number): Promise<unknown> {
    const large = this.#largeObject(start);
    const read = await this.value(start, end);
    return large
      ? new JsonText(await this.#wholeText(...large), Object.keys(Object(read)), Object(read))
      : read;
  }

  /** The bounds of the first large object in the text. */
  #largeObject(start: number): [from: number, to: number] | undefined {
    const open = this.#afterSpace(start);
    const close = this.#scan.ends.get(open);
    return close === undefined || this.#text(open, open + 1) !== "{" ? undefined : [open, close + 1];
  }

  /**
   * Reads the text from `start` to `end`: one value, with white space around it.
   * @param asText members of the object that may stay text
   */
  async value(start: number, end: number, asText: readonly string[] = []): Promise<unknown> {
    const open = this.#afterSpace(start);
    const close = this.#scan.ends.get(open);
    if (close === undefined) return parse(this.#text(start, end));
    const brackets = this.#text(open, open + 1) + this.#text(close, close + 1);
    if (this.#afterSpace(close + 1) < end) throw new GatewayError("invalid_json");
    if (brackets === "[]") return this.#array(open, close);
    if (brackets === "{}") return this.#object(open, close, asText);
    throw new GatewayError("invalid_json");
  }

  async #array(open: number, close: number): Promise<unknown[]> {
    const whole: unknown[] = [];
    for (const { start, end, large } of this.#pieces(open, close)) {
      if (large === undefined) {
        const piece = parse(`[${this.#text(start, end)}]`);
        if (!Array.isArray(piece)) throw new GatewayError("invalid_json");
        if (piece.length === 0) this.#expectNothing(start, end, open, close);
        if (!this.#checks) for (const element of piece) whole.push(element);
      } else whole.push(await this.value(start, end));
      await nextTurn();
    }
    return whole;
  }

  async #object(open: number, close: number, asText: readonly string[]): Promise<Record<string, unknown>> {
    const whole: Record<string, unknown> = {};
    for (const { start, end, large } of this.#pieces(open, close)) {
      if (large === undefined) {
        const piece = membersOf(`{${this.#text(start, end)}}`);
        if (piece.length === 0) this.#expectNothing(start, end, open, close);
        for (const [name, member] of piece) define(whole, name, this.#checks ? null : member);
      } else {
        // The name and its colon, with an empty array in the place of the large one.
        const [[name] = []] = membersOf(`{${this.#text(start, large)}[]}`);
        if (name === undefined) throw new GatewayError("invalid_json");
        const read = asText.includes(name) ? this.#valueWithText(large, end) : this.value(large, end);
        define(whole, name, await read);
      }
      await nextTurn();
    }
    return whole;
  }

  /** A piece without entries is a mistake, such as the comma in `[1,]`, unless it is all there is between the brackets. */
  #expectNothing(start: number, end: number, open: number, close: number): void {
    if (start !== open + 1 || end !== close) throw new GatewayError("invalid_json");
  }

  /** Joins the entries between two brackets into pieces; an entry with a large value in it is a piece of its own. */
  *#pieces(open: number, close: number): Generator<Entry> {
    let start = open + 1;
    let end = start;
    for (const entry of this.#entries(open, close)) {
      if (entry.large !== undefined) {
        if (entry.start > start) yield { start, end };
        yield entry;
        start = entry.end + 1;
      } else if (entry.end - start > this.#pieceBytes) {
        yield { start, end: entry.end };
        start = entry.end + 1;
      }
      end = entry.end;
    }
    // A text that ends in a comma leaves an empty last entry, which is a mistake.
    if (start <= close) yield { start, end: close };
  }

  *#entries(open: number, close: number): Generator<Entry> {
    let start = open + 1;
    let depth = 0;
    let large: number | undefined;
    for (let at = start; at < close; at++) {
      const byte = this.#bytes[at];
      if (byte === QUOTE) at = this.#scan.strings.get(at) ?? afterString(this.#bytes, at) - 1;
      else if (opens(byte)) {
        const end = this.#scan.ends.get(at);
        if (end === undefined) depth += 1;
        else {
          if (depth === 0) large ??= at;
          at = end;
        }
      } else if (closes(byte)) depth -= 1;
      else if (byte === COMMA && depth === 0) {
        yield { start, end: at, large };
        start = at + 1;
        large = undefined;
      }
    }
    yield { start, end: close, large };
  }

  #wholeText(start: number, end: number): Promise<string> {
    return textInPieces(this.#bytes.subarray(start, end));
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString("utf8", start, end);
  }

  #afterSpace(start: number): number {
    let at = start;
    while (isSpace(this.#bytes[at])) at += 1;
    return at;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** @throws GatewayError invalid_json, without the parser's own message, which quotes the text */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError("invalid_json");
  }
}

function membersOf(text: string): [string, unknown][] {
  return Object.entries(parse(text) ?? {});
}

/** A member named `__proto__` becomes an own property, as JSON.parse makes it. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
