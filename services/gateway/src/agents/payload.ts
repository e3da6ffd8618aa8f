import { encoded } from "../json-text.ts";
import type { DispatchRequest } from "./types.ts";

/** Prevents header injection by values from outside. */
const HEADER_SAFE = /^[\x21-\x7e]{1,256}$/;
/** Ids are copied into bodies, headers and the agent's logs. */
const REQUEST_ID = /^[A-Za-z0-9_:.-]{1,200}$/;

/** The request of a dispatch; its attempts share all but id and timeout. */
export type Payload = {
  /** The body of one attempt. */
  body(requestId: string, timeoutMs: number): string | Buffer;
  headers: string[];
};

/**
 * Serialises the large parts once for all attempts.
 * @returns a promise where the inputs are large. Throws a TypeError for a malformed id.
 */
export function createPayload(request: DispatchRequest, accept: string): Payload | Promise<Payload> {
  const { body, inputsJson, idempotencyKey } = request;
  if (!REQUEST_ID.test(body.request_id)) throw new TypeError("request_id is not an id");
  const { request_id: _, budgets, inputs, ...rest } = body;
  const fields = JSON.stringify(rest).slice(1, -1);
  const inputsText = inputsJson ?? (inputs === undefined ? undefined : JSON.stringify(inputs));
  const tail = [fields === "" ? "" : `,${fields}`];
  if (inputsText !== undefined) tail.push(`,"inputs":`, inputsText);
  const given = isBudgets(budgets) ? budgets : {};
  const headers = headersOf(accept, idempotencyKey);
  const head = (requestId: string, timeoutMs: number) => {
    const left = Math.max(1, Math.floor(Math.min(timeoutMs, given.timeout_ms ?? Number.POSITIVE_INFINITY)));
    return `{"request_id":"${requestId}","budgets":${JSON.stringify({ ...given, timeout_ms: left })}`;
  };
  const end = encoded(...tail, "}");
  if (typeof end === "string") return { headers, body: (id, timeoutMs) => head(id, timeoutMs) + end };
  return end.then((bytes) => ({
    headers,
    body: (id, timeoutMs) => Buffer.concat([Buffer.from(head(id, timeoutMs)), bytes]),
  }));
}

export function headersOf(accept: string, idempotencyKey?: string): string[] {
  const headers = ["content-type", "application/json", "accept", accept];
  if (idempotencyKey !== undefined)
    headers.push("idempotency-key", headerSafe("idempotencyKey", idempotencyKey));
  return headers;
}

function headerSafe(name: string, value: string): string {
  if (!HEADER_SAFE.test(value)) throw new TypeError(`${name} cannot be a header`);
  return value;
}

function isBudgets(value: unknown): value is { timeout_ms?: number } {
  return (
    typeof value === "object" &&
    value !== null &&
    (!("timeout_ms" in value) || typeof value.timeout_ms === "number")
  );
}
