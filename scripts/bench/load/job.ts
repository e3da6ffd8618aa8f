/** Load that goes on until it is told to stop; between `record` and `finish` it counts. */
export type Job<Result> = {
  record(): void;
  finish(): Promise<Result>;
};

/** How often something went wrong, and what the first time was. */
export class Troubles {
  count = 0;
  first = "";

  add(what: string): void {
    if (this.count++ === 0) this.first = what.slice(0, 300);
  }
}

/** Counting begins with `record`, ends with `finish`. */
export class Window {
  #from = Number.NaN;
  #to = Number.NaN;

  open(): void {
    this.#from = performance.now();
  }

  close(): void {
    this.#to = performance.now();
  }

  get isOpen(): boolean {
    return !Number.isNaN(this.#from) && Number.isNaN(this.#to);
  }

  get seconds(): number {
    return (this.#to - this.#from) / 1000;
  }
}

/** Resolves with the work, or after this long without it. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Runs the work for every entry, `concurrency` at once. */
export async function forEach<T>(
  entries: readonly T[],
  concurrency: number,
  work: (entry: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (;;) {
      const index = next++;
      if (index >= entries.length) return;
      await work(entries[index] as T);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
