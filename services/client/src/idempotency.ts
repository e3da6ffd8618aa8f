import { invalidArgument } from "./settings.ts";
import type { Call } from "./transport.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Adds an Idempotency-Key to the call. All its attempts carry the same key, so that it takes effect once.
 * @throws InterlockError invalid_argument
 */
export function idempotent(call: Call, key = newKey()): Call {
  if (!KEY.test(key)) throw invalidArgument("An idempotency key is 1 to 255 visible ASCII characters.");
  return { ...call, headers: { ...call.headers, "idempotency-key": key } };
}

function newKey(): string {
  // `crypto.randomUUID` exists in secure contexts only, i.e. not in pages served over plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
