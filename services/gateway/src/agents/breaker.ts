import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from "cockatiel";
import type { BreakerState } from "./types.ts";

export type BreakerOptions = {
  /** Number of consecutive failures that open the breaker. */
  failures: number;
  /** How long the breaker stays open before one request may probe the agent. */
  coolDownMs: number;
  onState?: ((state: BreakerState) => void) | undefined;
};

/** Permission to send one request. Its holder reports how the request ended. */
export type Permit = {
  /** The agent responded. That closes a half-open breaker; a closed one waits for the end of the request. */
  alive(): void;
  succeed(): void | Promise<void>;
  fail(): void | Promise<void>;
  /** The request was cancelled, which says nothing about the agent. */
  abandon(): void;
};

type Probe = PromiseWithResolvers<void> & { execution: Promise<void> };

/**
 * The circuit breaker of one agent. The library supplies the state machine; this class decides what to report to it.
 * A stream can last minutes, so its outcome is reported instead of awaited. While a probe is in progress all other
 * requests are rejected at once. A cancelled probe does not count: the next request becomes the probe.
 */
export class Breaker {
  readonly #counter: ConsecutiveBreaker;
  readonly #policy: CircuitBreakerPolicy;
  readonly #ordinary: Permit = {
    alive: ignore,
    succeed: () => (this.#counter.state === 0 ? undefined : this.#report(SUCCEED)),
    fail: () => this.#report(FAIL),
    abandon: ignore,
  };
  #probe: Probe | undefined;
  #probing = false;

  constructor({ failures, coolDownMs, onState }: BreakerOptions) {
    this.#counter = new ConsecutiveBreaker(failures);
    this.#policy = circuitBreaker(handleAll, { breaker: this.#counter, halfOpenAfter: coolDownMs });
    if (onState !== undefined) this.#policy.onStateChange((state) => onState(NAMES[state]));
  }

  get state(): BreakerState {
    return NAMES[this.#policy.state];
  }

  /** Undefined while the breaker is open. */
  enter(): Permit | undefined {
    if (this.#policy.state === CircuitState.Closed) return this.#ordinary;
    if (this.#probing) return undefined;
    this.#probe ??= this.#startProbe();
    if (this.#probe === undefined) return undefined;
    this.#probing = true;
    return this.#probePermit(this.#probe);
  }

  /** `execute` switches to half-open before it returns, or rejects because the cool-down has not passed. */
  #startProbe(): Probe | undefined {
    const verdict = Promise.withResolvers<void>();
    const execution = this.#policy.execute(() => verdict.promise).catch(ignore);
    return this.#policy.state === CircuitState.HalfOpen ? { ...verdict, execution } : undefined;
  }

  /** The returned promises settle once the breaker has changed state. */
  #probePermit(probe: Probe): Permit {
    let told = false;
    const tell = (verdict: () => void): Promise<void> => {
      told = true;
      verdict();
      return probe.execution.then(() => {
        this.#probe = undefined;
        this.#probing = false;
      });
    };
    return {
      alive: () => void (told ? undefined : tell(probe.resolve)),
      succeed: () => (told ? undefined : tell(probe.resolve)),
      fail: () => (told ? this.#report(FAIL) : tell(() => probe.reject(new Error("probe failed")))),
      abandon: () => {
        if (!told) this.#probing = false;
      },
    };
  }

  /** Ignores requests that were sent while the breaker was closed and end after it has opened. */
  async #report(outcome: () => void): Promise<void> {
    if (this.#policy.state === CircuitState.Closed) await this.#policy.execute(outcome).catch(ignore);
  }
}

const NAMES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
};

function ignore(): void {}

const SUCCEED = ignore;
function FAIL(): never {
  throw new Error("attempt failed");
}
