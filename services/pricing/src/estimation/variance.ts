import { at } from "../at.ts";
import type { Regression } from "../regression.ts";
import { studentTQuantile } from "../student-t.ts";
import type { Grouping } from "./absorb.ts";

/** Standard error of one coefficient, and the degrees of freedom of its t distribution. */
export type Uncertainty = { readonly standardError: number; readonly degreesOfFreedom: number };

/** What the rows share with each other. */
export type Dependence = {
  /** Errors within a level may depend on each other in any way; those of different levels may not. */
  readonly clusters?: Grouping;
  /** Whether fixed effects cut across the clusters, as those of weeks cut across stores. */
  readonly crossed?: boolean;
  /** Periods in order, numbered from 0: errors of all rows may depend on each other, fading with distance. */
  readonly periods?: Grouping;
  /** Take HC3, the jackknife over rows, instead of HC1 for independent rows. */
  readonly jackknife?: boolean;
};

/** The half-width of the 95% interval. */
export function reachOf({ standardError, degreesOfFreedom }: Uncertainty): number {
  return studentTQuantile(0.975, degreesOfFreedom) * standardError;
}

/**
 * The uncertainty of coefficient j under a dependence of the rows. With clusters and periods both, the wider
 * of the two. Without either, HC1, or HC3 if asked for.
 */
export function uncertaintyOf(regression: Regression, j: number, dependence: Dependence): Uncertainty {
  const candidates: Uncertainty[] = [];
  if (dependence.clusters) {
    const { standardError, degreesOfFreedom } = clusterRobust(regression, j, dependence.clusters);
    // Effects across clusters take 1/G of each cluster's errors out of the residuals.
    const factor = dependence.crossed ? dependence.clusters.levels / (dependence.clusters.levels - 1) : 1;
    candidates.push({ standardError: factor * standardError, degreesOfFreedom });
  }
  if (dependence.periods) candidates.push(...serialRobust(regression, j, dependence.periods));
  if (candidates.length === 0) {
    const rows = { codes: Int32Array.from({ length: regression.n }, (_, r) => r), levels: regression.n };
    candidates.push({
      standardError: dependence.jackknife
        ? clusterRobust(regression, j, rows).standardError
        : at(regression.standardErrors, j),
      degreesOfFreedom: regression.degreesOfFreedom,
    });
  }
  return candidates.reduce((widest, one) => (reachOf(one) > reachOf(widest) ? one : widest));
}

/**
 * Standard error of a mean of values that depend on each other: by cluster, by cosines along time (Lazarus et al. 2018), the larger of
 * both; of independent values otherwise.
 */
export function meanError(values: Float64Array, { clusters, periods }: Dependence): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const around = values.map((value) => value - mean);
  const found: number[] = [];
  if (clusters) {
    const { codes, levels } = clusters;
    found.push((levels / (levels - 1)) * sumOfSquares(groupSums(around, codes, levels)));
  }
  if (periods) {
    const cosines = Math.max(1, Math.round(0.4 * periods.levels ** (2 / 3)));
    found.push(cosineVariance(groupSums(around, periods.codes, periods.levels), cosines));
  }
  if (found.length === 0) found.push((n / (n - 1)) * sumOfSquares(around));
  return Math.sqrt(Math.max(...found)) / n;
}

/**
 * CR1: G/(G−1)·(n−1)/(n−k)·Σ (sum of a cluster's influence values)² (Liang and Zeger 1986).
 */
export function clusterVariance(regression: Regression, j: number, { codes, levels }: Grouping): number {
  const sums = groupSums(influenceOf(regression, j), codes, levels);
  const { n, degreesOfFreedom } = regression;
  return (levels / (levels - 1)) * ((n - 1) / Math.max(1, degreesOfFreedom)) * sumOfSquares(sums);
}

/**
 * CR3, the cluster jackknife: (G−1)/G·Σ (change of the coefficient without the cluster)². CR1 is too small if
 * clusters are few or differ in weight; CR3 is nearly exact or errs on the safe side (Bell and McCaffrey 2002;
 * MacKinnon, Nørregaard Nielsen and Webb 2023). Student's t of G − 1 degrees of freedom. Fixed effects that
 * cut across the clusters are kept as estimated from all of them. Falls back on CR1 where the coefficient
 * cannot be estimated without one of the clusters.
 */
export function clusterRobust(regression: Regression, j: number, grouping: Grouping): Uncertainty {
  const { codes, levels } = grouping;
  const { basis, scaledResiduals } = regression;
  const row = at(regression.inverse, j);
  const size = basis.length;
  const products = new Float64Array(levels * size * (size + 1));
  for (let r = 0; r < codes.length; r++) {
    const start = (codes[r] ?? 0) * size * (size + 1);
    for (let a = 0; a < size; a++) {
      const left = basis[a]?.[r] ?? 0;
      const own = start + a * (size + 1);
      for (let b = 0; b < size; b++)
        products[own + b] = (products[own + b] ?? 0) + left * (basis[b]?.[r] ?? 0);
      products[own + size] = (products[own + size] ?? 0) + left * (scaledResiduals[r] ?? 0);
    }
  }
  let sum = 0;
  for (let g = 0; g < levels; g++) {
    const matrix = Array.from({ length: size }, (_, a) =>
      Array.from({ length: size + 1 }, (_, b) => {
        const product = products[(g * size + a) * (size + 1) + b] ?? 0;
        return b === size ? product : (a === b ? 1 : 0) - product;
      }),
    );
    const moved = solve(matrix);
    if (moved === undefined) {
      const standardError = Math.sqrt(clusterVariance(regression, j, grouping));
      return { standardError, degreesOfFreedom: levels - 1 };
    }
    sum += row.reduce((total, share, k) => total + share * at(moved, k), 0) ** 2;
  }
  return { standardError: Math.sqrt(((levels - 1) / levels) * sum), degreesOfFreedom: levels - 1 };
}

const SINGULAR = 1e-9;

/** Solves a small system by Gauss elimination with pivoting; the last column is the right-hand side. */
function solve(matrix: number[][]): number[] | undefined {
  const size = matrix.length;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let k = i + 1; k < size; k++) {
      if (Math.abs(at(at(matrix, k), i)) > Math.abs(at(at(matrix, pivot), i))) pivot = k;
    }
    const top = at(matrix, pivot);
    if (Math.abs(at(top, i)) < SINGULAR) return undefined;
    matrix[pivot] = at(matrix, i);
    matrix[i] = top;
    for (let k = i + 1; k < size; k++) {
      const own = at(matrix, k);
      const factor = at(own, i) / at(top, i);
      for (let c = i; c <= size; c++) own[c] = at(own, c) - factor * at(top, c);
    }
  }
  const result = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    let value = at(at(matrix, i), size);
    for (let k = i + 1; k < size; k++) value -= at(at(matrix, i), k) * at(result, k);
    result[i] = value / at(at(matrix, i), i);
  }
  return result;
}

/**
 * Heteroskedasticity and autocorrelation consistent: two estimates, of which the caller takes the wider.
 *
 * 1. The equal-weighted cosine estimate of the long-run variance of the influence values, summed by period,
 *    with B = 0.4·T^(2/3) cosines and t of B degrees of freedom (Lazarus, Lewis, Stock and Watson 2018). It is
 *    valid for any dependence that fades, also across the rows of a period, but short series with strong
 *    autocorrelation still bias it down.
 * 2. If every period has one row: errors that follow an AR(1) process, with the autocorrelation corrected for
 *    its small-sample bias (Kendall 1954), and t of the effective number of independent errors.
 */
export function serialRobust(
  regression: Regression,
  j: number,
  { codes, levels: periods }: Grouping,
): Uncertainty[] {
  const { n, degreesOfFreedom } = regression;
  const sums = groupSums(influenceOf(regression, j), codes, periods);
  const cosines = Math.max(1, Math.round(0.4 * periods ** (2 / 3)));
  const variance = (cosineVariance(sums, cosines) * n) / Math.max(1, degreesOfFreedom);
  const found = [{ standardError: Math.sqrt(variance), degreesOfFreedom: cosines }];
  if (periods === n) found.push(autoregressive(regression, j, codes));
  return found;
}

/** The variance of the sum of a series: the mean of its squared projections on cosines, times its length. */
function cosineVariance(series: Float64Array, cosines: number): number {
  const length = series.length;
  let total = 0;
  for (let b = 1; b <= cosines; b++) {
    let projection = 0;
    for (let t = 0; t < length; t++) {
      projection += at(series, t) * Math.cos((Math.PI * b * (t + 0.5)) / length);
    }
    total += 2 * projection ** 2;
  }
  return total / cosines;
}

const MOST_PERSISTENT = 0.98;
const FEWEST_DEGREES = 4;

function autoregressive(regression: Regression, j: number, order: Int32Array): Uncertainty {
  const n = order.length;
  const direction = new Float64Array(n);
  const errors = new Float64Array(n);
  for (let r = 0; r < n; r++) {
    direction[order[r] ?? 0] = at(at(regression.directions, j), r);
    errors[order[r] ?? 0] = at(regression.scaledResiduals, r);
  }
  let product = 0;
  for (let t = 1; t < n; t++) product += at(errors, t) * at(errors, t - 1);
  const squares = sumOfSquares(errors);
  const rough = squares > 0 ? product / squares : 0;
  // The bias of an autocorrelation of regression residuals, for an intercept and a persistent regressor.
  const rho = Math.min(rough + (2 + 4 * rough) / n, MOST_PERSISTENT);
  const spread = quadratic(direction, rho);
  // Autocorrelated errors that the regression has absorbed make its residuals too small.
  const lost = Math.min(0.5, spread / (sumOfSquares(direction) * n));
  const variance = ((squares / Math.max(1, regression.degreesOfFreedom)) * spread) / (1 - lost);
  const effective = (regression.degreesOfFreedom * (1 - rho * rho)) / (1 + rho * rho);
  return {
    standardError: Math.sqrt(Math.max(0, variance)),
    degreesOfFreedom: Math.max(FEWEST_DEGREES, effective),
  };
}

/** Σ Σ x[s]·x[t]·rho^|s−t|. */
function quadratic(x: Float64Array, rho: number): number {
  let total = 0;
  let carried = 0;
  for (let t = 0; t < x.length; t++) {
    const value = at(x, t);
    total += value * (value + 2 * carried);
    carried = rho * (carried + value);
  }
  return total;
}

function influenceOf(regression: Regression, j: number): Float64Array {
  const direction = at(regression.directions, j);
  return regression.scaledResiduals.map((error, r) => error * at(direction, r));
}

function groupSums(values: Float64Array, codes: Int32Array, levels: number): Float64Array {
  const sums = new Float64Array(levels);
  for (let r = 0; r < values.length; r++) {
    const code = codes[r] ?? 0;
    sums[code] = (sums[code] ?? 0) + (values[r] ?? 0);
  }
  return sums;
}

function sumOfSquares(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
