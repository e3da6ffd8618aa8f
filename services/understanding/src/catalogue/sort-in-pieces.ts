/** Texts that are sorted or merged between two pauses. */
const PIECE = 2_000;

/** Sorts texts as `sort()` does, and pauses now and then: 100,000 at once would take too long. */
export function* sortedInPieces(texts: readonly string[]): Generator<void, readonly string[], void> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += PIECE) {
    runs.push(texts.slice(at, at + PIECE).sort());
    yield;
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged(some: readonly string[], others: readonly string[]): Generator<void, string[], void> {
  const all: string[] = [];
  let [i, j] = [0, 0];
  while (i < some.length || j < others.length) {
    const [one, other] = [some[i], others[j]];
    if (other === undefined || (one !== undefined && one <= other)) {
      all.push(one ?? "");
      i += 1;
    } else {
      all.push(other);
      j += 1;
    }
    if (all.length % PIECE === 0) yield;
  }
  return all;
}
