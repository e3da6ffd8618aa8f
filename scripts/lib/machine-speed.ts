/** What the fixed work takes a thread of the machine that limits of time were set on (ms). */
const REFERENCE_MS = 36;
const TRIES = 20;

/**
 * How many times as long as there the same work takes here, at least once as long. A limit of time at work is one of work: multiplied by this,
 * it is as strict on a slower machine.
 */
export function slowness(tries = TRIES): number {
  let least = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0; left--) {
    const before = process.threadCpuUsage();
    fixedWork();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return Math.max(1, least / REFERENCE_MS);
}

/** Texts, patterns and objects, as the work of a gateway is. */
function fixedWork(): void {
  const rows = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    name: `item ${id}`,
    prices: [id, id / 3, id / 7],
  }));
  const text = JSON.stringify(rows);
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}.]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
  const sorted = [...words].sort(([one], [other]) => (one < other ? -1 : 1));
  if (JSON.parse(text).length !== rows.length || sorted.length === 0)
    throw new Error("the fixed work is wrong");
}
