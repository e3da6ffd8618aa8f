import { AbortedError } from "./errors.ts";

export const ignore = (): void => undefined;

/** A signal of our own that also follows the caller's. Every one must be closed: it else hangs on the caller's for good. */
export class Scope {
  readonly #own = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #follow = (): void => this.#own.abort(this.#outer?.reason);

  constructor(outer?: AbortSignal) {
    this.#outer = outer;
    if (outer?.aborted) this.#follow();
    else outer?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Ends what runs under this scope, and lets go of the caller's signal. */
  close(reason?: unknown): void {
    this.#outer?.removeEventListener("abort", this.#follow);
    this.#own.abort(reason);
  }
}

/** @throws AbortedError */
export function checkAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError(signal.reason);
}

/** The promise's outcome, or an AbortedError as soon as the signal fires, whatever becomes of the promise. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new AbortedError(signal.reason));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Timers hold no more than 31 bits; what is longer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws AbortedError as soon as the signal fires */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
  try {
    await abortable(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
