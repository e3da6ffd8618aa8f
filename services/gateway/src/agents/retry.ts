import type { Failure } from "./outcome.ts";

const MAX_PAUSE_MS = 30_000;

export type RetryRules = {
  /** Attempts after the first. */
  retries: number;
  backoffMs: number;
  /** Whether repeating a run that may have begun is safe. */
  keyed: boolean;
  /** In [0, 1). */
  random: () => number;
};

/**
 * How long to pause before the next attempt, or undefined to give up. Exponential backoff with full jitter:
 * drawn between 0 and the bound, so that many callers that failed together do not come back together. What the
 * agent asks for with Retry-After comes on top, and ends the matter if it is more than the time left.
 */
export function retryPause(
  { retry, retryAfterMs = 0 }: Failure,
  attempts: number,
  leftMs: number,
  { retries, backoffMs, keyed, random }: RetryRules,
): number | undefined {
  if (retry === "never" || (retry === "keyed" && !keyed) || attempts > retries) return undefined;
  const bound = Math.min(MAX_PAUSE_MS, backoffMs * 2 ** (attempts - 1));
  const pause = retryAfterMs + random() * bound;
  return pause < leftMs ? pause : undefined;
}
