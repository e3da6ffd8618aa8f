import type { BreakerState } from "./types.ts";

export type BreakerOptions = {
  /** Number of consecutive failures that open the breaker. */
  failures: number;
  /** Longest time for which an open breaker ignores that its agent is ready. */
  restMs: number;
  onState?: ((state: BreakerState) => void) | undefined;
};

/** Permission to send one request. Its holder reports how the request ended. */
export type Permit = {
  /** The agent responded. That closes a half-open breaker; a closed one waits for the end of the request. */
  alive(): void;
  succeed(): void;
  fail(): void;
};

/** How much shorter than the longest rest the first one is; each further one is twice as long. */
const REST_STEPS = 10;

/**
 * The circuit breaker of one agent. Failures in a row open it. No request probes an agent behind an open breaker: its health check
 * does, and makes the breaker half-open. A half-open breaker lets every request through; the first response closes it, the first
 * failure opens it again. An agent that is ready and still fails gets ever longer rests, until one of its runs succeeds.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #state: BreakerState = "closed";
  #failures = 0;
  /** How often it has opened since the last success. */
  #openings = 0;
  /** As of performance.now(). */
  #restUntil = 0;
  /** One permit serves all requests until the breaker opens. */
  #permit: Permit = this.#issue();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Undefined while the breaker is open. */
  enter(): Permit | undefined {
    return this.#state === "open" ? undefined : this.#permit;
  }

  /** The agent's health check has found it ready. */
  ready(): void {
    if (this.#state === "open" && performance.now() >= this.#restUntil) this.#become("half_open");
  }

  /** Requests that were sent before the breaker opened and end later say nothing about the agent as it is now. */
  #issue(): Permit {
    const ifCurrent = (report: () => void) => (): void => {
      if (this.#permit === permit) report();
    };
    const permit: Permit = {
      alive: ifCurrent(() => this.#onAlive()),
      succeed: ifCurrent(() => {
        this.#onAlive();
        this.#failures = 0;
        this.#openings = 0;
      }),
      fail: ifCurrent(() => this.#onFailure()),
    };
    return permit;
  }

  #onAlive(): void {
    if (this.#state !== "half_open") return;
    this.#failures = 0;
    this.#become("closed");
  }

  #onFailure(): void {
    this.#failures++;
    if (this.#state === "closed" && this.#failures < this.#options.failures) return;
    const { restMs } = this.#options;
    const rest = this.#openings === 0 ? 0 : (restMs / REST_STEPS) * 2 ** (this.#openings - 1);
    this.#restUntil = performance.now() + Math.min(restMs, rest);
    this.#openings++;
    this.#failures = 0;
    this.#permit = this.#issue();
    this.#become("open");
  }

  #become(state: BreakerState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }
}
