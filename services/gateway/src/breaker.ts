export type BreakerState = "closed" | "open" | "half_open";

export type BreakerOptions = {
  /** Number of consecutive failures that open the breaker. */
  failures: number;
  /** For how long it stays open: with a health check the maximum, else a fixed time. */
  restMs: number;
  /**
   * How recovery is detected. With a health check, `ready` lets all requests through again. Without one, a single trial request decides.
   */
  recovery: "health_check" | "request";
  onState?: ((state: BreakerState) => void) | undefined;
};

/** Permission to send one request. Its holder reports how the request ended; `unknown` says nothing about the upstream. */
export type Permit = {
  /** The upstream responded. That closes a half-open breaker; a closed one waits for the end of the request. */
  alive(): void;
  end(outcome: "ok" | "failed" | "unknown"): void;
};

/** The first pause is this many times shorter than the longest one; each further one is twice as long. */
const REST_STEPS = 10;

/**
 * The circuit breaker of one agent or model. Failures in a row open it. Where a health check makes it half-open, the first response closes
 * it and the first failure opens it again; an upstream that is ready and still fails gets ever longer rests, until a request succeeds.
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

  /** Whether a request would be refused now. */
  get refuses(): boolean {
    if (this.#options.recovery === "health_check") return this.#state === "open";
    return this.#state === "half_open" || (this.#state === "open" && this.#rests);
  }

  /** Undefined where no request may be sent. */
  enter(): Permit | undefined {
    if (this.refuses) return undefined;
    this.ready();
    return this.#permit;
  }

  /** Lets requests through again, unless the pause is not over. */
  ready(): void {
    if (this.#state === "open" && !this.#rests) this.#become("half_open");
  }

  get #rests(): boolean {
    return performance.now() < this.#restUntil;
  }

  /** Requests that were sent before the breaker opened and end later say nothing about the upstream as it is now. */
  #issue(): Permit {
    const ifCurrent = (report: () => void): void => {
      if (this.#permit === permit) report();
    };
    const permit: Permit = {
      alive: () => ifCurrent(() => this.#onAlive()),
      end: (outcome) => ifCurrent(() => this.#onEnd(outcome)),
    };
    return permit;
  }

  #onAlive(): void {
    if (this.#state !== "half_open") return;
    this.#failures = 0;
    this.#become("closed");
  }

  #onEnd(outcome: "ok" | "failed" | "unknown"): void {
    const isTrial = this.#state === "half_open";
    if (outcome === "ok") {
      this.#onAlive();
      this.#failures = 0;
      this.#openings = 0;
    } else if (outcome === "failed") {
      this.#failures++;
      if (isTrial || this.#failures >= this.#options.failures) this.#open();
    } else if (isTrial && this.#options.recovery === "request") {
      // The permit was returned without an outcome: the next request is the trial instead.
      this.#become("open");
    }
  }

  #open(): void {
    this.#restUntil = performance.now() + this.#restMs;
    this.#openings++;
    this.#failures = 0;
    this.#permit = this.#issue();
    this.#become("open");
  }

  get #restMs(): number {
    const { restMs, recovery } = this.#options;
    if (recovery === "request") return restMs;
    return this.#openings === 0 ? 0 : Math.min(restMs, (restMs / REST_STEPS) * 2 ** (this.#openings - 1));
  }

  #become(state: BreakerState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }
}
