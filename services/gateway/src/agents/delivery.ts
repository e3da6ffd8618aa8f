import type { AgentEvent } from "./types.ts";

type OnEvent = (event: AgentEvent) => void | Promise<void>;

/** What a delivery controls: the connection that its events come from. */
export type Source = { pause(): void; resume(): void; fail(error: unknown): void };

/**
 * Passes events to a handler, one at a time. While the handler's promise is pending, the source is paused and the
 * remaining events of its last chunk are queued here. A handler that returns no promise costs no allocation.
 */
export class Delivery {
  readonly #onEvent: OnEvent;
  readonly #source: Source;
  #waiting: AgentEvent[] = [];
  #next = 0;
  #busy = false;
  #stopped = false;

  constructor(onEvent: OnEvent, source: Source) {
    this.#onEvent = onEvent;
    this.#source = source;
  }

  /** True while the handler is still working on an event. */
  get busy(): boolean {
    return this.#busy;
  }

  give(event: AgentEvent): void {
    if (this.#busy) this.#waiting.push(event);
    else this.#hand(event);
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting = [];
  }

  /** Returns false when the handler needs time. */
  #hand(event: AgentEvent): boolean {
    const done = this.#onEvent(event);
    if (!done) return true;
    this.#busy = true;
    this.#source.pause();
    done.then(
      () => this.#continue(),
      (error: unknown) => this.#fail(error),
    );
    return false;
  }

  #continue(): void {
    if (this.#stopped) return;
    this.#busy = false;
    try {
      while (this.#next < this.#waiting.length) {
        const event = this.#waiting[this.#next++];
        if (event !== undefined && !this.#hand(event)) return;
        if (this.#stopped) return;
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#waiting = [];
    this.#next = 0;
    this.#source.resume();
  }

  #fail(error: unknown): void {
    if (!this.#stopped) this.#source.fail(error);
  }
}
