import { invalidArgument } from "./settings.ts";
import type { Call } from "./transport.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The call under a key that names one intent of the caller: all attempts at it carry the same one, so that it takes effect once.
 * @throws InterlockError invalid_argument
 */
export function idempotent(call: Call, key = newKey()): Call {
  if (!KEY.test(key)) throw invalidArgument("An idempotency key is 1 to 255 visible ASCII characters.");
  return { ...call, headers: { ...call.headers, "idempotency-key": key } };
}

function newKey(): string {
  // `randomUUID` is missing in pages that are not served securely.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
