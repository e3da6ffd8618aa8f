import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import { GatewayError } from "../errors.ts";
import type { IdempotencyKey } from "../runs/index.ts";
import type { ApiRequest } from "./endpoint.ts";
import { headerOf } from "./request.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The request's Idempotency-Key, bound to the caller: the same key of two subjects is two keys.
 * @returns undefined without the header
 * @throws GatewayError invalid_idempotency_key
 */
export function idempotencyOf({ req, caller, path, rawQuery, body }: ApiRequest): IdempotencyKey | undefined {
  const key = headerOf(req, "idempotency-key");
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw new GatewayError("invalid_idempotency_key");
  return {
    digest: digestOf(`${caller.subject}\0${key}`),
    // Path and query are part of what the key stands for.
    bodyDigest: digestOf(`${path}\0${canonicalJson(rawQuery)}\0${canonicalJson(body)}`),
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
