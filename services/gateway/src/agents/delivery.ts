import type { AgentEvent } from "./types.ts";

type OnEvent = (event: AgentEvent) => void | Promise<void>;

/** What a delivery does to the flow that feeds it. */
export type Flow = { pause(): void; resume(): void; fail(error: unknown): void };

/**
 * Hands events over one after another. While a handler's promise is pending the source is paused, and the few
 * events that its last chunk still held wait here. Without promises nothing is allocated.
 */
export class Delivery {
  readonly #onEvent: OnEvent;
  readonly #flow: Flow;
  #waiting: AgentEvent[] = [];
  #next = 0;
  #busy = false;
  #stopped = false;

  constructor(onEvent: OnEvent, flow: Flow) {
    this.#onEvent = onEvent;
    this.#flow = flow;
  }

  /** True while there is an event that its handler is not done with. */
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

  /** True when the handler took the event at once. */
  #hand(event: AgentEvent): boolean {
    const done = this.#onEvent(event);
    if (!done) return true;
    this.#busy = true;
    this.#flow.pause();
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
    this.#flow.resume();
  }

  #fail(error: unknown): void {
    if (!this.#stopped) this.#flow.fail(error);
  }
}
