import { hasDigit } from "../text/tokens.ts";

/** Finds the keys within one edit of a word: a letter too many, too few, another one, or two exchanged. */
export type NearIndex = { find(word: string, budget: { checks: number }): string[] };

/** Shorter words have too many neighbours; ids have fewer, since their digits tell them apart. */
export const SHORTEST_NEAR = 5;
const SHORTEST_NEAR_ID = 4;

/** Whether a word is long enough to be compared with others. */
export const isComparable = (word: string): boolean =>
  word.length >= SHORTEST_NEAR || (word.length >= SHORTEST_NEAR_ID && hasDigit(word));

/**
 * One edit leaves the first or the last half of a key as it is, but for a letter at the border that an exchange can move. So keys are
 * found by their length and either half.
 * @param shortest the length of the shortest key that is found
 */
export function nearIndex(keys: () => Iterable<string>, shortest = SHORTEST_NEAR): NearIndex {
  let halves: AllHalves | undefined;
  // Most messages have nothing misspelt.
  return searching(() => (halves ??= atOnce(byHalves(keys(), shortest))));
}

/** The same for many keys: it pauses now and then. */
export function* nearIndexInPieces(
  keys: Iterable<string>,
  shortest: number,
): Generator<void, NearIndex, void> {
  const halves = yield* byHalves(keys, shortest);
  return searching(() => halves);
}

function searching(halvesOf: () => AllHalves): NearIndex {
  return {
    find(word, budget) {
      if (!isComparable(word)) return [];
      const halves = halvesOf();
      const buckets: (readonly string[])[] = [];
      for (let length = word.length - 1; length <= word.length + 1; length++) {
        const keys = halves.get(length);
        if (!keys) continue;
        const size = halfOf(length);
        const first = keys.first.get(word.slice(0, size));
        const last = keys.last.get(word.slice(-size));
        if (first) buckets.push(first);
        if (last) buckets.push(last);
      }
      if (buckets.length === 0) return [];
      const found = new Set<string>();
      for (const bucket of buckets.sort((a, b) => a.length - b.length)) {
        for (const key of bucket) {
          if (budget.checks-- <= 0) return [...found];
          if (isOneEdit(word, key)) found.add(key);
        }
      }
      return [...found];
    },
  };
}

/** The keys of one length, by either half. */
type Halves = { first: Map<string, string[]>; last: Map<string, string[]> };
type AllHalves = ReadonlyMap<number, Halves>;

/** Keys that are put into their places between two pauses. */
const PIECE = 2_000;

function atOnce<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function* byHalves(keys: Iterable<string>, shortest: number): Generator<void, AllHalves, void> {
  let placed = 0;
  const halves = new Map<number, Halves>();
  const put = (map: Map<string, string[]>, half: string, key: string): void => {
    const bucket = map.get(half);
    if (bucket) bucket.push(key);
    else map.set(half, [key]);
  };
  for (const key of keys) {
    if (key.length < shortest) continue;
    if (++placed % PIECE === 0) yield;
    const own = halves.get(key.length) ?? { first: new Map(), last: new Map() };
    halves.set(key.length, own);
    const size = halfOf(key.length);
    put(own.first, key.slice(0, size), key);
    put(own.last, key.slice(-size), key);
  }
  return halves;
}

const halfOf = (length: number): number => Math.max(1, (length - 1) >> 1);

/** Whether two different words are one edit apart (Damerau: an exchange of neighbours is one edit). */
export function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1 || a === b) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  const sameFrom = (i: number, j: number): boolean => {
    for (; j < long.length; i++, j++) if (short[i] !== long[j]) return false;
    return true;
  };
  if (short.length < long.length) return sameFrom(start, start + 1);
  if (sameFrom(start + 1, start + 1)) return true;
  return (
    short[start] === long[start + 1] && short[start + 1] === long[start] && sameFrom(start + 2, start + 2)
  );
}
