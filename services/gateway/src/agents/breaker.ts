import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from "cockatiel";
import type { BreakerState } from "./types.ts";

export type BreakerOptions = {
  /** Failures in a row that open it. */
  failures: number;
  /** How long it stays open before one request may probe. */
  coolDownMs: number;
  onState?: ((state: BreakerState) => void) | undefined;
};

/** The right to send one request; says afterwards what became of it. */
export type Pass = {
  /** A first sign of life: enough for a probe, while in ordinary service only the end counts. */
  alive(): void;
  succeed(): void | Promise<void>;
  fail(): void | Promise<void>;
  /** Neither: a cancellation says nothing about the agent. */
  abandon(): void;
};

type Probe = PromiseWithResolvers<void> & { execution: Promise<void> };

/**
 * One agent's circuit breaker. The state machine is the library's; this decides what it is told. A stream can
 * last minutes, so its outcome is reported rather than awaited: while a probe is under way everyone else is
 * turned away at once, and a probe that was cancelled is left to the next caller instead of counting.
 */
export class Breaker {
  readonly #counter: ConsecutiveBreaker;
  readonly #policy: CircuitBreakerPolicy;
  readonly #ordinary: Pass = {
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

  /** Undefined while it is open. */
  enter(): Pass | undefined {
    if (this.#policy.state === CircuitState.Closed) return this.#ordinary;
    if (this.#probing) return undefined;
    this.#probe ??= this.#startProbe();
    if (this.#probe === undefined) return undefined;
    this.#probing = true;
    return this.#probePass(this.#probe);
  }

  /** `execute` takes the step to half-open before it returns, or refuses because it is too early. */
  #startProbe(): Probe | undefined {
    const verdict = Promise.withResolvers<void>();
    const execution = this.#policy.execute(() => verdict.promise).catch(ignore);
    return this.#policy.state === CircuitState.HalfOpen ? { ...verdict, execution } : undefined;
  }

  /** The returned promises settle once the breaker's state shows the verdict. */
  #probePass(probe: Probe): Pass {
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

  /** What a request of the closed state has to say is of no interest once the breaker has opened. */
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
