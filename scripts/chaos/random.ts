/** Random numbers that a seed repeats: which faults come, where and when. What they meet still depends on the machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring sequences.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** In [0, 1). The generator is known as mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from min to max, both included. */
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

  /** One of the entries, each as likely as its weight says. */
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

  /** A sequence of its own, which what others draw does not disturb. */
  fork(): Random {
    return new Random(this.int(0, 2 ** 31));
  }
}
