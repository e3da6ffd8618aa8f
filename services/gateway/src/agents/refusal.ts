import { type AgentError, agentErrorKind } from "@interlock/contracts";
import type { Failure, Retry } from "./outcome.ts";
import { type UpstreamCode, UpstreamError } from "./upstream-error.ts";

/** Refusals for what was asked. Others (401, 404, 415) are about how the gateway asked. */
const CALLER_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** What a status of 400 and more means; `said` is the agent's own error where the body was in form. */
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
    callerStatus:
      said && CALLER_STATUSES.has(status) && agentErrorKind(said.code).caller ? status : undefined,
  });
  return retryAfterMs === undefined ? { ok: false, error, retry } : { ok: false, error, retry, retryAfterMs };
}

function meaning(status: number, timed: boolean): { code: UpstreamCode; retry: Retry } {
  // A busy agent that does not say when to come back is not asked again: that would add to its load.
  if (status === 429) return { code: "upstream_overloaded", retry: timed ? "always" : "never" };
  if (status === 503) return { code: "upstream_overloaded", retry: "always" };
  if (status >= 500) return { code: "upstream_unavailable", retry: "always" };
  return { code: "upstream_refused", retry: "never" };
}

/** Seconds, or an HTTP date. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
