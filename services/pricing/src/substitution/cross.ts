import { at } from "../at.ts";
import { type Grouping, groupBy } from "../estimation/absorb.ts";
import { FEWEST_CLUSTERS } from "../estimation/design.ts";
import { type Estimate, estimateSteps } from "../estimation/estimate.ts";
import { reachOf, type Uncertainty, uncertaintyOf } from "../estimation/variance.ts";
import { leastSquares, type Regression } from "../regression.ts";
import { studentTQuantile } from "../student-t.ts";
import type { CrossFit, CurvedFit } from "../types.ts";
import { regressorsOf } from "./candidates.ts";
import type { Panel } from "./panel.ts";

/**
 * Fits each tier to the prices of all tiers, by least squares of ln q, or Poisson pseudo-maximum likelihood if
 * some occasions have no sales. Undefined if a price does not vary by itself, an estimate does not converge, or a
 * tier's demand does not fall with its own price. Yields between fits.
 */
export function* crossSteps(panel: Panel): Generator<void, CrossFit | undefined> {
  const several = new Set(panel.units).size > 1;
  const units = groupBy(panel.units);
  const rows: TierFit[] = [];
  for (let i = 0; i < panel.series.length; i++) {
    const fitted = yield* tierSteps(panel, i, several ? [units] : []);
    if (fitted === undefined || !(at(fitted.elasticities, i) < 0)) return undefined;
    rows.push(fitted);
  }
  const clusters = several && units.levels >= FEWEST_CLUSTERS ? units : undefined;
  const order = { codes: Int32Array.from(panel.units, (_, t) => t), levels: panel.occasions };
  const errors = errorsOf(rows, clusters);
  const scales = rows.map((row, i) =>
    several && clusters === undefined
      ? 1
      : scaleOf(
          uncertaintyOf(row.fit.regression, i, clusters ? { clusters } : { periods: order }),
          errors,
          i * rows.length + i,
        ),
  );
  return {
    elasticities: rows.map(({ elasticities }) => elasticities),
    levels: rows.map(({ level }) => level),
    ...errors,
    factors: errors.factors.map((factor) =>
      factor.map((value, k) => value * at(scales, Math.floor(k / rows.length))),
    ),
  };
}

/** Standard error of one of the n² elasticities. */
export function crossError({ factors }: Pick<CrossFit, "factors">, position: number): number {
  return Math.sqrt(factors.reduce((sum, factor) => sum + at(factor, position) ** 2, 0));
}

type Influenced = {
  readonly fit: Estimate;
  /** influences[j][t]: how far occasion t moved coefficient j. */
  readonly influences: readonly Float64Array[];
};

type TierFit = Influenced & {
  readonly elasticities: readonly number[];
  readonly level: number;
};

/** Occasions for each coefficient without which the curved model is not fitted. */
const FEWEST_PER_COEFFICIENT = 4;
/** Of all tests of a model together. Lenient: a model that is rejected is not replaced, but checked by a wider one. */
const LEVEL = 0.2;

/**
 * Fits each tier to a quadratic in the log prices of all tiers, and tests constant elasticities (no products of
 * prices) and the logit (the ratio of two tiers' sales does not depend on the price of a third: Hausman and McFadden
 * 1984) against the occasions. Undefined with too few occasions, or if something cannot be estimated.
 */
export function* curvedSteps(panel: Panel): Generator<void, CurvedFit | undefined> {
  const tiers = panel.series.length;
  const logs = panel.series.map(({ prices }) => prices.map(Math.log));
  const centres = logs.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const z = logs.map((values, j) => values.map((value) => value - at(centres, j)));
  const products = z.flatMap((left, a) =>
    z.slice(a).map((right) => left.map((value, t) => value * at(right, t))),
  );
  const basis = [...z, ...products];
  if (panel.occasions < FEWEST_PER_COEFFICIENT * basis.length) return undefined;
  const several = new Set(panel.units).size > 1;
  const units = groupBy(panel.units);
  const groupings = several ? [units] : [];
  const rows: Influenced[] = [];
  for (const { quantities, controls } of panel.series) {
    const estimator = quantities.some((quantity) => quantity === 0) ? "ppml" : "ols";
    const fit = yield* estimateSteps(estimator, quantities, [...basis, ...controls], groupings);
    const { regression } = fit;
    const entered = regression.entered.slice(0, basis.length).every(Boolean);
    if (!fit.converged || !entered || !(regression.degreesOfFreedom > 0)) return undefined;
    rows.push({ fit, influences: influencesOf(regression, basis.length) });
  }
  const clusters = several && units.levels >= FEWEST_CLUSTERS ? units : undefined;
  const errors = errorsOf(rows, clusters);
  const coefficients = rows.map(({ fit }) => fit.regression.coefficients.slice(0, basis.length));
  const isLarge = (t: number, tests: number) =>
    Math.abs(t) > studentTQuantile(1 - LEVEL / (2 * tests), errors.degreesOfFreedom);
  const bends = coefficients.flatMap((own, i) =>
    own.slice(tiers).map((value, k) => value / crossError(errors, i * basis.length + tiers + k)),
  );
  const order = { codes: Int32Array.from(panel.units, (_, t) => t), levels: panel.occasions };
  const thirds: number[] = [];
  for (let i = 0; i < tiers; i++) {
    for (let j = i + 1; j < tiers; j++) {
      yield;
      const [a, b] = [at(panel.series, i).quantities, at(panel.series, j).quantities];
      const ratio = a.map((value, t) => Math.log((value + 0.5) / (at(b, t) + 0.5)));
      const others = panel.series.flatMap(({ prices }, k) => (k === i || k === j ? [] : [prices]));
      const own = [at(panel.series, i).prices, at(panel.series, j).prices];
      const controls = [i, j].flatMap((k) => at(panel.series, k).controls);
      const test = leastSquares(ratio, [...others, ...own, ...controls], { groupings });
      others.forEach((_, k) => {
        if (!test.entered[k]) return;
        const { standardError } = uncertaintyOf(test, k, clusters ? { clusters } : { periods: order });
        thirds.push(at(test.coefficients, k) / standardError);
      });
    }
  }
  return {
    centres,
    coefficients,
    factors: errors.factors,
    degreesOfFreedom: errors.degreesOfFreedom,
    rejectsConstant: bends.some((t) => isLarge(t, bends.length)),
    rejectsLogit: thirds.some((t) => isLarge(t, thirds.length)),
  };
}

function* tierSteps(
  panel: Panel,
  i: number,
  groupings: readonly Grouping[],
): Generator<void, TierFit | undefined> {
  const tiers = panel.series.length;
  const { quantities } = at(panel.series, i);
  const estimator = quantities.some((quantity) => quantity === 0) ? "ppml" : "ols";
  const regressors = regressorsOf(panel, i, true);
  // The regression has the tiers in their order, so that coefficient j is of the price of tier j.
  const inOrder = [
    ...regressors.slice(1, i + 1),
    at(regressors, 0),
    ...regressors.slice(i + 1, tiers),
    ...regressors.slice(tiers),
  ];
  const fit = yield* estimateSteps(estimator, quantities, inOrder, groupings);
  const { regression, linear } = fit;
  const identified = regression.entered.slice(0, tiers).every(Boolean);
  if (!fit.converged || !identified || !(regression.degreesOfFreedom > 0)) return undefined;
  const elasticities = regression.coefficients.slice(0, tiers);
  let expected = 0;
  let smearing = 0;
  linear.forEach((eta, t) => {
    const prices = elasticities.reduce((sum, e, j) => sum + e * at(at(inOrder, j), t), 0);
    expected += Math.exp(eta - prices);
    smearing += estimator === "ols" ? at(quantities, t) / Math.exp(eta) : 1;
  });
  return {
    elasticities,
    level: Math.log((expected / panel.occasions) * (smearing / panel.occasions)),
    fit,
    influences: influencesOf(regression, tiers),
  };
}

function influencesOf(regression: Regression, count: number): Float64Array[] {
  return regression.directions
    .slice(0, count)
    .map((direction) => direction.map((value, t) => value * at(regression.scaledResiduals, t)));
}

/**
 * The factors of the covariance: sums by cluster (CR1 times G/(G−1), close to the jackknife), or projections on
 * the cosines of the equal-weighted long-run variance (Lazarus, Lewis, Stock and Watson 2018); of the two, those
 * with the larger trace.
 */
export function errorsOf(
  rows: readonly Influenced[],
  clusters: Grouping | undefined,
): Pick<CrossFit, "factors" | "degreesOfFreedom" | "method"> {
  const influences = rows.flatMap((row) => row.influences);
  const { n, degreesOfFreedom: left } = at(rows, 0).fit.regression;
  const count = Math.max(1, Math.round(0.4 * n ** (2 / 3)));
  const scale = Math.sqrt((2 * n) / (count * left));
  const waves = Array.from({ length: count }, (_, b) =>
    Float64Array.from({ length: n }, (_, t) => scale * Math.cos((Math.PI * (b + 1) * (t + 0.5)) / n)),
  );
  const hac = waves.map((wave) =>
    influences.map((influence) => influence.reduce((sum, value, t) => sum + value * at(wave, t), 0)),
  );
  const serial = { factors: hac, degreesOfFreedom: count, method: "hac" } as const;
  if (clusters === undefined) return serial;
  const { levels, codes } = clusters;
  const sums = Array.from({ length: levels }, () => influences.map(() => 0));
  const factor = (levels / (levels - 1)) * Math.sqrt(n / left);
  influences.forEach((influence, k) => {
    influence.forEach((value, t) => {
      const own = at(sums, codes[t] ?? 0);
      own[k] = at(own, k) + factor * value;
    });
  });
  const trace = (factors: readonly (readonly number[])[]) =>
    factors.reduce((sum, one) => sum + one.reduce((total, value) => total + value * value, 0), 0);
  if (trace(sums) < trace(hac)) return serial;
  return { factors: sums, degreesOfFreedom: levels - 1, method: "cluster" };
}

/** By how much a tier's errors are widened for its own elasticity to have the interval of a fit of its own. */
function scaleOf(
  wanted: Uncertainty,
  errors: Pick<CrossFit, "factors" | "degreesOfFreedom">,
  position: number,
): number {
  const reach = studentTQuantile(0.975, errors.degreesOfFreedom) * crossError(errors, position);
  const ratio = reachOf(wanted) / reach;
  return Number.isFinite(ratio) ? Math.max(1, ratio) : 1;
}
