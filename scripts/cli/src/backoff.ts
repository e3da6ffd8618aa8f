const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Whoever has run for this long has not ended of its start. */
const SETTLED_MS = 60_000;

/** How long one process rests before it is started again: twice as long after each end, until it has run for a minute. */
export class Backoff {
  #restMs = FIRST_MS;

  /** @param ranMs how long the process ran before it ended @returns milliseconds */
  rest(ranMs: number): number {
    const restMs = ranMs >= SETTLED_MS ? FIRST_MS : this.#restMs;
    this.#restMs = Math.min(restMs * 2, LONGEST_MS);
    return restMs;
  }
}
