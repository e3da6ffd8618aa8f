import { at } from "../at.ts";
import { normalCdf } from "../normal.ts";
import { leastSquares, type Regression } from "../regression.ts";
import type { Grouping } from "./absorb.ts";

export type TobitFit = {
  /** The last weighted regression: its residuals times their weights are the scores of the likelihood. */
  readonly regression: Regression;
  /** Expected ln of demand of each row. */
  readonly linear: Float64Array;
  /** The last step as a weighted regression of `response`. */
  readonly working: { readonly response: Float64Array; readonly weights: Float64Array };
  /** Demand: as seen, or what ln of it is expected to be where only a lower limit of it was. */
  readonly demand: Float64Array;
  /** Standard deviation of the error of ln demand, without the noise of counts, and with it. */
  readonly spread: number;
  readonly residual: number;
  readonly converged: boolean;
};

const MOST_STEPS = 500;
const TOLERANCE = 1e-8;
/** Weight of a row whose demand is nearly sure to have been above its limit: it says next to nothing. */
const LEAST_WEIGHT = 1e-8;
const LEAST_VARIANCE = 1e-6;

/**
 * Least squares of ln demand where some rows sold out, so that demand was at least what was sold (Tobin 1958): normal errors,
 * by Newton's method in the coefficients, which is a weighted regression, in turn with an EM step in the variance
 * (Dempster et al. 1977). The directions and residuals of the last step give the sandwich variances. Whole units have Poisson
 * noise beside the error that all rows share: ln(q + ½), whose mean is ln of the expected count up to its inverse square
 * (Anscombe 1948), with the variance σ² + 1/µ; errors of one size would bias a censored regression. Yields after each step.
 * @param q what was sold, above 0
 * @param limited 1 where demand was at least that
 */
export function* tobitSteps(
  q: Float64Array,
  limited: Uint8Array,
  regressors: readonly Float64Array[],
  groupings: readonly Grouping[] = [],
): Generator<void, TobitFit> {
  const counts = q.every(Number.isInteger);
  // A count of at least q, with the correction for continuity, is q + ½ of at least q.
  const y = q.map((units, r) => Math.log(counts && !limited[r] ? units + 0.5 : units));
  const plain = leastSquares(y, regressors, { groupings });
  let linear = y.map((value, r) => value - at(plain.residuals, r));
  let variance = squares(plain.residuals) / plain.degreesOfFreedom;
  const noiseOf = (eta: number) => (counts ? Math.exp(-eta) : 0);
  for (let step = 0; ; step++) {
    const spreads = linear.map((eta) => Math.sqrt(variance + noiseOf(eta)));
    const hazards = linear.map((eta, r) => (limited[r] ? hazardAt((at(y, r) - eta) / at(spreads, r)) : 0));
    // Relative to the common spread, so that weights are about 1.
    const weights = linear.map((eta, r) => {
      const [spread, hazard] = [at(spreads, r), at(hazards, r)];
      const information = limited[r]
        ? Math.max(LEAST_WEIGHT, hazard * (hazard - (at(y, r) - eta) / spread))
        : 1;
      return (information * variance) / spread ** 2;
    });
    const response = linear.map((eta, r) =>
      limited[r] ? eta + (at(hazards, r) * variance) / (at(spreads, r) * at(weights, r)) : at(y, r),
    );
    if (step > 0) yield;
    const regression = leastSquares(response, regressors, { weights, groupings });
    const next = response.map((z, r) => z - at(regression.residuals, r));
    const moved = next.reduce((most, eta, r) => Math.max(most, Math.abs(eta - at(linear, r))), 0);
    // Of a row at its limit, with c = (y − η)/s: E[ln demand] = η + s·hazard, E[(ln demand − η)²] = s²·(1 + c·hazard).
    const demand = q.slice();
    let total = 0;
    next.forEach((eta, r) => {
      const [error, spread] = [at(y, r) - eta, at(spreads, r)];
      const hazard = limited[r] ? hazardAt(error / spread) : 0;
      if (limited[r]) demand[r] = Math.exp(eta + spread * hazard);
      total += (limited[r] ? spread ** 2 + error * spread * hazard : error ** 2) - noiseOf(eta);
    });
    const before = variance;
    variance = Math.max(LEAST_VARIANCE, total / Math.max(1, plain.degreesOfFreedom));
    linear = next;
    const settled = moved < TOLERANCE && Math.abs(variance - before) < TOLERANCE * before;
    if (settled || step >= MOST_STEPS || !Number.isFinite(variance)) {
      const noise = linear.reduce((sum, eta) => sum + noiseOf(eta), 0) / linear.length;
      const spread = Math.sqrt(variance);
      const working = { response, weights };
      return {
        regression,
        linear,
        working,
        demand,
        spread,
        residual: Math.sqrt(variance + noise),
        converged: settled,
      };
    }
  }
}

/** The density of the standard normal at c over the probability above it; about c far out. */
function hazardAt(c: number): number {
  if (c > 30) return c + 1 / c;
  return Math.exp(-0.5 * c * c) / Math.sqrt(2 * Math.PI) / normalCdf(-c);
}

function squares(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
