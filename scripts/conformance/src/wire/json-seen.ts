import { readJson } from "@interlock/contracts";

/** What is kept of a field. Only short texts, such as ids and statuses, keep their value. */
export type FieldSeen =
  | { readonly kind: "string"; readonly text: string | undefined }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "object" | "array" | "number" | "null" };

export type JsonSeen = {
  /** Undefined if the text is not JSON, or too large. */
  readonly root: FieldSeen["kind"] | undefined;
  /** The fields that rules ask for, by name, such as `request_id` and `error.code`. */
  readonly fields: ReadonlyMap<string, FieldSeen>;
};

const KEPT = [
  "request_id",
  "task_type",
  "status",
  "ok",
  "success",
  "outputs",
  "data",
  "warnings",
  "error",
] as const;
const KEPT_OF_ERROR = ["code", "message"] as const;

/** Longer than any id or status of an honest agent. */
const LONGEST_TEXT = 512;

/** Deeper than any answer of an honest agent. */
const DEEPEST = 1_000;

/** A parsed array or object takes about 50 bytes, even an empty one. This limits how much hostile JSON can grow. */
const MOST_CONTAINERS = 2_000_000;

export const NOT_JSON: JsonSeen = { root: undefined, fields: new Map() };

/**
 * Holds the bytes of one JSON text until it is complete, then keeps only what the rules ask for. Above the limit it
 * drops them, so an endless text takes no more memory than the limit.
 */
export class JsonObserver {
  readonly #limitBytes: number;
  #held = Buffer.alloc(0);
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  push(chunk: Uint8Array, from = 0, to = chunk.length): void {
    const before = this.#bytes;
    this.#bytes += to - from;
    if (this.#bytes > this.#limitBytes) {
      this.#held = Buffer.alloc(0);
      return;
    }
    if (this.#bytes > this.#held.length) this.#grow(before);
    this.#held.set(chunk.subarray(from, to), before);
  }

  /** Ends the text, so that the next one can start. */
  end(): JsonSeen {
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > this.#limitBytes || hasTooMany(this.#held.subarray(0, bytes))) return NOT_JSON;
    // Bytes that are not UTF-8 break a rule of their own; here they count as replacement characters.
    return seenIn(this.#held.toString("utf8", 0, bytes));
  }

  /** Doubles the buffer, so that a text that arrives byte by byte is not copied each time. */
  #grow(used: number): void {
    const grown = Buffer.alloc(Math.min(this.#limitBytes, Math.max(1024, 2 * this.#bytes)));
    this.#held.copy(grown, 0, 0, used);
    this.#held = grown;
  }
}

/** Counts brackets, including those in strings. */
function hasTooMany(bytes: Uint8Array): boolean {
  if (bytes.length <= MOST_CONTAINERS) return false;
  let count = 0;
  for (const byte of bytes) if (byte === 0x5b || byte === 0x7b) count += 1;
  return count > MOST_CONTAINERS;
}

export function seenIn(text: string): JsonSeen {
  const read = readJson(text, { maxDepth: DEEPEST });
  if (!read.ok) return NOT_JSON;
  const { value } = read;
  const fields = new Map<string, FieldSeen>();
  if (isObject(value)) {
    for (const name of KEPT) keep(fields, name, value, name);
    const error = Object.hasOwn(value, "error") ? value.error : undefined;
    if (isObject(error)) for (const name of KEPT_OF_ERROR) keep(fields, `error.${name}`, error, name);
  }
  return { root: fieldOf(value).kind, fields };
}

type JsonObject = Readonly<Record<string, unknown>>;

function keep(fields: Map<string, FieldSeen>, as: string, object: JsonObject, name: string): void {
  if (Object.hasOwn(object, name)) fields.set(as, fieldOf(object[name]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldOf(value: unknown): FieldSeen {
  if (typeof value === "string") {
    return { kind: "string", text: value.length > LONGEST_TEXT ? undefined : value };
  }
  if (typeof value === "boolean") return { kind: "boolean", value };
  if (typeof value === "number") return { kind: "number" };
  if (Array.isArray(value)) return { kind: "array" };
  return { kind: isObject(value) ? "object" : "null" };
}
