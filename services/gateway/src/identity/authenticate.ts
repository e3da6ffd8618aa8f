import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { type Issuer, IssuerError } from "./issuers.ts";
import { isFromHere, isLoopback } from "./loopback.ts";
import { TokenCache } from "./token-cache.ts";
import { verifier } from "./verify.ts";

/** Finds out who sends a request: at once for a token that was seen before. @throws GatewayError unauthorized */
export type Identify = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

export type AuthenticationOptions = {
  /** The address that the gateway is bound to. */
  host: string;
  /** Whether a loopback binding asks for tokens too. */
  authRequired: boolean;
  /** Origins whose pages may call the API. */
  corsOrigins: readonly string[];
};

/** Who calls without a token on a loopback binding: may ask, and read what they asked. */
const LOCAL: Caller = { tenant: "default", issuer: "local", subject: "local", roles: ["analyst"] };

// RFC 6750, section 2.1.
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Takes the caller from the token of `Authorization: Bearer`. On a loopback binding a request without one is a local analyst's, unless
 * `authRequired` or where it does not come from this machine.
 */
export function authenticator(issuers: readonly Issuer[], options: AuthenticationOptions): Identify {
  const { host, authRequired, corsOrigins } = options;
  const loopback = isLoopback(host);
  if (issuers.length === 0 && (!loopback || authRequired))
    throw new IssuerError(
      "Every request needs a token, but nobody vouches for any: name issuers in `identity` of the manifest.",
    );
  const cache = new TokenCache();
  const verify = verifier(issuers);
  return (headers) => {
    const { authorization } = headers;
    if (authorization === undefined) {
      if (!loopback || authRequired) throw refused("A token is needed.");
      if (isFromHere(headers, corsOrigins)) return LOCAL;
      throw refused("Without a token, a loopback binding serves requests of this machine only.");
    }
    const [, token] = BEARER.exec(authorization) ?? [];
    if (token === undefined) throw refused("Authorization is not a bearer token.", "invalid_request");
    const now = Date.now();
    const id = TokenCache.idOf(token);
    const known = cache.get(id, now);
    if (known) return known;
    return verify(token).then(
      (verified) => {
        cache.put(id, verified, now);
        return verified.caller;
      },
      (error: unknown) => {
        throw error instanceof GatewayError
          ? error
          : refused("The token is not valid.", "invalid_token", error);
      },
    );
  };
}

/** A refusal with the challenge of RFC 6750: which check failed is nobody's business but the log's. */
function refused(message: string, error?: string, cause?: unknown): GatewayError {
  const challenge = error ? `Bearer realm="interlock", error="${error}"` : 'Bearer realm="interlock"';
  return new GatewayError("unauthorized", message, { cause, headers: { "www-authenticate": challenge } });
}
