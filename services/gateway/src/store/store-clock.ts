/** How long a sample counts: the clocks may drift, be set, or, after a failover, belong to another server. */
const SAMPLE_MS = 15_000;

/**
 * Translates local deadlines into the store's time. A deadline is never later than it is here: a sample says what the store's clock
 * showed at the latest when its reply arrived.
 */
export class StoreClock {
  /** Store time minus local time, at most: of this period and of the one before. */
  #current = Number.NEGATIVE_INFINITY;
  #before = Number.NEGATIVE_INFINITY;
  #since = performance.now();

  /** Learns from a reply that has just arrived. @param storeMs the store's time when it made the reply */
  observe(storeMs: number): void {
    const now = performance.now();
    if (now - this.#since > SAMPLE_MS) {
      this.#before = now - this.#since > 2 * SAMPLE_MS ? Number.NEGATIVE_INFINITY : this.#current;
      this.#current = Number.NEGATIVE_INFINITY;
      this.#since = now;
    }
    this.#current = Math.max(this.#current, storeMs - now);
  }

  /** Forgets everything but this sample, which contradicts the others. */
  reset(storeMs: number): void {
    this.#before = Number.NEGATIVE_INFINITY;
    this.#current = storeMs - performance.now();
    this.#since = performance.now();
  }

  /** The store's time at a local time (ms of performance.now()); a moment earlier where the samples are imprecise. */
  at(localMs: number): number {
    return Math.floor(localMs + Math.max(this.#current, this.#before));
  }
}
