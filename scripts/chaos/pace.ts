import { setTimeout as sleep } from "node:timers/promises";

/** Does `work` for every item, at most `lanes` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  // All lanes share one iterator: each takes the next item.
  const entries = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of entries) await work(item, at);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
}

/** Waits for a condition. @returns whether it became true in time */
export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
}
