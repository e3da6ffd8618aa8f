const TICK_MS = 100;
/** A gap this long between ticks means that the event loop was blocked or the process frozen. Ordinary load stays well below. */
const STALL_MS = 1_000;

/**
 * A monotonic clock that stands still while this process does. Measured by it, a time-out in which the gateway itself was blocked or
 * frozen is not the agent's.
 */
export class AwakeClock {
  readonly #timer = setInterval(() => this.#observe(), TICK_MS).unref();
  readonly #monotonic: () => number;
  #seenAt: number;
  #lostMs = 0;

  /** @param monotonic milliseconds of a clock that is never set back */
  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
    this.#seenAt = monotonic();
  }

  /** Milliseconds that this process has lost to stalls. */
  get lostMs(): number {
    this.#observe();
    return this.#lostMs;
  }

  now(): number {
    const now = this.#observe();
    return now - this.#lostMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Timers that were due during a stall fire in any order after it, so each reading checks for a stall itself. */
  #observe(): number {
    const now = this.#monotonic();
    const gap = now - this.#seenAt;
    if (gap > STALL_MS) this.#lostMs += gap;
    this.#seenAt = now;
    return now;
  }
}
