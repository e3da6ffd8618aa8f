import { type AgentError, agentErrorKind } from "@interlock/contracts";
import type { Failure, Retry } from "./outcome.ts";
import { type UpstreamCode, UpstreamError } from "./upstream-error.ts";

/** Statuses that may mean invalid inputs. Others (401, 404, 415) mean that the gateway sent the request wrongly. */
const CALLER_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Maps a status of 400 or above to a failure. `said` is the agent's error, if the body has the contract's form. */
export function refusal(
  agent: string,
  status: number,
  retryAfter: string | undefined,
  said: AgentError | undefined,
): Failure {
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  const { code, retry } = meaning(status, retryAfterMs !== undefined);
  const error = new UpstreamError({
    code,
    reason: `http_${status}`,
    agent,
    agentCode: said?.code,
    message: said?.message,
    retryAfterMs,
    callerStatus:
      said && CALLER_STATUSES.has(status) && agentErrorKind(said.code).caller ? status : undefined,
  });
  return { ok: false, error, retry };
}

function meaning(status: number, timed: boolean): { code: UpstreamCode; retry: Retry } {
  // Without Retry-After, retrying would only add to the agent's load.
  if (status === 429) return { code: "upstream_overloaded", retry: timed ? "always" : "never" };
  if (status === 503) return { code: "upstream_overloaded", retry: "always" };
  if (status >= 500) return { code: "upstream_unavailable", retry: "always" };
  return { code: "upstream_refused", retry: "never" };
}

/** The header holds seconds or an HTTP date. Returns milliseconds. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
