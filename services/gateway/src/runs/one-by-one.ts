/**
 * Lets work begin in the order in which it comes, one piece in each turn of the event loop. What arrives meanwhile is read and answered
 * before all that has come earlier is done.
 */
export class OneByOne {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#next);
    });
  }

  readonly #next = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };
}
