import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { type Issuer, IssuerError } from "./issuers.ts";
import { isFromHere, isLoopback } from "./loopback.ts";
import { TokenCache } from "./token-cache.ts";
import { TokenError } from "./token-error.ts";
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
  /** Called with the reason why a request was not identified; the issuer's name is that of the manifest, or `unknown`. */
  onRefused?: (refusal: { issuer: string; code: string }) => void;
};

/** The caller without a token on a loopback binding: may start runs, and read their own. */
export const LOCAL: Caller = { tenant: "default", issuer: "local", subject: "local", roles: ["analyst"] };

// RFC 6750, section 2.1.
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Takes the caller from the token of `Authorization: Bearer`. On a loopback binding a request without one is a local analyst's, unless
 * `authRequired` or where it does not come from this machine.
 */
export function authenticator(issuers: readonly Issuer[], options: AuthenticationOptions): Identify {
  const { host, authRequired, corsOrigins, onRefused } = options;
  const loopback = isLoopback(host);
  if (issuers.length === 0 && (!loopback || authRequired))
    throw new IssuerError(
      "Every request needs a token, but nobody vouches for any: name issuers in `identity` of the manifest.",
    );
  const refuse = (message: string, cause: TokenError, error?: string): GatewayError => {
    onRefused?.({ issuer: cause.issuer ?? "unknown", code: cause.code });
    return cause.code === "issuer_away"
      ? new GatewayError("issuer_unavailable", undefined, { cause })
      : refused(message, cause, error);
  };
  const cache = new TokenCache();
  const verify = verifier(issuers);
  return (headers) => {
    const { authorization } = headers;
    if (authorization === undefined) {
      if (!loopback || authRequired) throw refuse("A token is needed.", new TokenError("no_token"));
      if (isFromHere(headers, corsOrigins)) return LOCAL;
      throw refuse(
        "Without a token, a loopback binding serves requests of this machine only.",
        new TokenError("not_from_here"),
      );
    }
    const [, token] = BEARER.exec(authorization) ?? [];
    if (token === undefined)
      throw refuse(
        "Authorization is not a bearer token.",
        new TokenError("not_a_bearer_token"),
        "invalid_request",
      );
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
        const cause = error instanceof TokenError ? error : new TokenError("not_verified", { cause: error });
        throw refuse("The token is not valid.", cause, "invalid_token");
      },
    );
  };
}

/** A refusal with the challenge of RFC 6750. Only the log says which check failed. */
function refused(message: string, cause: TokenError, error?: string): GatewayError {
  const challenge = error ? `Bearer realm="interlock", error="${error}"` : 'Bearer realm="interlock"';
  return new GatewayError("unauthorized", message, { cause, headers: { "www-authenticate": challenge } });
}
