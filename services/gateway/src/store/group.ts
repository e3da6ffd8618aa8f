/** Milliseconds that a group may gather for as long as it grows. */
const GATHER_MS = 2;

/**
 * Resolves at the end of a turn of the event loop in which nothing more has come for the group, or when it has gathered long enough. The
 * store wakes once for a whole group, and syncs once; while requests come in there is nothing better to do than to take them.
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
 * Sends items in groups: one group is under way, and what comes meanwhile goes together with the next. Under load a round trip, a
 * command and its script are shared by all; an item that comes alone goes at once.
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
