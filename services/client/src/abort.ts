import { deferred } from "./deferred.ts";
import { AbortedError } from "./errors.ts";

export function ignore(): void {}

/**
 * An abort signal of our own that also fires when the caller's signal does. Close every scope: an open one
 * keeps its listener on the caller's signal for as long as that signal lives.
 */
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

  /** Aborts everything that runs under this scope, and removes the listener from the caller's signal. */
  close(reason?: unknown): void {
    this.#outer?.removeEventListener("abort", this.#follow);
    this.#own.abort(reason);
  }
}

/** @throws AbortedError */
export function checkAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError(signal.reason);
}

/**
 * Settles like the promise, or rejects as soon as the signal fires, even if the promise never settles.
 * @throws AbortedError
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = deferred<never>();
  const onAbort = (): void => aborted.reject(new AbortedError(signal.reason));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The longest delay of `setTimeout`, a signed 32-bit number; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws AbortedError as soon as the signal fires */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred<void>();
  const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
  try {
    await abortable(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
