import { randomUUID } from "node:crypto";
import type { ActingCaller } from "../caller.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** An access token like those of any other issuer, RFC 9068; a dispatch to an agent is of another type and not taken for one. */
const TYPE = "at+jwt";

/** It is verified when the request arrives, so that it need not last as long as the run. */
const LASTS_S = 60;

/** @param audience the remote gateway's URL, as the manifest has it */
export type RemoteSigner = (
  caller: ActingCaller & { readonly authenticatedAt?: number },
  audience: string,
) => string;

/** Says to another gateway, which lists this one among its issuers, on whose behalf a request is sent. */
export function remoteSigner({ keys, issuer }: { keys: SigningKeys; issuer: string }): RemoteSigner {
  return (caller, audience) => {
    const now = Math.floor(Date.now() / 1_000);
    return keys.sign(TYPE, {
      iss: issuer,
      aud: audience,
      sub: caller.subject,
      tenant: caller.tenant,
      roles: caller.roles,
      // If the time is unknown, claim a very old one, so that a decision that requires a recent sign-in is refused.
      auth_time: Math.floor(caller.authenticatedAt ?? 0),
      iat: now,
      exp: now + LASTS_S,
      jti: randomUUID(),
    });
  };
}
