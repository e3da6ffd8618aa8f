/** The median; NaN for no values. */
export function median(values: ArrayLike<number>): number {
  const sorted = new Float64Array(values).sort();
  const half = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/** 1.4826 times the median distance from a centre: the standard deviation, if values are normal. */
export function spreadAround(values: Float64Array, centre: number): number {
  return 1.4826 * median(values.map((value) => Math.abs(value - centre)));
}

/** Values without the median of their group. */
export function centred(values: Float64Array, groups: Int32Array | undefined): Float64Array {
  if (groups === undefined) {
    const middle = median(values);
    return values.map((value) => value - middle);
  }
  const members = new Map<number, number[]>();
  groups.forEach((group, r) => {
    const own = members.get(group);
    if (own) own.push(values[r] ?? 0);
    else members.set(group, [values[r] ?? 0]);
  });
  const middles = new Map([...members].map(([group, own]) => [group, median(own)]));
  return values.map((value, r) => value - (middles.get(groups[r] ?? 0) ?? 0));
}

export type Line = { readonly slopes: number[]; readonly residuals: Float64Array; readonly errors: number[] };

/** Least squares with an intercept on few regressors, for checks that need no more; undefined if they are collinear. */
export function plainLine(y: Float64Array, regressors: readonly Float64Array[]): Line | undefined {
  const n = y.length;
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / n;
  const centre = (values: Float64Array) => {
    const middle = mean(values);
    return values.map((value) => value - middle);
  };
  const columns: Float64Array[] = [];
  // Gram–Schmidt from the last regressor to the first, so that slopes follow by back substitution.
  const [own, ...xs] = [centre(y), ...regressors.map(centre)];
  const upper: number[][] = [];
  for (const x of xs) {
    const left = x.slice();
    const row = columns.map((column) => {
      const share = inner(column, left) / inner(column, column);
      column.forEach((value, r) => {
        left[r] = (left[r] ?? 0) - share * value;
      });
      return share;
    });
    if (!(inner(left, left) > 1e-10 * inner(x, x))) return undefined;
    upper.push(row);
    columns.push(left);
  }
  const residuals = (own ?? y).slice();
  const raw = columns.map((column) => {
    const share = inner(column, residuals) / inner(column, column);
    column.forEach((value, r) => {
      residuals[r] = (residuals[r] ?? 0) - share * value;
    });
    return share;
  });
  const size = columns.length;
  const variance = inner(residuals, residuals) / Math.max(1, n - size - 1);
  // Column k of the inverse of the unit upper triangle gives slope k and its variance.
  const slopes = raw.slice();
  for (let k = size - 1; k >= 0; k--)
    for (let j = k + 1; j < size; j++) slopes[k] = (slopes[k] ?? 0) - (upper[j]?.[k] ?? 0) * (slopes[j] ?? 0);
  const errors = slopes.map((_, k) => Math.sqrt(variance * inverseDiagonal(upper, columns, k)));
  return { slopes, residuals, errors };
}

function inverseDiagonal(upper: readonly number[][], columns: readonly Float64Array[], k: number): number {
  const size = columns.length;
  // Solves z·R = e_k for the unit upper triangle R, then sums z² over the columns' lengths.
  const z = new Array<number>(size).fill(0);
  z[k] = 1;
  for (let j = k + 1; j < size; j++) {
    let sum = 0;
    for (let i = k; i < j; i++) sum += (z[i] ?? 0) * (upper[j]?.[i] ?? 0);
    z[j] = -sum;
  }
  return z.reduce((sum, value, j) => {
    const column = columns[j];
    return column ? sum + value ** 2 / inner(column, column) : sum;
  }, 0);
}

export function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let r = 0; r < a.length; r++) sum += (a[r] ?? 0) * (b[r] ?? 0);
  return sum;
}

/** The correlation of neighbours in a series of mean 0. */
export function neighbourCorrelation(series: Float64Array): number {
  const squares = inner(series, series);
  return squares > 0 ? inner(series.subarray(1), series.subarray(0, -1)) / squares : 0;
}
