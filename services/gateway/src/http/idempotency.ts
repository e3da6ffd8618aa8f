import { createHash } from "node:crypto";
import { type Caller, principalOf } from "../caller.ts";
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
  return { digest: sha256(`${principalOf(caller)}\0${key}`), bodyDigest: digest };
}

/** Of one part of a request that has a key. @param part what stands for it in the body */
export function idempotencyWithin({ digest }: IdempotencyKey, name: string, part: object): IdempotencyKey {
  return { digest: sha256(`${digest}\0${name}`), bodyDigest: sha256(JSON.stringify(part)) };
}

/**
 * The key of one call, in a protocol whose requests differ when they are made again.
 * @throws GatewayError invalid_idempotency_key
 */
export function idempotencyOfCall(caller: Caller, key: string, call: object): IdempotencyKey {
  if (!KEY.test(key)) throw new GatewayError("invalid_idempotency_key");
  return {
    digest: sha256(`${principalOf(caller)}\0call\0${key}`),
    bodyDigest: sha256(JSON.stringify(call)),
  };
}

/** A client's own name of a turn does what an Idempotency-Key does, by whatever method the turn is asked for. */
export function idempotencyOfTurn(
  caller: Caller,
  turn: { turnId: string; sessionId: string; message: string },
): IdempotencyKey {
  const { turnId, sessionId, message } = turn;
  return {
    digest: sha256(`${principalOf(caller)}\0turn\0${sessionId}\0${turnId}`),
    bodyDigest: sha256(message),
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
