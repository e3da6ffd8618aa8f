/** Longest time that a group gathers items. */
const GATHER_MS = 2;

/**
 * Resolves after a turn of the event loop in which the group did not grow, or after GATHER_MS. Redis wakes up and syncs its file once per
 * group, so that it pays to wait for the requests that are being read right now.
 */
export async function gathered(size: () => number): Promise<void> {
  const until = performance.now() + GATHER_MS;
  let before: number;
  do {
    before = size();
    await new Promise<void>((resolve) => setImmediate(resolve));
  } while (size() > before && performance.now() < until);
}

type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Sends items in groups: while one group is under way, the items that arrive form the next. Under load they share a round trip and a
 * script; a single item is sent at once.
 */
export class GroupCall<T, R> {
  readonly #send: (items: readonly T[]) => Promise<readonly R[]>;
  readonly #most: number;
  #waiting: Waiting<T, R>[] = [];
  #sending = false;

  /** @param send answers every item, in order */
  constructor(send: (items: readonly T[]) => Promise<readonly R[]>, most: number) {
    this.#send = send;
    this.#most = most;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await gathered(() => this.#waiting.length);
      const group = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#send(group.map(({ item }) => item));
        group.forEach(({ resolve, reject }, index) => {
          const result = results[index];
          if (result === undefined) reject(new Error("a group call was not answered whole"));
          else resolve(result);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#sending = false;
  }
}
