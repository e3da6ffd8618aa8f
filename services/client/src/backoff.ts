/** How often, for how long and with which delays to retry. */
export type RetryPolicy = {
  /** Retries in a row without progress; progress resets the count. */
  readonly maxAttempts: number;
  /** Milliseconds since the first failure. A delay that would exceed them is not started. */
  readonly maxElapsedMs: number;
  /** Bounds of the exponential backoff, in milliseconds. */
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
};

export type RetryClock = { readonly now: () => number; readonly random: () => number };

const CLOCK: RetryClock = { now: () => performance.now(), random: () => Math.random() };

/** Counts the retries of one outage and computes the delay before the next one. */
export class RetryBudget {
  readonly #policy: RetryPolicy;
  readonly #clock: RetryClock;
  #attempts = 0;
  #since: number | undefined;

  constructor(policy: RetryPolicy, clock: RetryClock = CLOCK) {
    this.#policy = policy;
    this.#clock = clock;
  }

  get attempts(): number {
    return this.#attempts;
  }

  /**
   * @param atLeastMs the delay that the server asked for. Jitter is added to it, so that clients which got
   *   the same value do not retry at the same moment.
   * @returns milliseconds to wait, or undefined to give up
   */
  next(atLeastMs = 0): number | undefined {
    const { maxAttempts, maxElapsedMs, minDelayMs, maxDelayMs } = this.#policy;
    const now = this.#clock.now();
    this.#since ??= now;
    if (this.#attempts >= maxAttempts) return undefined;
    const bound = Math.min(maxDelayMs, minDelayMs * 2 ** this.#attempts);
    // Equal jitter: the fixed half prevents a busy loop, the random half spreads the clients.
    const backoff = bound / 2 + (this.#clock.random() * bound) / 2;
    const asked = atLeastMs > 0 ? atLeastMs + this.#clock.random() * minDelayMs : 0;
    const delay = Math.max(backoff, asked);
    if (now - this.#since + delay > maxElapsedMs) return undefined;
    this.#attempts++;
    return delay;
  }

  /** Call after progress: the next failure counts as a new outage. */
  reset(): void {
    this.#attempts = 0;
    this.#since = undefined;
  }
}

/** `Retry-After`, in seconds or as an HTTP date, as milliseconds from now. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // An HTTP date begins with the name of a day. `Date.parse` alone accepts many other strings.
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
