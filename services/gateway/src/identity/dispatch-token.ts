import { randomUUID } from "node:crypto";
import type { ActingCaller, Dispatched } from "../caller.ts";
import type { Rows } from "./compile-roles.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** `typ` of the tokens, so that tokens of other kinds are not accepted as these. */
export const DISPATCH_TYPE = "dispatch+jwt";

/** An agent verifies a token when the request arrives, so that it need not last as long as the task. */
const LONGEST_S = 60;
/** How far the clocks of gateway and agent may differ. */
const SKEW_S = 30;

export type DispatchSignerOptions = {
  keys: SigningKeys;
  /** The gateway's name, as `iss`. */
  issuer: string;
  /** The rows that agents may use for these roles, by the manifest as it is now. */
  rowsOf: (caller: ActingCaller) => Rows;
};

/**
 * Says to an agent on whose behalf a request is sent.
 * @returns makes the token of one request, which is for nobody else and nothing else, and must be neither kept nor logged
 */
export function dispatchSigner({
  keys,
  issuer,
  rowsOf,
}: DispatchSignerOptions): (dispatched: Dispatched) => string {
  return ({ agent, caller, runId, step, timeoutMs }) => {
    const rows = rowsOf(caller);
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
      // Absent where nothing is restricted.
      rows: isEmpty(rows) ? undefined : rows,
      iat: now,
      exp: now + Math.min(LONGEST_S, Math.ceil(timeoutMs / 1_000) + SKEW_S),
      jti: randomUUID(),
    });
  };
}

function isEmpty(rows: Rows): boolean {
  for (const _ in rows) return false;
  return true;
}
