import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { ALGORITHM, type SigningKey, signingKey } from "./keys.ts";

/** What every token of this issuer is for. */
export const AUDIENCE = "interlock";

export type TokenOrder = {
  user: string;
  roles: readonly string[];
  tenant: string;
  ttlS: number;
  /** Unix seconds of the user's sign-in. Default: now. */
  authTime?: number;
};

/** Signs a token with the key of a data directory: the issuer need not run. */
export function issueToken(issuer: string, dataDir: string, order: TokenOrder): Promise<string> {
  return signToken(issuer, signingKey(dataDir), order);
}

export async function signToken(issuer: string, key: SigningKey, order: TokenOrder): Promise<string> {
  const { user, roles, tenant, ttlS } = order;
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({ tenant, roles: [...roles], auth_time: order.authTime ?? now })
    .setProtectedHeader({ alg: ALGORITHM, typ: "at+jwt", kid: key.kid })
    .setIssuer(issuer)
    .setAudience(AUDIENCE)
    .setSubject(user)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + ttlS)
    .sign(key);
}
