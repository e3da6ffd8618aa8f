import { isUtf8 } from "node:buffer";

/** Why a text was not accepted. Says nothing of what was in it. */
export type JsonProblem = "not_utf8" | "not_json" | "too_deep";

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * Reads JSON that another party wrote. Bytes must be UTF-8 without a byte order mark; the value nests at most
 * `maxDepth` levels of arrays and objects. JSON.parse itself takes any depth, but code that later checks, maps or
 * writes the value is recursive and would overflow its stack.
 *
 * A member named `__proto__` becomes an own property, as JSON.parse makes it.
 */
export function readJson(
  input: string | Uint8Array,
  { maxDepth = Number.POSITIVE_INFINITY }: { readonly maxDepth?: number } = {},
): JsonRead {
  if (typeof input !== "string" && !isUtf8(input)) return { ok: false, problem: "not_utf8" };
  const text = typeof input === "string" ? input : asBuffer(input).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    return { ok: false, problem: "not_json" };
  }
  // Each level takes two brackets, so a short text needs no look.
  const mayBeDeep = text.length > 2 * maxDepth;
  return mayBeDeep && isDeeperThan(maxDepth, value)
    ? { ok: false, problem: "too_deep" }
    : { ok: true, value };
}

/** Whether a parsed value nests more than so many levels. Recurses no deeper than that. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === "object" && isDeeperThan(levels - 1, entry)) return true;
    return false;
  }
  // Faster than Object.values: this runs over every request and every event.
  for (const name in value) {
    const entry: unknown = Reflect.get(value, name);
    if (typeof entry === "object" && isDeeperThan(levels - 1, entry)) return true;
  }
  return false;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
