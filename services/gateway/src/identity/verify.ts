import { decodeJwt, type JWSHeaderParameters, type JWTPayload, jwtVerify } from "jose";
import type { Issuer } from "./issuers.ts";
import type { VerifiedToken } from "./token-cache.ts";
import { TokenError, tokenError } from "./token-error.ts";

/** Verifies a token. @throws TokenError that says what is wrong with it, for the log */
export type Verify = (token: string) => Promise<VerifiedToken>;

const MAX_BYTES = 16_384;
/** Seconds by which clocks may differ. */
const SKEW_S = 30;

/** RFC 7519 with the advice of RFC 8725: the issuer's configuration selects keys and algorithms, never the token. */
export function verifier(issuers: readonly Issuer[]): Verify {
  const byIssuer = new Map(issuers.map((one) => [one.issuer, one]));
  return async (token) => {
    if (token.length > MAX_BYTES) throw new TokenError("token_too_large");
    const issuer = byIssuer.get(claimedIssuer(token) ?? "");
    if (!issuer) throw new TokenError("unknown_issuer");
    try {
      return await verify(token, issuer);
    } catch (error) {
      throw tokenError(error, issuer.name);
    }
  };
}

/** Read unverified, only to select the issuer's keys: nothing of a token is trusted before verification. */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new TokenError("not_a_token");
  }
}

async function verify(token: string, { issuer, keys, algorithms, audience, types, callerOf }: Issuer) {
  let version = 0;
  const options = {
    issuer,
    audience: [...audience],
    algorithms: [...algorithms],
    clockTolerance: SKEW_S,
    requiredClaims: ["exp"],
  };
  const { payload, protectedHeader } = await jwtVerify(
    token,
    async (header: JWSHeaderParameters) => {
      const found = await keys.find(header);
      version = found.version;
      return found.key;
    },
    options,
  );
  if (!types.has(mediaTypeOf(protectedHeader.typ))) throw new TokenError("wrong_type");
  const [header = "", claims = ""] = token.split(".");
  if ([header, claims].some((part) => repeatsMember(Buffer.from(part, "base64url").toString())))
    throw new TokenError("repeated_member");
  return { caller: callerOf(payload), expiresAt: expiryOf(payload), keys, version };
}

/** `typ` may leave out `application/`, and its case does not matter. */
function mediaTypeOf(typ = ""): string {
  return typ.toLowerCase().replace(/^application\//, "");
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Whether an object of a valid JSON text repeats a member name: parsers differ in which member they use. */
function repeatsMember(json: string): boolean {
  const open: Set<string>[] = [];
  let text = "";
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token !== ":") text = token;
    else {
      const name: string = JSON.parse(text);
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

function expiryOf({ exp = 0 }: JWTPayload): number {
  return (exp + SKEW_S) * 1000;
}
