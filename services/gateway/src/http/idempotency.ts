import { createHash } from "node:crypto";
import { principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { IdempotencyKey } from "../runs/index.ts";
import type { ApiRequest } from "./endpoint.ts";
import { headerOf } from "./request.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The request's Idempotency-Key, bound to the caller: the same key of two subjects is two keys. It stands for the request as it was sent,
 * byte for byte: a canonical form of a large body would take longer than parsing it.
 * @returns undefined without the header
 * @throws GatewayError invalid_idempotency_key
 */
export function idempotencyOf({ req, caller, digest }: ApiRequest): IdempotencyKey | undefined {
  const key = headerOf(req, "idempotency-key");
  if (key === undefined || digest === undefined) return undefined;
  if (!KEY.test(key)) throw new GatewayError("invalid_idempotency_key");
  return {
    digest: createHash("sha256")
      .update(`${principalOf(caller)}\0${key}`)
      .digest("base64url"),
    bodyDigest: digest,
  };
}
