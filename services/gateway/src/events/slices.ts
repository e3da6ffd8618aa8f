import type { StoredEvent } from "./run-event.ts";

/** Characters that are given to a reader at once, unless a single event is larger. */
const SLICE = 64 * 1024;

/** Cuts a batch so that a reader that falls behind need not take all of it. */
export function* slices(batch: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let from = 0;
  let characters = 0;
  for (let at = 0; at < batch.length; at++) {
    const length = batch[at]?.json.length ?? 0;
    if (at > from && characters + length > SLICE) {
      yield batch.slice(from, at);
      [from, characters] = [at, 0];
    }
    characters += length;
  }
  if (from < batch.length) yield from === 0 ? batch : batch.slice(from);
}
