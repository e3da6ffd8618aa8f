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
  if (repeated.length < Math.max(FEWEST, LEAST_SHARE * rows.length)) return [];
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
