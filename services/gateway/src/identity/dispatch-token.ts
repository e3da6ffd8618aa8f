import { randomUUID } from "node:crypto";
import type { Dispatched } from "../caller.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** `typ` of the tokens: none of another kind is taken for one. */
export const DISPATCH_TYPE = "dispatch+jwt";

/** An agent verifies a token when the request arrives, so that it need not last as long as the task. */
const LONGEST_S = 60;
/** How far the clocks of gateway and agent may differ. */
const SKEW_S = 30;

/**
 * Says to an agent on whose behalf a request is sent.
 * @param issuer the gateway's name, as `iss`
 * @returns makes the token of one request, which is for nobody else and nothing else, and must be neither kept nor logged
 */
export function dispatchSigner(keys: SigningKeys, issuer: string): (dispatched: Dispatched) => string {
  return ({ agent, caller, runId, step, timeoutMs }) => {
    const now = Math.floor(Date.now() / 1_000);
    return keys.sign(DISPATCH_TYPE, {
      iss: issuer,
      aud: agent,
      sub: caller.subject,
      issuer: caller.issuer,
      tenant: caller.tenant,
      roles: caller.roles,
      run_id: runId,
      step,
      rows: caller.rows,
      iat: now,
      exp: now + Math.min(LONGEST_S, Math.ceil(timeoutMs / 1_000) + SKEW_S),
      jti: randomUUID(),
    });
  };
}
