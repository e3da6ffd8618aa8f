import { ignore, Scope } from "./abort.ts";
import { InterlockError } from "./errors.ts";

/** What an event stream is made of. */
export type StreamSource<E, R> = {
  /** Begins to read; nothing was sent before. */
  readonly open: (signal: AbortSignal) => AsyncGenerator<E, void, undefined>;
  /** What the events that came amount to. Throws where that is no success; `left`: more may have come. */
  readonly conclude: (left: boolean) => R;
  readonly position: { readonly runId: string | undefined; readonly seq: number };
};

/**
 * The events of a run, and its result. Nothing is sent before the stream is iterated or its result is asked for; it can be read once.
 * Leaving a loop early closes the connection.
 */
export class EventStream<E, R> implements AsyncIterable<E> {
  readonly #source: StreamSource<E, R>;
  readonly #signal: AbortSignal | undefined;
  readonly #result = Promise.withResolvers<R>();
  #iterator: AsyncIterableIterator<E> | undefined;
  #draining = false;

  constructor(source: StreamSource<E, R>, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#signal = signal;
    // Whoever reads the events alone has heard of the failure there.
    this.#result.promise.catch(ignore);
  }

  /** The run's id, once the gateway has said it. */
  get runId(): string | undefined {
    return this.#source.position.runId;
  }

  /** The last event that was read: where `runs.events` can carry on. */
  get lastSeq(): number {
    return this.#source.position.seq;
  }

  /**
   * How the run ended. Rejects where it failed or was cancelled (RunFailedError), could not be read, or was left. Where nobody
   * iterates, asking for it reads the stream.
   */
  get result(): Promise<R> {
    if (!this.#iterator && !this.#draining) {
      this.#draining = true;
      // A loop that begins in the same breath is the one that reads.
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
          // To somebody who has left, being cut off is no failure.
          if (left) return { done: true, value: undefined };
          throw error;
        }
      },
      // Unlike a generator's own, this ends a read that is under way rather than wait for it.
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
