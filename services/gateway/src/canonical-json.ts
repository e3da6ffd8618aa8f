import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { encoded } from "./json-text.ts";

/**
 * Canonical JSON: object members sorted by name (UTF-16 code units), no white space. Equal values give equal text, which makes the
 * text fit for hashing. Covers values that came through JSON.parse; number formatting is that of JSON.stringify, as in RFC 8785.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined && typeof member !== "function")
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** Bytes that are hashed before yielding to the event loop. */
const HASHED_BYTES = 4 * 1024 * 1024;

/** Like {@link sha256}, for a text that may be large: a piece per turn of the event loop. */
export async function sha256InPieces(text: string): Promise<string> {
  const bytes = encoded(text);
  if (typeof bytes === "string") return sha256(bytes);
  const whole = await bytes;
  const hash = createHash("sha256");
  for (let from = 0; from < whole.length; from += HASHED_BYTES) {
    hash.update(whole.subarray(from, from + HASHED_BYTES));
    await nextTurn();
  }
  return hash.digest("hex");
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
