/** The name that a misspelt one probably means; undefined where none is near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const begun = names.filter((candidate) => candidate.startsWith(`${name}_`));
  if (begun.length === 1) return begun[0];
  let best: string | undefined;
  // One wrong letter in three is a slip; more is another word.
  let fewest = Math.floor(name.length / 3) + 1;
  for (const candidate of names) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits >= fewest) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

/** Levenshtein's distance, with neighbours that changed places as one edit (optimal string alignment). */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
