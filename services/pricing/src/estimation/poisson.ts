import { leastSquares, type Regression } from "../regression.ts";
import type { Grouping } from "./absorb.ts";

export type PoissonFit = {
  /** The last weighted regression: coefficients, directions and residuals as of least squares. */
  readonly regression: Regression;
  /** ln of the expected quantity of each row, fixed effects included. */
  readonly linear: Float64Array;
  /** False if the likelihood has no finite maximum (separation) or was not reached. */
  readonly converged: boolean;
};

const MOST_STEPS = 100;
const TOLERANCE = 1e-12;
/** A fitted mean below this share of the average mean is on its way to 0: the likelihood has no maximum. */
const SEPARATED = 1e-10;
/** Beyond this, exp would overflow or vanish; estimates that get there have separated. */
const MOST_LINEAR = 200;

/**
 * Poisson pseudo-maximum likelihood: E[y] = exp(x·β + effects), by iteratively reweighted least squares with
 * the effects absorbed in each step. Consistent whenever that mean is right, whatever the distribution, and
 * rows with y = 0 count (Gourieroux, Monfort and Trognon 1984; Santos Silva and Tenreyro 2006). The directions
 * and residuals of the last step give the sandwich variances. Yields after each step.
 * @param y quantities ≥ 0, not all 0
 */
export function* poissonSteps(
  y: Float64Array,
  regressors: readonly Float64Array[],
  groupings: readonly Grouping[] = [],
): Generator<void, PoissonFit> {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  let linear: Float64Array = y.map((value) => Math.log(0.5 * (value + mean)));
  let deviance = devianceOf(y, linear);
  let last: Regression | undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const means = linear.map(Math.exp);
    const working = linear.map((eta, r) => eta + ((y[r] ?? 0) - (means[r] ?? 0)) / (means[r] ?? 1));
    if (step > 0) yield;
    last = leastSquares(working, regressors, { weights: means, groupings });
    const residuals = last.residuals;
    const before = linear;
    let next: Float64Array = working.map((z, r) => clip(z - (residuals[r] ?? 0)));
    let reached = devianceOf(y, next);
    // Halve a step that worsens the fit. The first step leaves the starting values, which are no estimate.
    for (let half = 0; step > 0 && half < 20 && reached > deviance * (1 + TOLERANCE) + 1e-300; half++) {
      next = next.map((eta, r) => 0.5 * (eta + (before[r] ?? 0)));
      reached = devianceOf(y, next);
    }
    const settled = Math.abs(reached - deviance) <= TOLERANCE * (Math.abs(reached) + mean);
    linear = next;
    deviance = reached;
    if (settled && step > 1) {
      const inside = linear.every((eta) => eta < MOST_LINEAR && eta > Math.log(SEPARATED * mean));
      return { regression: last, linear, converged: inside && last.coefficients.every(Number.isFinite) };
    }
  }
  return {
    regression: last ?? leastSquares(y, regressors, { groupings }),
    linear,
    converged: false,
  };
}

/** Runs `poissonSteps` to its end. */
export function poissonRegression(
  y: Float64Array,
  regressors: readonly Float64Array[],
  groupings: readonly Grouping[] = [],
): PoissonFit {
  const steps = poissonSteps(y, regressors, groupings);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** 2·Σ y·ln(y/µ) − (y − µ), which is 0 for a perfect fit. */
export function devianceOf(y: Float64Array, linear: Float64Array): number {
  let sum = 0;
  for (let r = 0; r < y.length; r++) {
    const value = y[r] ?? 0;
    const eta = linear[r] ?? 0;
    sum += Math.exp(eta) - value + (value > 0 ? value * (Math.log(value) - eta) : 0);
  }
  return 2 * sum;
}

/**
 * Which rows stay: rows of a level without any sale have the fitted mean 0 under every price and say nothing
 * about the elasticity, but push their effect to −∞ (Correia, Guimarães and Zylkin 2021). Repeats, because
 * dropping rows of one grouping may empty a level of another.
 */
export function withSales(y: Float64Array, groupings: readonly Grouping[]): Uint8Array {
  const stays = new Uint8Array(y.length).fill(1);
  for (let changed = groupings.length > 0; changed; ) {
    changed = false;
    for (const { codes, levels } of groupings) {
      const sales = new Float64Array(levels);
      for (let r = 0; r < y.length; r++) {
        const code = codes[r] ?? 0;
        if (stays[r]) sales[code] = (sales[code] ?? 0) + (y[r] ?? 0);
      }
      for (let r = 0; r < y.length; r++) {
        if (!stays[r] || (sales[codes[r] ?? 0] ?? 0) > 0) continue;
        stays[r] = 0;
        changed = true;
      }
    }
  }
  return stays;
}

function clip(eta: number): number {
  return Math.min(Math.max(eta, -MOST_LINEAR), MOST_LINEAR);
}
