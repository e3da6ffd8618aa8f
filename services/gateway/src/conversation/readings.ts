import type { EntityIndex, Slots } from "../language/index.ts";

/** Characters of texts whose readings are kept for one catalogue: those of some turns with all their clauses. */
const MOST_KEPT = 64_000;

/** What was read lately. A message and its clauses are asked about from several sides, when its flow is chosen and when it is interpreted. */
export class Readings<Reading> {
  readonly #kept = new WeakMap<EntityIndex, { byKey: Map<string, { reading: Reading }>; chars: number }>();

  /** The reading that is kept of a text while the slots before it were the same, or else a new one. */
  of(index: EntityIndex, text: string, before: Slots, read: () => Reading): Reading {
    const key = `${JSON.stringify(before)}${text}`;
    const kept = this.#kept.get(index) ?? { byKey: new Map(), chars: 0 };
    const known = kept.byKey.get(key);
    if (known) return known.reading;
    const reading = read();
    if (kept.chars + key.length > MOST_KEPT) Object.assign(kept, { byKey: new Map(), chars: 0 });
    kept.byKey.set(key, { reading });
    kept.chars += key.length;
    this.#kept.set(index, kept);
    return reading;
  }
}
