import { decodeJwt, type JWTPayload, jwtVerify } from "jose";
import type { Issuer } from "./issuers.ts";
import type { VerifiedToken } from "./token-cache.ts";
import { TokenError } from "./token-error.ts";

/** Verifies a token. Rejects with what is wrong with it, for the log. */
export type Verify = (token: string) => Promise<VerifiedToken>;

const MAX_BYTES = 16_384;
/** Seconds by which clocks may differ. */
const SKEW_S = 30;

/** RFC 7519 with the advice of RFC 8725: the issuer decides about keys and algorithms, nothing in the token does. */
export function verifier(issuers: readonly Issuer[]): Verify {
  const byIssuer = new Map(issuers.map((one) => [one.issuer, one]));
  return async (token) => {
    if (token.length > MAX_BYTES) throw new TokenError("token_too_large");
    // Only to find out whose keys to use: nothing else of it counts before it is verified.
    const { iss } = decodeJwt(token);
    const issuer = iss === undefined ? undefined : byIssuer.get(iss);
    if (!issuer) throw new TokenError("unknown_issuer");
    const { keys, algorithms, audience, types } = issuer;
    const version = keys.versionAt(Date.now());
    const { payload, protectedHeader } = await jwtVerify(token, (header) => keys.find(header), {
      issuer: issuer.issuer,
      audience: [...audience],
      algorithms: [...algorithms],
      clockTolerance: SKEW_S,
      requiredClaims: ["exp"],
    });
    if (!types.has(mediaTypeOf(protectedHeader.typ))) throw new TokenError("wrong_type");
    return { caller: issuer.callerOf(payload), expiresAt: expiryOf(payload), keys, version };
  };
}

/** `typ` may leave out `application/`, and its case does not matter. */
function mediaTypeOf(typ = ""): string {
  return typ.toLowerCase().replace(/^application\//, "");
}

function expiryOf({ exp = 0 }: JWTPayload): number {
  return (exp + SKEW_S) * 1000;
}
