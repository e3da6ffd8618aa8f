/** Draws that a seed determines. */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  chance(probability: number): boolean;
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  /** Some of a list, in a random order. */
  sample<T>(list: readonly T[], count: number): T[];
  weighted<T>(list: readonly (readonly [T, number])[]): T;
};

/** mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)];
    if (found === undefined) throw new RangeError("There is nothing to pick from.");
    return found;
  };
  return {
    next,
    below,
    pick,
    chance: (probability) => next() < probability,
    sample: (list, count) => {
      const left = [...list];
      const taken = [];
      while (taken.length < count && left.length > 0) taken.push(...left.splice(below(left.length), 1));
      return taken;
    },
    weighted: (list) => {
      let at = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of list) {
        at -= weight;
        if (at < 0) return value;
      }
      return pick(list)[0];
    },
  };
}
