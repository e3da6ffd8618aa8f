import { readJson } from "@interlock/contracts";

/** A field of an answer, as far as the rules ask for it. Ids and statuses are kept as text; nothing else is. */
export type FieldSeen =
  | { readonly kind: "string"; readonly text: string | undefined }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "object" | "array" | "number" | "null" };

export type JsonSeen = {
  /** The root's kind; undefined where the text is not JSON, or was too large to be read. */
  readonly root: FieldSeen["kind"] | undefined;
  /** Kept fields by name: `request_id`, `error.code`. */
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

/** No id or status of an honest agent is longer; the text of a longer one is not kept. */
const LONGEST_TEXT = 512;

/** Far more than an honest agent nests. */
const DEEPEST = 1_000;

/** A parsed list or object takes some 50 bytes, be it of 2 characters: hostile JSON grows by as much. */
const MOST_CONTAINERS = 4_000_000;

export const NOT_JSON: JsonSeen = { root: undefined, fields: new Map() };

/**
 * Holds the bytes of one JSON text until it is complete, then keeps only what the rules ask for. Past the limit it
 * lets go of what it held, so an endless text costs no more memory than the limit.
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

  /** To be called when there is no more; the next text may then begin. */
  end(): JsonSeen {
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > this.#limitBytes || hasTooMany(this.#held.subarray(0, bytes))) return NOT_JSON;
    // Bytes that are not UTF-8 break a rule of their own; here they count as replacement characters.
    return seenIn(this.#held.toString("utf8", 0, bytes));
  }

  /** Doubles, so that a text in pieces of one byte is not copied for each of them. */
  #grow(used: number): void {
    const grown = Buffer.alloc(Math.min(this.#limitBytes, Math.max(1024, 2 * this.#bytes)));
    this.#held.copy(grown, 0, 0, used);
    this.#held = grown;
  }
}

/** Counts brackets, those in strings included. */
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
