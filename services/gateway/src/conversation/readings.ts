import type { EntityIndex, Slots } from "../language/index.ts";

/** Characters of texts whose readings are kept for one catalogue: those of some turns with all their clauses. */
const MOST_KEPT = 64_000;

type Kept<Reading> = { readonly before: Slots; readonly reading: Reading };

/** What was read lately. A message and its clauses are asked about from several sides, when its flow is chosen and when it is interpreted. */
export class Readings<Reading> {
  readonly #kept = new WeakMap<EntityIndex, { byText: Map<string, Kept<Reading>>; chars: number }>();

  /** The reading that is kept of a text while the slots before it are the same, or else a new one. */
  of(index: EntityIndex, text: string, before: Slots, read: () => Reading): Reading {
    const kept = this.#kept.get(index) ?? { byText: new Map(), chars: 0 };
    // The slots before it are compared by identity: they may be as many as the names of a large catalogue.
    const key = isEmpty(before) ? `new ${text}` : `old ${text}`;
    const known = kept.byText.get(key);
    if (known && (known.before === before || isEmpty(before))) return known.reading;
    const reading = read();
    if (kept.chars + key.length > MOST_KEPT) Object.assign(kept, { byText: new Map(), chars: 0 });
    kept.byText.set(key, { before, reading });
    kept.chars += key.length;
    this.#kept.set(index, kept);
    return reading;
  }
}

const isEmpty = (slots: Slots): boolean => Object.keys(slots).length === 0;
