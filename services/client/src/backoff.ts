/** How often, how long and how patiently to try again. */
export type RetryPolicy = {
  /** Attempts after the first failure, without any progress between them. */
  readonly maxAttempts: number;
  /** Milliseconds from the first failure on; a pause that would go past it is not begun. */
  readonly maxElapsedMs: number;
  /** Bounds of the pause, which doubles from one to the other. */
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
};

export type RetryClock = { readonly now: () => number; readonly random: () => number };

const CLOCK: RetryClock = { now: () => performance.now(), random: () => Math.random() };

/** Counts one spell of trouble, and says how long to wait before the next attempt. */
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
   * @param atLeastMs what the server asked for; jitter is added to it, so that clients told the same do not come back together
   * @returns milliseconds to wait, or undefined when it is time to give up
   */
  next(atLeastMs = 0): number | undefined {
    const { maxAttempts, maxElapsedMs, minDelayMs, maxDelayMs } = this.#policy;
    const now = this.#clock.now();
    this.#since ??= now;
    if (this.#attempts >= maxAttempts) return undefined;
    const bound = Math.min(maxDelayMs, minDelayMs * 2 ** this.#attempts);
    // Half of it is certain, so that attempts never become a busy loop; the other half spreads the clients.
    const backoff = bound / 2 + (this.#clock.random() * bound) / 2;
    const asked = atLeastMs > 0 ? atLeastMs + this.#clock.random() * minDelayMs : 0;
    const delay = Math.max(backoff, asked);
    if (now - this.#since + delay > maxElapsedMs) return undefined;
    this.#attempts++;
    return delay;
  }

  /** Something was achieved: the next trouble is a new one. */
  reset(): void {
    this.#attempts = 0;
    this.#since = undefined;
  }
}

/** `Retry-After` in either of its forms, as milliseconds from now. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // A date begins with the name of a day; engines make dates of much else.
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
