import { setTimeout as sleep } from "node:timers/promises";
import { slowness } from "../lib/machine-speed.ts";

/** How much longer than on the machine that limits of time were set on the same may take here, with other work beside it. */
export const ROOM = 1.5 * slowness();

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

/** Waits for a condition, longer on a slower machine. @returns whether it became true in time */
export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs * ROOM;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
}
