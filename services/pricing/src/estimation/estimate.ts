import { leastSquares, type Regression } from "../regression.ts";
import type { Estimator } from "../types.ts";
import type { Grouping } from "./absorb.ts";
import { poissonSteps } from "./poisson.ts";

export type Estimate = {
  readonly regression: Regression;
  /** Expected ln quantity (ols) or ln of the expected quantity (ppml) of each row. */
  readonly linear: Float64Array;
  readonly converged: boolean;
};

/** Regresses quantities on regressors: ln q by least squares, or q by Poisson pseudo-maximum likelihood; yields between steps. */
export function* estimateSteps(
  estimator: Estimator,
  quantities: Float64Array,
  regressors: readonly Float64Array[],
  groupings: readonly Grouping[],
): Generator<void, Estimate> {
  if (estimator === "ppml") return yield* poissonSteps(quantities, regressors, groupings);
  const logs = quantities.map(Math.log);
  const regression = leastSquares(logs, regressors, { groupings });
  const { residuals } = regression;
  return { regression, linear: logs.map((value, r) => value - (residuals[r] ?? 0)), converged: true };
}

/** The coefficient of every regressor, 0 for those that did not enter. */
export function coefficientsOf({ coefficients, entered }: Regression): number[] {
  let next = 0;
  return entered.map((in_) => {
    if (!in_) return 0;
    next += 1;
    return coefficients[next - 1] ?? 0;
  });
}
