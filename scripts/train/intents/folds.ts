import { seeded, shuffled } from "./random.ts";

/** Sentences that share this much of their trigrams (Jaccard) count as versions of one. */
const NEAR = 0.5;

/** The trigrams of a sentence's letters and digits, numbers left out. */
export function trigrams(text: string): ReadonlySet<string> {
  const letters = ` ${text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim()} `;
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= letters.length; i++) grams.add(letters.slice(i, i + 3));
  return grams;
}

export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of a) if (b.has(gram)) shared++;
  return shared / (a.size + b.size - shared || 1);
}

/**
 * The fold, from 0 to `count` - 1, of each sentence. Near duplicates are in one fold, also through others between them: a sentence is
 * never judged by a model that has seen another version of it.
 */
export function blockedFolds(texts: readonly string[], count: number, seed: number): Uint8Array {
  const grams = texts.map(trigrams);
  const parent = Int32Array.from(texts, (_, i) => i);
  const find = (i: number): number => {
    let at = i;
    while (parent[at] !== at) at = parent[at] ?? at;
    return at;
  };
  const byGram = new Map<string, number[]>();
  for (const [i, own] of grams.entries()) {
    const shared = new Map<number, number>();
    for (const gram of own) {
      const earlier = byGram.get(gram) ?? [];
      for (const j of earlier) shared.set(j, (shared.get(j) ?? 0) + 1);
      earlier.push(i);
      byGram.set(gram, earlier);
    }
    for (const [j, n] of shared) {
      const size = own.size + (grams[j]?.size ?? 0) - n;
      if (n / size >= NEAR) parent[find(i)] = find(j);
    }
  }
  const blocks = Map.groupBy(texts.keys(), find);
  const folds = new Uint8Array(texts.length);
  const sizes = new Int32Array(count);
  for (const block of shuffled(seeded(seed), [...blocks.values()])) {
    const smallest = sizes.indexOf(Math.min(...sizes));
    for (const i of block) folds[i] = smallest;
    sizes[smallest] = (sizes[smallest] ?? 0) + block.length;
  }
  return folds;
}
