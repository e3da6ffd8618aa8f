import type { ModelSettings } from "../mesh/index.ts";
import { AttemptFailure } from "./failure.ts";

/** The reason of aborts: without one, each would create an error with a stack trace. */
const OVER = "over";

export type DeadlinesOf = {
  signal: AbortSignal | undefined;
  settings: ModelSettings;
  /** Why an attempt failed, if neither its caller nor a deadline ended it. */
  wire: { failure(): AttemptFailure };
};

/** The deadlines of one attempt: they end its request, and tell why it ended. */
export class Deadlines {
  readonly #caller: AbortSignal | undefined;
  readonly #wire: DeadlinesOf["wire"];
  readonly #abort = new AbortController();
  readonly #startedAt = performance.now();
  readonly #whole: NodeJS.Timeout;
  readonly #onCallerGone = (): void => this.#abort.abort(OVER);
  #first: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor({ signal, settings, wire }: DeadlinesOf) {
    this.#caller = signal;
    this.#wire = wire;
    this.#whole = setTimeout(() => this.#late(), settings.timeoutMs);
    if (signal?.aborted) this.#onCallerGone();
    else signal?.addEventListener("abort", this.#onCallerGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  expectFirstToken(ms: number): void {
    this.#first = setTimeout(() => this.#late(), ms);
  }

  /** @returns milliseconds since the attempt began */
  firstToken(): number {
    clearTimeout(this.#first);
    return performance.now() - this.#startedAt;
  }

  /** For work that may take its time to notice an abort. */
  async within<T>(work: PromiseLike<T>): Promise<T> {
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(OVER);
    if (this.signal.aborted) onAbort();
    else this.signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([work, aborted.promise]);
    } finally {
      this.signal.removeEventListener("abort", onAbort);
    }
  }

  failureOf(error: unknown): AttemptFailure {
    if (this.#caller?.aborted) return new AttemptFailure("cancelled");
    if (this.#isLate) return new AttemptFailure("timeout");
    return error instanceof AttemptFailure ? error : this.#wire.failure();
  }

  /** Closes the connection of an attempt whose reader has left early. */
  end(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#first);
    this.#caller?.removeEventListener("abort", this.#onCallerGone);
    this.#abort.abort(OVER);
  }

  #late(): void {
    this.#isLate = true;
    this.#abort.abort(OVER);
  }
}
