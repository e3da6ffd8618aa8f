/** Seeded random numbers: a seed repeats the choice of faults, but their effect still depends on timing. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Scrambles the seed, so that neighbouring seeds give unrelated sequences.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** A number in [0, 1), by the mulberry32 generator. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from min to max, inclusive. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = list[this.int(0, list.length - 1)];
    if (chosen === undefined) throw new RangeError("there is nothing to pick from");
    return chosen;
  }

  /** One of the entries, with a probability proportional to its weight. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let left = this.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const entry of list) {
      left -= entry.weight;
      if (left < 0) return entry;
    }
    return this.pick(list);
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    const result: T[] = [];
    while (left.length > 0) result.push(...left.splice(this.int(0, left.length - 1), 1));
    return result;
  }

  /** An independent sequence. */
  fork(): Random {
    return new Random(this.int(0, 2 ** 31));
  }
}
