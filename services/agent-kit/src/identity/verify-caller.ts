import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { Refused } from "../errors.ts";
import type { VerifiedCaller, VerifyCaller } from "./caller.ts";

export type GatewayKeys =
  | { readonly url: URL }
  /** A JWKS. */
  | { readonly text: string };

/** Time after which a key that the gateway has removed is no longer accepted. */
const CACHE_MS = 300_000;
/** Pause between two fetches for keys that are not known yet. */
const COOL_DOWN_MS = 1_000;
const FETCH_MS = 5_000;

/** What a token must be, whatever key has signed it. */
const RULES = {
  typ: "dispatch+jwt",
  algorithms: ["EdDSA"],
  clockTolerance: 30,
  requiredClaims: ["sub", "exp", "iat", "jti"],
};

/**
 * @param audience the agent's name in the manifest
 * @throws TypeError where the text is no JWKS
 */
export function callerVerifier(keys: GatewayKeys, audience: string): VerifyCaller {
  const keySet =
    "url" in keys
      ? createRemoteJWKSet(keys.url, {
          cacheMaxAge: CACHE_MS,
          cooldownDuration: COOL_DOWN_MS,
          timeoutDuration: FETCH_MS,
        })
      : createLocalJWKSet(JSON.parse(keys.text));
  return async (authorization) => {
    const [, token] = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) throw new Refused("UNAUTHORIZED");
    try {
      const { payload } = await jwtVerify(token, keySet, { ...RULES, audience });
      return callerOf(payload);
    } catch (error) {
      throw isAboutToken(error)
        ? new Refused("UNAUTHORIZED")
        : new Refused("UNAVAILABLE", "The agent cannot get the gateway's keys now.");
    }
  };
}

/** Any other error means that the keys could not be fetched. */
function isAboutToken(error: unknown): boolean {
  if (error instanceof Refused) return true;
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !isGeneric(error);
}

/** The library's error for a JWKS that cannot be fetched or is invalid. */
function isGeneric(error: errors.JOSEError): boolean {
  return error.code === "ERR_JOSE_GENERIC" || error.code === "ERR_JWKS_INVALID";
}

function callerOf({ sub, issuer, tenant, roles, rows, run_id, step }: JWTPayload): VerifiedCaller {
  if (!isText(sub) || !isText(issuer) || !isText(tenant)) throw new Refused("UNAUTHORIZED");
  if (!Array.isArray(roles) || !roles.every(isText)) throw new Refused("UNAUTHORIZED");
  return Object.freeze({
    subject: sub,
    issuer,
    tenant,
    roles: Object.freeze([...roles]),
    // Malformed row filters must not be treated as absent ones.
    ...(rows === undefined ? {} : { rows: filtersOf(rows) }),
    ...(isText(run_id) ? { runId: run_id } : {}),
    ...(isText(step) ? { step } : {}),
  });
}

function filtersOf(rows: unknown): Readonly<Record<string, unknown>> {
  if (typeof rows !== "object" || rows === null || Array.isArray(rows)) throw new Refused("UNAUTHORIZED");
  return { ...rows };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
