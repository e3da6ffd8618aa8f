import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const SHORTEST_KEY = 24;

/** The key that a secret holds. @throws Error for one that Standard Webhooks does not know */
export function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "", "base64");
  if (key.length < SHORTEST_KEY)
    throw new Error(`a secret is ${PREFIX} and the base64 of at least ${SHORTEST_KEY} bytes`);
  return key;
}

/** The headers of Standard Webhooks. @param seconds when the request is sent, since 1970 */
export function signedHeaders(
  { id, body, seconds }: { id: string; body: string; seconds: number },
  keys: readonly Buffer[],
): Record<string, string> {
  const content = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
