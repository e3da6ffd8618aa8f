/**
 * Result of a least-squares fit with an intercept.
 * Coefficients are in the order of the regressors that entered.
 */
export type Regression = {
  readonly coefficients: readonly number[];
  /** HC1 standard errors. */
  readonly standardErrors: readonly number[];
  /** Whether each regressor entered: constant ones, and those collinear with earlier ones, are left out. */
  readonly entered: readonly boolean[];
  readonly means: readonly number[];
  readonly meanOfY: number;
  readonly residuals: Float64Array;
  readonly rSquared: number;
  readonly n: number;
  /** n − number of coefficients − 1 for the intercept. */
  readonly degreesOfFreedom: number;
};

/**
 * A regressor counts as constant or collinear if orthogonalisation
 * leaves no more than this share of its norm.
 */
const RANK_TOLERANCE = 1e-9;

/**
 * Ordinary least squares of y on an intercept and the regressors, by QR of the centred columns (modified
 * Gram–Schmidt with reorthogonalisation, as stable as Householder QR). Robust covariance HC1 =
 * n/(n−k)·(X'X)⁻¹ X' diag(e²) X (X'X)⁻¹ (White 1980; MacKinnon and White 1985), which for the slopes may be
 * computed on centred columns (Frisch–Waugh–Lovell).
 */
export function leastSquares(y: Float64Array, regressors: readonly Float64Array[]): Regression {
  const n = y.length;
  const means = regressors.map(mean);
  const meanOfY = mean(y);
  const basis: Float64Array[] = [];
  const triangle: number[][] = [];
  const entered = regressors.map((column, j) => {
    const q = column.map((value) => value - (means[j] ?? 0));
    const before = norm(q);
    const constant = before <= RANK_TOLERANCE * norm(column);
    const weights = basis.map(() => 0);
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((other, k) => {
        const weight = dot(other, q);
        weights[k] = (weights[k] ?? 0) + weight;
        subtract(q, other, weight);
      });
    }
    const after = norm(q);
    if (constant || !(after > RANK_TOLERANCE * before) || basis.length + 2 > n) return false;
    for (let r = 0; r < n; r++) q[r] = (q[r] ?? 0) / after;
    basis.push(q);
    triangle.push([...weights, after]);
    return true;
  });

  const residuals = y.map((value) => value - meanOfY);
  const total = dot(residuals, residuals);
  const projections = basis.map((q) => {
    const weight = dot(q, residuals);
    subtract(residuals, q, weight);
    return weight;
  });
  const degreesOfFreedom = n - basis.length - 1;
  return {
    coefficients: backSubstitute(triangle, projections),
    standardErrors: robustErrors(basis, triangle, residuals, n / degreesOfFreedom),
    entered,
    means,
    meanOfY,
    residuals,
    rSquared: total > 0 ? 1 - dot(residuals, residuals) / total : 0,
    n,
    degreesOfFreedom,
  };
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

/** Standard errors: the square roots of the diagonal of R⁻¹ (Q' diag(e²) Q) R⁻ᵀ · factor. */
function robustErrors(
  basis: readonly Float64Array[],
  triangle: readonly (readonly number[])[],
  residuals: Float64Array,
  factor: number,
): number[] {
  const size = basis.length;
  // Row j of R⁻¹ solves w·R = unit vector j; R is upper triangular, so w starts at j.
  return basis.map((_, j) => {
    const weights = new Array<number>(size).fill(0);
    for (let k = j; k < size; k++) {
      let value = k === j ? 1 : 0;
      for (let m = j; m < k; m++) value -= (weights[m] ?? 0) * (triangle[k]?.[m] ?? 0);
      weights[k] = value / (triangle[k]?.[k] ?? 1);
    }
    let variance = 0;
    for (let r = 0; r < residuals.length; r++) {
      let influence = 0;
      for (let k = j; k < size; k++) influence += (weights[k] ?? 0) * (basis[k]?.[r] ?? 0);
      variance += (influence * (residuals[r] ?? 0)) ** 2;
    }
    return Math.sqrt(variance * factor);
  });
}

function mean(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i] ?? 0;
  const rough = total / values.length;
  // A second pass corrects the rounding error of the first.
  let rest = 0;
  for (let i = 0; i < values.length; i++) rest += (values[i] ?? 0) - rough;
  return rough + rest / values.length;
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
