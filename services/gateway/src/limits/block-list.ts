/** Expired keys are removed once there are this many. */
const MOST_STALE = 1_000;

/** Keys that are refused for a while, so that a flood costs only look-ups. */
export class BlockList {
  /** Until when, by performance.now(). */
  readonly #until = new Map<string, number>();

  add(key: string, ms: number): void {
    if (this.#until.size >= MOST_STALE) this.#removeExpired();
    this.#until.set(key, performance.now() + ms);
  }

  /** @returns milliseconds; 0 where the key is not blocked */
  remainingMs(key: string): number {
    if (this.#until.size === 0) return 0;
    const until = this.#until.get(key);
    if (until === undefined) return 0;
    const ms = until - performance.now();
    if (ms > 0) return ms;
    this.#until.delete(key);
    return 0;
  }

  #removeExpired(): void {
    const now = performance.now();
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
  }
}
