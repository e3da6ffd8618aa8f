/** A partition of the rows: row r belongs to level codes[r], 0 ≤ code < levels. */
export type Grouping = { readonly codes: Int32Array; readonly levels: number };

const TOLERANCE = 1e-12;
const MOST_SWEEPS = 1000;

/**
 * Each column without the part that the groupings explain: the residuals of a weighted regression on one dummy
 * per level (the within transformation). One grouping takes one sweep; several take alternating projections
 * (von Neumann; Guimarães and Portugal 2010; Correia 2017), to 12 digits of each column's scale.
 * Without a grouping, the weighted mean is removed.
 */
export function absorb(
  columns: readonly Float64Array[],
  groupings: readonly Grouping[],
  weights?: Float64Array,
): Float64Array[] {
  const rows = columns[0]?.length ?? 0;
  const given = groupings.length > 0 ? groupings : [{ codes: new Int32Array(rows), levels: 1 }];
  const totals = given.map((grouping) => levelTotals(grouping, weights));
  return columns.map((column) => {
    const result = column.slice();
    const scale = largest(column);
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      let moved = 0;
      given.forEach((grouping, g) => {
        moved = Math.max(moved, removeMeans(result, grouping, totals[g] ?? new Float64Array(0), weights));
      });
      // A second sweep of a single grouping corrects the rounding error of the first.
      if (sweep > 0 && (given.length === 1 || moved <= TOLERANCE * scale)) break;
    }
    return result;
  });
}

/**
 * The number of coefficients that the groupings stand for: all levels, less one for each grouping after the
 * first, whose constant the first has already. Exact for one or two connected groupings.
 */
export function absorbedCount(groupings: readonly Grouping[]): number {
  if (groupings.length === 0) return 1;
  return groupings.reduce((sum, { levels }) => sum + levels, 0) - (groupings.length - 1);
}

/** Numbers the distinct values in order of appearance. */
export function groupBy(values: readonly string[]): Grouping {
  const known = new Map<string, number>();
  const codes = Int32Array.from(values, (value) => {
    const code = known.get(value) ?? known.size;
    known.set(value, code);
    return code;
  });
  return { codes, levels: known.size };
}

/** The grouping of some of the rows, without the levels that none of them has. */
export function groupsAt({ codes, levels }: Grouping, rows: ArrayLike<number>): Grouping {
  const known = new Int32Array(levels).fill(-1);
  const chosen = new Int32Array(rows.length);
  let count = 0;
  for (let k = 0; k < chosen.length; k++) {
    const old = codes[rows[k] ?? 0] ?? 0;
    if ((known[old] ?? 0) < 0) known[old] = count++;
    chosen[k] = known[old] ?? 0;
  }
  return { codes: chosen, levels: count };
}

function levelTotals({ codes, levels }: Grouping, weights: Float64Array | undefined): Float64Array {
  const totals = new Float64Array(levels);
  for (let r = 0; r < codes.length; r++) {
    const code = codes[r] ?? 0;
    totals[code] = (totals[code] ?? 0) + (weights ? (weights[r] ?? 0) : 1);
  }
  return totals;
}

/** Subtracts each level's weighted mean; returns the largest mean. */
function removeMeans(
  column: Float64Array,
  { codes, levels }: Grouping,
  totals: Float64Array,
  weights: Float64Array | undefined,
): number {
  const means = new Float64Array(levels);
  for (let r = 0; r < column.length; r++) {
    const code = codes[r] ?? 0;
    const value = column[r] ?? 0;
    means[code] = (means[code] ?? 0) + (weights ? value * (weights[r] ?? 0) : value);
  }
  let most = 0;
  for (let level = 0; level < levels; level++) {
    const total = totals[level] ?? 0;
    const mean = total > 0 ? (means[level] ?? 0) / total : 0;
    means[level] = mean;
    most = Math.max(most, Math.abs(mean));
  }
  for (let r = 0; r < column.length; r++) column[r] = (column[r] ?? 0) - (means[codes[r] ?? 0] ?? 0);
  return most;
}

function largest(column: Float64Array): number {
  let most = 0;
  for (let r = 0; r < column.length; r++) most = Math.max(most, Math.abs(column[r] ?? 0));
  return most;
}
