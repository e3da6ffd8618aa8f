import { setImmediate } from "node:timers/promises";

/** Work that may pause at each `yield`. */
export type InPieces<T> = Generator<void, T, void>;

/** Work of this length is done in one turn of the event loop, unless a piece is longer. */
const TURN_MS = 5;

export function atOnce<T>(work: InPieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Yields to other work every few milliseconds. */
export async function inTurns<T>(work: InPieces<T>): Promise<T> {
  for (;;) {
    await setImmediate();
    const began = performance.now();
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() - began < TURN_MS);
  }
}
