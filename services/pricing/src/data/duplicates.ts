import type { Dataset } from "../csv.ts";

/** Chance explains up to so many times the repeated pairs that independent quantities would have. */
const MOST_BY_CHANCE = 5;
const LEAST_SHARE = 0.02;
const FEWEST = 3;

/**
 * Rows that repeat an earlier row in every column, if they do so far more often than chance. Chance is the
 * frequency with which rows that differ elsewhere have the same quantity: round quantities at few prices repeat by chance.
 */
export function duplicateRows(dataset: Dataset, rows: readonly number[], quantity: string): number[] {
  const quantities = dataset.columns.get(quantity) ?? [];
  const columns = [...dataset.columns].filter(([name]) => name !== quantity).map(([, cells]) => cells);
  const most = Math.max(FEWEST, LEAST_SHARE * rows.length);
  if (repeatsOf([...columns, quantities], rows) < most) return [];
  const others = new Map<string, number>();
  const whole = new Map<string, number>();
  const sales = new Map<string, number>();
  const repeated: number[] = [];
  for (const row of rows) {
    const key = columns.map((cells) => cells[row]).join("\n");
    const own = quantities[row] ?? "";
    const all = `${key}\n${own}`;
    const before = whole.get(all) ?? 0;
    if (before > 0) repeated.push(row);
    whole.set(all, before + 1);
    others.set(key, (others.get(key) ?? 0) + 1);
    sales.set(own, (sales.get(own) ?? 0) + 1);
  }
  if (repeated.length < most) return [];
  const [same, alike, equal] = [pairs(whole), pairs(others), pairs(sales)];
  const apart = pairsOf(rows.length) - alike;
  // Rows that are alike elsewhere resemble each other in quantity too; without others to compare, any repetition counts.
  const byChance = apart > 0 ? (alike * Math.max(0, equal - same)) / apart : 0;
  return same > MOST_BY_CHANCE * byChance + FEWEST ? repeated : [];
}

const pairsOf = (count: number) => (count * (count - 1)) / 2;

function pairs(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += pairsOf(count);
  return sum;
}

/** How many rows repeat another one, by hashes of 53 bits: quick, and all that is needed for most files. */
function repeatsOf(columns: readonly (readonly string[])[], rows: readonly number[]): number {
  const hashes = new Float64Array(rows.length);
  rows.forEach((row, r) => {
    let [first, second] = [0x811c9dc5, 0x9e3779b9];
    for (const cells of columns) {
      const cell = cells[row] ?? "";
      for (let k = 0; k <= cell.length; k++) {
        const code = k < cell.length ? cell.charCodeAt(k) : 0xffff;
        first = Math.imul(first ^ code, 0x01000193);
        second = Math.imul(second ^ code, 0x85ebca6b) ^ (second >>> 15);
      }
    }
    hashes[r] = (first >>> 0) * 2 ** 21 + (second >>> 11);
  });
  hashes.sort();
  let repeats = 0;
  for (let r = 1; r < hashes.length; r++) if (hashes[r] === hashes[r - 1]) repeats += 1;
  return repeats;
}
