import type { Failure } from "./outcome.ts";

const MAX_PAUSE_MS = 30_000;

export type RetryPolicy = {
  /** Number of attempts after the first. */
  retries: number;
  backoffMs: number;
  /** Whether the request has an idempotency key, so that repeating a started run is safe. */
  keyed: boolean;
  /** In [0, 1). */
  random: () => number;
};

/**
 * Milliseconds to wait before the next attempt, or undefined to give up. Exponential backoff with full jitter spreads
 * out callers that failed at the same moment. The agent's Retry-After is added to it; if that exceeds the time left,
 * there is no next attempt.
 */
export function retryPause(
  { retry, error }: Failure,
  attempts: number,
  leftMs: number,
  { retries, backoffMs, keyed, random }: RetryPolicy,
): number | undefined {
  if (retry === "never" || (retry === "keyed" && !keyed) || attempts > retries) return undefined;
  const bound = Math.min(MAX_PAUSE_MS, backoffMs * 2 ** (attempts - 1));
  const pause = (error.retryAfterMs ?? 0) + random() * bound;
  return pause < leftMs ? pause : undefined;
}
