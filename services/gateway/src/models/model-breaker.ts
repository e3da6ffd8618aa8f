import type { ModelBreakerState } from "./types.ts";

export type ModelBreakerOptions = {
  /** Failures in a row that open it. */
  failures: number;
  /** For how long it stays open. */
  restMs: number;
  onState?: (state: ModelBreakerState) => void;
};

/** Permission for one attempt. Its holder reports once how that ended; `unknown` says nothing of the model. */
export type ModelPermit = { end(outcome: "ok" | "failed" | "unknown"): void };

/**
 * The circuit breaker of one model on this replica. Nobody polls a model as agents are polled, so that an open breaker lets a single
 * attempt through after its rest, and stands or falls with it.
 */
export class ModelBreaker {
  readonly #options: ModelBreakerOptions;
  #state: ModelBreakerState = "closed";
  #failures = 0;
  /** As of performance.now(). */
  #restUntil = 0;
  /** Changes whenever the breaker does: attempts that began before say nothing of the model as it is now. */
  #round = 0;

  constructor(options: ModelBreakerOptions) {
    this.#options = options;
  }

  /** Whether an attempt would be let through now. */
  get isOpen(): boolean {
    if (this.#state === "open") return performance.now() < this.#restUntil;
    return this.#state === "half_open";
  }

  /** Undefined where no attempt may be made. */
  enter(): ModelPermit | undefined {
    if (this.isOpen) return undefined;
    if (this.#state === "open") this.#become("half_open");
    const round = this.#round;
    return { end: (outcome) => (round === this.#round ? this.#end(outcome) : undefined) };
  }

  #end(outcome: "ok" | "failed" | "unknown"): void {
    if (outcome === "ok") {
      this.#failures = 0;
      if (this.#state !== "closed") this.#become("closed");
    } else if (outcome === "failed") {
      this.#failures++;
      if (this.#state === "half_open" || this.#failures >= this.#options.failures)
        this.#open(this.#options.restMs);
    } else if (this.#state === "half_open") this.#open(0);
  }

  #open(restMs: number): void {
    this.#restUntil = performance.now() + restMs;
    this.#failures = 0;
    this.#become("open");
  }

  #become(state: ModelBreakerState): void {
    this.#state = state;
    this.#round++;
    this.#options.onState?.(state);
  }
}
