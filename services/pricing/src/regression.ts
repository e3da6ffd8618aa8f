import { absorb, absorbedCount, type Grouping } from "./estimation/absorb.ts";

/**
 * Result of a least-squares fit with an intercept or absorbed groups.
 * Coefficients are in the order of the regressors that entered.
 */
export type Regression = {
  readonly coefficients: readonly number[];
  /** HC1 standard errors. */
  readonly standardErrors: readonly number[];
  /** Whether each regressor entered: constant ones, and those collinear with earlier ones, are left out. */
  readonly entered: readonly boolean[];
  /** y minus the fitted value. */
  readonly residuals: Float64Array;
  /** Residuals times √weight; equal to `residuals` without weights. */
  readonly scaledResiduals: Float64Array;
  /**
   * directions[j]·scaledResiduals is how far the sample's errors moved coefficient j. Row by row, the products
   * are its influence values, from which every robust variance is built.
   */
  readonly directions: readonly Float64Array[];
  /** Orthonormal columns that span the (scaled, demeaned) regressors, with the intercept's if there is one. */
  readonly basis: readonly Float64Array[];
  /** directions[j] = Σ inverse[j][k]·basis[k]. */
  readonly inverse: readonly (readonly number[])[];
  /** The share of y's variation within the groups that the regressors explain. */
  readonly rSquared: number;
  readonly n: number;
  /** n − number of coefficients − number of absorbed levels (1 for the intercept). */
  readonly degreesOfFreedom: number;
};

export type RegressionOptions = {
  readonly weights?: Float64Array;
  /** Fixed effects, by the within transformation; an intercept without them. */
  readonly groupings?: readonly Grouping[];
};

/**
 * A regressor counts as constant or collinear if orthogonalisation
 * leaves no more than this share of its norm.
 */
const RANK_TOLERANCE = 1e-9;

/**
 * Weighted least squares of y on the regressors and an intercept or groups, by QR of the demeaned columns
 * (modified Gram–Schmidt with reorthogonalisation, as stable as Householder QR). The slopes equal those with
 * one dummy per level (Frisch–Waugh–Lovell). Robust covariance HC1 = n/(n−k)·(X'X)⁻¹ X' diag(e²) X (X'X)⁻¹
 * (White 1980; MacKinnon and White 1985).
 */
export function leastSquares(
  y: Float64Array,
  regressors: readonly Float64Array[],
  { weights, groupings = [] }: RegressionOptions = {},
): Regression {
  const n = y.length;
  const [target = new Float64Array(0), ...demeaned] = absorb([y, ...regressors], groupings, weights);
  const roots = weights?.map(Math.sqrt);
  const absorbed = absorbedCount(groupings);
  const basis: Float64Array[] = [];
  const triangle: number[][] = [];
  const entered = demeaned.map((column, j) => {
    const q = scaled(column, roots);
    const before = norm(q);
    const constant = before <= RANK_TOLERANCE * norm(scaled(regressors[j] ?? column, roots));
    const shares = basis.map(() => 0);
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((other, k) => {
        const share = dot(other, q);
        shares[k] = (shares[k] ?? 0) + share;
        subtract(q, other, share);
      });
    }
    const after = norm(q);
    if (constant || !(after > RANK_TOLERANCE * before) || basis.length + absorbed + 1 > n) return false;
    for (let r = 0; r < n; r++) q[r] = (q[r] ?? 0) / after;
    basis.push(q);
    triangle.push([...shares, after]);
    return true;
  });

  const errors = scaled(target, roots);
  const total = dot(errors, errors);
  const projections = basis.map((q) => {
    const share = dot(q, errors);
    subtract(errors, q, share);
    return share;
  });
  const degreesOfFreedom = n - basis.length - absorbed;
  const inverse = basis.map((_, j) => inverseRow(triangle, j));
  const directions = inverse.map((row) => combined(basis, row));
  return {
    coefficients: backSubstitute(triangle, projections),
    standardErrors: directions.map((one) => hc1(one, errors, n / degreesOfFreedom)),
    entered,
    residuals: roots ? errors.map((value, r) => value / (roots[r] ?? 1)) : errors,
    scaledResiduals: errors,
    directions,
    basis: groupings.length > 0 ? basis : [...basis, interceptOf(n, roots)],
    inverse,
    rSquared: total > 0 ? 1 - dot(errors, errors) / total : 0,
    n,
    degreesOfFreedom,
  };
}

function scaled(column: Float64Array, roots: Float64Array | undefined): Float64Array {
  return roots ? column.map((value, r) => value * (roots[r] ?? 0)) : column.slice();
}

/** Solves R·β = b, where column j of R is triangle[j]. */
function backSubstitute(triangle: readonly (readonly number[])[], b: readonly number[]): number[] {
  const beta = b.slice();
  for (let i = beta.length - 1; i >= 0; i--) {
    let value = beta[i] ?? 0;
    for (let j = i + 1; j < beta.length; j++) value -= (triangle[j]?.[i] ?? 0) * (beta[j] ?? 0);
    beta[i] = value / (triangle[i]?.[i] ?? 1);
  }
  return beta;
}

/** Row j of R⁻¹: it solves w·R = unit vector j; R is upper triangular, so w starts at j. */
function inverseRow(triangle: readonly (readonly number[])[], j: number): number[] {
  const row = new Array<number>(triangle.length).fill(0);
  for (let k = j; k < triangle.length; k++) {
    let value = k === j ? 1 : 0;
    for (let m = j; m < k; m++) value -= (row[m] ?? 0) * (triangle[k]?.[m] ?? 0);
    row[k] = value / (triangle[k]?.[k] ?? 1);
  }
  return row;
}

function combined(basis: readonly Float64Array[], shares: readonly number[]): Float64Array {
  const result = new Float64Array(basis[0]?.length ?? 0);
  basis.forEach((column, k) => {
    subtract(result, column, -(shares[k] ?? 0));
  });
  return result;
}

/** The intercept's column, of length 1; the demeaned regressors are orthogonal to it. */
function interceptOf(n: number, roots: Float64Array | undefined): Float64Array {
  const column = roots?.slice() ?? new Float64Array(n).fill(1);
  const length = norm(column);
  return column.map((value) => value / length);
}

function hc1(direction: Float64Array, errors: Float64Array, factor: number): number {
  let variance = 0;
  for (let r = 0; r < errors.length; r++) variance += ((direction[r] ?? 0) * (errors[r] ?? 0)) ** 2;
  return Math.sqrt(variance * factor);
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}

function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}

function subtract(from: Float64Array, column: Float64Array, weight: number): void {
  for (let i = 0; i < from.length; i++) from[i] = (from[i] ?? 0) - weight * (column[i] ?? 0);
}
