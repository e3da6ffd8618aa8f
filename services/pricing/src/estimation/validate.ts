import { gather } from "../at.ts";
import type { Estimator } from "../types.ts";
import { absorb, type Grouping, groupsAt } from "./absorb.ts";
import { coefficientsOf, estimateSteps } from "./estimate.ts";
import { withSales } from "./poisson.ts";

/** How well the fitted model predicts rows that it has not seen. */
export type Validation = {
  readonly folds: number;
  /** What a fold is: a stretch of time, or rows that follow each other in the dataset. */
  readonly blocks: "time" | "rows";
  /** 1 − loss with the price / loss of the same model without it. At most 1; ≤ 0: the price predicts nothing. */
  readonly predictive_r2: number;
  /** Slope of actual on predicted effects of the price. 1: right on average; below 1: overstated. */
  readonly calibration: number;
};

export type Data = {
  readonly estimator: Estimator;
  readonly quantities: Float64Array;
  /** ln price first, then the controls. */
  readonly regressors: readonly Float64Array[];
  readonly groupings: readonly Grouping[];
  readonly periods?: Grouping | undefined;
};

const FOLDS = 5;
const MOST_ROWS = 50_000;

/** The data with at most so many rows, evenly spread: shares of held-out losses need no more. */
export function thinned(data: Data): Data {
  const n = data.quantities.length;
  const stride = Math.ceil(n / MOST_ROWS);
  if (stride === 1) return data;
  const keep = Int32Array.from({ length: Math.ceil(n / stride) }, (_, k) => k * stride);
  return {
    ...data,
    quantities: gather(data.quantities, keep),
    regressors: data.regressors.map((values) => gather(values, keep)),
    groupings: data.groupings.map((one) => groupsAt(one, keep)),
    periods: data.periods && {
      ...data.periods,
      codes: Int32Array.from(keep, (r) => data.periods?.codes[r] ?? 0),
    },
  };
}

/**
 * Blocked cross-validation (Roberts et al. 2017): each fifth of the time (without a time column, of the rows)
 * is predicted by a fit on the rest, with and without the price. Blocks, not single rows, because neighbours
 * in time share shocks, which would make any model look good. Levels of fixed effects are taken from the
 * held-out rows for both models alike. The loss is squared error of ln q, or the Poisson deviance of q.
 * Yields after each fit. Undefined if no fold could be compared.
 */
export function* validationSteps(data: Data): Generator<void, Validation | undefined> {
  const n = data.quantities.length;
  const { periods } = data;
  const total = periods?.levels ?? n;
  const byTime = total >= 2 * FOLDS;
  const blockOf = (r: number) =>
    byTime && periods ? Math.floor((FOLDS * (periods.codes[r] ?? 0)) / total) : Math.floor((FOLDS * r) / n);
  const sums = { with: 0, without: 0, cross: 0, square: 0 };
  let folds = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const training: number[] = [];
    const held: number[] = [];
    for (let r = 0; r < n; r++) (blockOf(r) === fold ? held : training).push(r);
    const full = yield* predict(data, training, held, data.regressors);
    yield;
    const base = yield* predict(data, training, held, data.regressors.slice(1));
    yield;
    if (full === undefined || base === undefined) continue;
    folds += 1;
    const score = data.estimator === "ppml" ? deviance : squaredError;
    score(full, base, sums);
  }
  if (folds === 0 || !(sums.without > 0)) return undefined;
  return {
    folds,
    blocks: byTime && periods ? "time" : "rows",
    predictive_r2: rounded(1 - sums.with / sums.without),
    calibration: sums.square > 0 ? rounded(sums.cross / sums.square) : 0,
  };
}

/** Six digits, which is more than a share on held-out rows means. */
export function rounded(share: number): number {
  return Number(share.toPrecision(6));
}

/** Actual and predicted values: in logs for ols, in units for ppml. */
type Prediction = { readonly actual: Float64Array; readonly predicted: Float64Array };

function* predict(
  data: Data,
  training: readonly number[],
  held: readonly number[],
  regressors: readonly Float64Array[],
): Generator<void, Prediction | undefined> {
  const quantities = gather(data.quantities, training);
  if (held.length === 0 || quantities.every((value) => value === 0)) return undefined;
  const stays = withSales(
    quantities,
    data.groupings.map((one) => groupsAt(one, training)),
  );
  const kept = training.filter((_, r) => stays[r]);
  const fitted = yield* estimateSteps(
    data.estimator,
    gather(data.quantities, kept),
    regressors.map((one) => gather(one, kept)),
    data.groupings.map((one) => groupsAt(one, kept)),
  );
  if (!fitted.converged || !(fitted.regression.degreesOfFreedom > 0)) return undefined;
  const slopes = coefficientsOf(fitted.regression);
  const effect = (rows: readonly number[]) => {
    const sums = new Float64Array(rows.length);
    slopes.forEach((slope, j) => {
      const own = gather(regressors[j] ?? sums, rows);
      for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] ?? 0) + slope * (own[k] ?? 0);
    });
    return sums;
  };
  const actual = gather(data.quantities, held);
  const linear = effect(held);
  const levels = data.groupings.map((one) => groupsAt(one, held));
  if (levels.length === 0) {
    // Without groups the intercept is that of the training rows.
    const own = effect(kept);
    const intercept = fitted.linear.reduce((sum, eta, r) => sum + eta - (own[r] ?? 0), 0) / kept.length;
    const predicted = linear.map((eta) => eta + intercept);
    return data.estimator === "ols"
      ? { actual: actual.map(Math.log), predicted }
      : { actual, predicted: predicted.map(Math.exp) };
  }
  if (data.estimator === "ols") {
    const [own, next] = absorb([actual.map(Math.log), linear], levels);
    return own && next && { actual: own, predicted: next };
  }
  return { actual, predicted: rescaled(actual, linear.map(Math.exp), levels) };
}

/** Scales predictions to the held-out sales of each level, by iterative proportional fitting. */
function rescaled(actual: Float64Array, means: Float64Array, groupings: readonly Grouping[]): Float64Array {
  const result = means.slice();
  for (let sweep = 0; sweep < (groupings.length === 1 ? 1 : 20); sweep++) {
    for (const { codes, levels } of groupings) {
      const sold = new Float64Array(levels);
      const expected = new Float64Array(levels);
      for (let r = 0; r < result.length; r++) {
        const code = codes[r] ?? 0;
        sold[code] = (sold[code] ?? 0) + (actual[r] ?? 0);
        expected[code] = (expected[code] ?? 0) + (result[r] ?? 0);
      }
      for (let r = 0; r < result.length; r++) {
        const code = codes[r] ?? 0;
        const total = expected[code] ?? 0;
        result[r] = total > 0 ? ((result[r] ?? 0) * (sold[code] ?? 0)) / total : 0;
      }
    }
  }
  return result;
}

type Sums = { with: number; without: number; cross: number; square: number };

function squaredError(full: Prediction, base: Prediction, sums: Sums): void {
  full.actual.forEach((actual, r) => {
    const [own, none] = [full.predicted[r] ?? 0, base.predicted[r] ?? 0];
    sums.with += (actual - own) ** 2;
    sums.without += (actual - none) ** 2;
    sums.cross += (actual - none) * (own - none);
    sums.square += (own - none) ** 2;
  });
}

function deviance(full: Prediction, base: Prediction, sums: Sums): void {
  full.actual.forEach((actual, r) => {
    const [own, none] = [full.predicted[r] ?? 0, base.predicted[r] ?? 0];
    // A level without held-out sales is predicted exactly by both.
    if (own <= 0 || none <= 0) return;
    sums.with += own - actual + (actual > 0 ? actual * Math.log(actual / own) : 0);
    sums.without += none - actual + (actual > 0 ? actual * Math.log(actual / none) : 0);
    sums.cross += ((actual - none) * (own - none)) / none;
    sums.square += (own - none) ** 2 / none;
  });
}
