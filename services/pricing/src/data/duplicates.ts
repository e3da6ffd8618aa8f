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
  const hashes = hashesOf([...columns, quantities], rows);
  const whole = hashes.slice().sort();
  if (repeatsIn(whole) < most) return [];
  const others = hashesOf(columns, rows).sort();
  const sales = hashesOf([quantities], rows).sort();
  const [same, alike, equal] = [pairs(whole), pairs(others), pairs(sales)];
  const apart = pairsOf(rows.length) - alike;
  // Rows that are alike elsewhere resemble each other in quantity too; without others to compare, any repetition counts.
  const byChance = apart > 0 ? (alike * Math.max(0, equal - same)) / apart : 0;
  if (same <= MOST_BY_CHANCE * byChance + FEWEST) return [];
  // Hashes may collide, so rows are compared before one of them is left out.
  const first = new Int32Array(rows.length).fill(-1);
  return rows.filter((row, r) => {
    const place = placeOf(hashes[r] ?? 0, whole);
    const earlier = first[place] ?? -1;
    if (earlier < 0) first[place] = row;
    return earlier >= 0 && [...columns, quantities].every((cells) => cells[row] === cells[earlier]);
  });
}

const pairsOf = (count: number) => (count * (count - 1)) / 2;

/** How many pairs of these sorted hashes are equal. */
function pairs(sorted: Float64Array): number {
  let sum = 0;
  let run = 1;
  for (let r = 1; r <= sorted.length; r++) {
    if (sorted[r] === sorted[r - 1]) run += 1;
    else {
      sum += pairsOf(run);
      run = 1;
    }
  }
  return sum;
}

function repeatsIn(sorted: Float64Array): number {
  let repeats = 0;
  for (let r = 1; r < sorted.length; r++) if (sorted[r] === sorted[r - 1]) repeats += 1;
  return repeats;
}

/** The first position of a hash among the sorted ones. */
function placeOf(hash: number, sorted: Float64Array): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A hash of 53 bits for each row: text keys of a million rows would take several times the memory. */
function hashesOf(columns: readonly (readonly string[])[], rows: readonly number[]): Float64Array {
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
  return hashes;
}
