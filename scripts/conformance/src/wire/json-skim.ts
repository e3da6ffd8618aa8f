import { ENDS_NUMBER, isDigit, isNumberState, type NumberState, nextInNumber } from "./json-number.ts";
import { TextCapture } from "./json-text.ts";

/**
 * Reads JSON byte by byte without building it: says whether it is well formed (RFC 8259) and what kind its root
 * is, and keeps the few fields that the rules ask for. The memory it needs does not grow with what it reads, so a
 * hostile agent cannot make the checker large, and no body is ever held.
 */
export type FieldSeen =
  | { readonly kind: "string"; readonly text: string | undefined }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "object" | "array" | "number" | "null" };

export type JsonSeen = {
  /** The root's kind, once the whole text was read and is well formed. */
  readonly root: FieldSeen["kind"] | undefined;
  /** Kept fields by name: `request_id`, `error.code`. The last of two equal names counts, as in most parsers. */
  readonly fields: ReadonlyMap<string, FieldSeen>;
};

const KEPT = new Set([
  "request_id",
  "task_type",
  "status",
  "ok",
  "outputs",
  "data",
  "warnings",
  "error",
  "error.code",
  "error.message",
]);

const IN_ERROR = ["error.code", "error.message"];
const NO_FIELDS: ReadonlyMap<string, FieldSeen> = new Map();

const DEEPEST = 10_000;

const Q = {
  quote: 0x22,
  escape: 0x5c,
  open: 0x7b,
  close: 0x7d,
  list: 0x5b,
  listEnd: 0x5d,
  colon: 0x3a,
  comma: 0x2c,
};
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
const SIMPLE_ESCAPES = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));

type State =
  | "value"
  | "first item"
  | "first key"
  | "key"
  | "colon"
  | "after value"
  | "string"
  | "escape"
  | "hex"
  | "literal"
  | NumberState
  | "end"
  | "bad";
const LITERALS: Readonly<Record<number, { readonly rest: string; readonly seen: FieldSeen }>> = {
  116: { rest: "rue", seen: { kind: "boolean", value: true } },
  102: { rest: "alse", seen: { kind: "boolean", value: false } },
  110: { rest: "ull", seen: { kind: "null" } },
};

export class JsonSkimmer {
  #fields: Map<string, FieldSeen> | undefined;
  #state: State = "value";
  /** One entry a container that is open: true for an object. */
  readonly #open: boolean[] = [];
  /** The names on the way to the place where we are, for the two outermost levels only. */
  readonly #path: string[] = [];
  #root: FieldSeen["kind"] | undefined;
  readonly #text = new TextCapture();
  #textIsKey = false;
  #hexLeft = 0;
  #literal = { rest: "", at: 0, seen: { kind: "null" } as FieldSeen };

  push(bytes: Uint8Array, from = 0, to = bytes.length): void {
    for (let at = from; at < to && this.#state !== "bad"; at++) {
      if (this.#state === "string") at = this.#skipText(bytes, at, to);
      if (at < to) this.#step(bytes[at] ?? 0);
    }
  }

  /** To be called when there is no more; the next text may then begin. */
  end(): JsonSeen {
    if (this.#state !== "bad" && this.#open.length === 0 && ENDS_NUMBER.has(this.#state))
      this.#ended({ kind: "number" });
    const seen = { root: this.#state === "end" ? this.#root : undefined, fields: this.#fields ?? NO_FIELDS };
    this.#reset();
    return seen;
  }

  #reset(): void {
    this.#fields = undefined;
    this.#state = "value";
    this.#open.length = 0;
    this.#path.length = 0;
    this.#root = undefined;
  }

  /** Runs over the plain part of a string: nearly all bytes of a large text are there. */
  #skipText(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === Q.quote || byte === Q.escape || byte < 0x20) break;
      this.#text.keep(byte);
    }
    return at;
  }

  #step(byte: number): void {
    const state = this.#state;
    if (state === "string") this.#inString(byte);
    else if (state === "escape" || state === "hex") this.#inEscape(state, byte);
    else if (state === "literal") this.#inLiteral(byte);
    else if (isNumberState(state)) this.#inNumber(state, byte);
    else if (!isSpace(byte)) this.#between(state, byte);
  }

  /** A byte that is not white space, outside of any text, number or word. */
  #between(state: State, byte: number): void {
    if (state === "after value") this.#afterValue(byte);
    else if (state === "colon") this.#state = byte === Q.colon ? "value" : "bad";
    else if (state === "first key" && byte === Q.close) this.#close();
    else if ((state === "first key" || state === "key") && byte === Q.quote) this.#startString(true);
    else if (state === "first item" && byte === Q.listEnd) this.#close();
    else if (state === "value" || state === "first item") this.#startValue(byte);
    else this.#state = "bad";
  }

  #startValue(byte: number): void {
    const literal = LITERALS[byte];
    if (byte === Q.quote) this.#startString(false);
    else if (byte === Q.open || byte === Q.list) this.#start(byte === Q.open);
    else if (literal !== undefined) {
      this.#literal = { ...literal, at: 0 };
      this.#state = "literal";
    } else if (byte === 0x2d) this.#state = "minus";
    else if (isDigit(byte)) this.#state = byte === 0x30 ? "zero" : "integer";
    else this.#state = "bad";
  }

  #start(isObject: boolean): void {
    this.#note({ kind: isObject ? "object" : "array" });
    this.#open.push(isObject);
    this.#state = this.#open.length > DEEPEST ? "bad" : isObject ? "first key" : "first item";
  }

  #close(): void {
    this.#open.pop();
    this.#path.length = Math.min(this.#path.length, this.#open.length);
    this.#state = this.#open.length === 0 ? "end" : "after value";
  }

  #afterValue(byte: number): void {
    const inObject = this.#open.at(-1);
    if (byte === Q.comma) this.#state = inObject ? "key" : "value";
    else if (byte === (inObject ? Q.close : Q.listEnd)) this.#close();
    else this.#state = "bad";
  }

  #startString(isKey: boolean): void {
    const depth = this.#open.length;
    this.#text.start(isKey ? depth <= 2 : KEPT.has(this.#here()));
    this.#textIsKey = isKey;
    this.#state = "string";
  }

  #inString(byte: number): void {
    if (byte < 0x20) this.#state = "bad";
    else if (byte === Q.escape) {
      this.#text.keepEscape(byte);
      this.#state = "escape";
    } else if (byte === Q.quote) this.#endString();
  }

  #inEscape(state: "escape" | "hex", byte: number): void {
    this.#text.keep(byte);
    this.#hexLeft = state === "escape" ? 4 : this.#hexLeft - 1;
    if (state === "hex") this.#state = !isHex(byte) ? "bad" : this.#hexLeft > 0 ? "hex" : "string";
    else this.#state = SIMPLE_ESCAPES.has(byte) ? "string" : byte === 0x75 ? "hex" : "bad";
  }

  #endString(): void {
    const text = this.#text.end();
    if (this.#textIsKey) this.#endKey(text);
    else this.#ended({ kind: "string", text });
  }

  #endKey(text: string | undefined): void {
    const depth = this.#open.length;
    if (depth <= 2) {
      this.#path.length = Math.min(this.#path.length, depth - 1);
      // A dot in a name must not look like a path of ours.
      this.#path[depth - 1] = text === undefined || text.includes(".") ? "" : text;
    }
    this.#state = "colon";
  }

  #inLiteral(byte: number): void {
    const { rest, at, seen } = this.#literal;
    if (byte !== rest.charCodeAt(at)) this.#state = "bad";
    else if (at + 1 === rest.length) this.#ended(seen);
    else this.#literal.at += 1;
  }

  #inNumber(state: NumberState, byte: number): void {
    const next = nextInNumber(state, byte);
    if (next !== undefined) this.#state = next;
    else if (!ENDS_NUMBER.has(state)) this.#state = "bad";
    else {
      this.#ended({ kind: "number" });
      this.#step(byte);
    }
  }

  #ended(seen: FieldSeen): void {
    this.#note(seen);
    this.#state = this.#open.length === 0 ? "end" : "after value";
  }

  #note(seen: FieldSeen): void {
    if (this.#open.length === 0) this.#root = seen.kind;
    const here = this.#here();
    if (!KEPT.has(here)) return;
    this.#fields ??= new Map();
    if (here === "error") for (const name of IN_ERROR) this.#fields.delete(name);
    this.#fields.set(here, seen);
  }

  /** `error.code`, or "" where no field can be: in a list, or deeper than two objects. */
  #here(): string {
    const depth = this.#open.length;
    if (depth === 0 || depth > 2 || this.#open.includes(false)) return "";
    const [outer = "", inner = ""] = this.#path;
    return depth === 1 ? outer : `${outer}.${inner}`;
  }
}
