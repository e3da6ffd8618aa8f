import { ignore, Scope } from "./abort.ts";
import { deferred } from "./deferred.ts";
import { InterlockError } from "./errors.ts";

/** The parts of an event stream. */
export type StreamSource<E, R> = {
  /** Starts to read. No request is sent before. */
  readonly open: (signal: AbortSignal) => AsyncGenerator<E, void, undefined>;
  /**
   * The result of the events read so far.
   * @param left whether the caller left before the stream ended
   * @throws RunFailedError, AbortedError if there is no successful result
   */
  readonly conclude: (left: boolean) => R;
  readonly position: { readonly runId: string | undefined; readonly seq: number };
};

/**
 * The events of a run, and its result. The client sends no request until the stream is iterated or `result`
 * is read. A stream can be iterated once; leaving the loop early closes the connection.
 */
export class EventStream<E, R> implements AsyncIterable<E> {
  readonly #source: StreamSource<E, R>;
  readonly #signal: AbortSignal | undefined;
  readonly #result = deferred<R>();
  #iterator: AsyncIterableIterator<E> | undefined;
  #draining = false;

  constructor(source: StreamSource<E, R>, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#signal = signal;
    // Iteration reports failures too, so a result that nobody reads must not be an unhandled rejection.
    this.#result.promise.catch(ignore);
  }

  /** The run's id, once the gateway has sent it. */
  get runId(): string | undefined {
    return this.#source.position.runId;
  }

  /** Seq of the last event that was read; pass it to `runs.events` as `after` to continue from there. */
  get lastSeq(): number {
    return this.#source.position.seq;
  }

  /**
   * How the run ended. Rejects with RunFailedError if the run did not succeed, with StreamError, ApiError or
   * ConnectionError if the stream could not be read, and with AbortedError if the caller left it. If nobody
   * iterates the stream, reading this property consumes it.
   */
  get result(): Promise<R> {
    if (!this.#iterator && !this.#draining) {
      this.#draining = true;
      // Deferred by a microtask: a loop that the caller starts in the same tick consumes the stream instead.
      queueMicrotask(() => {
        if (!this.#iterator) this.#drain(this.#start()).catch(ignore);
      });
    }
    return this.#result.promise;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<E> {
    if (this.#iterator) throw new InterlockError("stream_consumed", "The stream is already being read.");
    return this.#start();
  }

  #start(): AsyncIterableIterator<E> {
    const scope = new Scope(this.#signal);
    const events = this.#source.open(scope.signal);
    let left = false;
    const close = (settle: () => void): void => {
      scope.close();
      settle();
    };
    const iterator: AsyncIterableIterator<E> = {
      next: async () => {
        try {
          const step = await events.next();
          if (step.done) close(() => this.#conclude(false));
          return step;
        } catch (error) {
          close(() => this.#result.reject(error));
          // The caller has left the loop, so the read that this aborted is not an error.
          if (left) return { done: true, value: undefined };
          throw error;
        }
      },
      // A generator's `return` waits for the pending `next`. This one aborts that read first.
      return: async () => {
        left = true;
        close(() => this.#conclude(true));
        await events.return();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    this.#iterator = iterator;
    return iterator;
  }

  #conclude(left: boolean): void {
    try {
      this.#result.resolve(this.#source.conclude(left));
    } catch (error) {
      this.#result.reject(error);
    }
  }

  async #drain(events: AsyncIterable<E>): Promise<void> {
    for await (const _ of events);
  }
}
