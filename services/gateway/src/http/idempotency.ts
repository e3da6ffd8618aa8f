import { createHash } from "node:crypto";
import { canonicalJson } from "../approvals/proposal.ts";
import { GatewayError } from "../errors.ts";
import type { Context } from "./context.ts";
import { headerOf } from "./request.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The request's Idempotency-Key, bound to the caller and to what it was sent for: the key of one subject says nothing about another's.
 * @returns undefined without the header
 * @throws GatewayError invalid_idempotency_key
 */
export function idempotencyOf(
  { req, caller, path, query }: Context,
  body: unknown,
): { digest: string; bodyDigest: string } | undefined {
  const key = headerOf(req, "idempotency-key");
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw new GatewayError("invalid_idempotency_key");
  return {
    digest: digestOf(`${caller.subject}\0${key}`),
    // The path and the query change what a request does, as its body does.
    bodyDigest: digestOf(`${path}\0${canonicalJson(query)}\0${canonicalJson(body)}`),
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
