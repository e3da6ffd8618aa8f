import { leastSquares, type Regression } from "../regression.ts";
import type { Estimator } from "../types.ts";
import type { Grouping } from "./absorb.ts";
import { poissonSteps } from "./poisson.ts";
import { tobitSteps } from "./tobit.ts";

export type Estimate = {
  readonly regression: Regression;
  /** Expected ln quantity (ols, tobit) or ln of the expected quantity (ppml) of each row. */
  readonly linear: Float64Array;
  readonly converged: boolean;
  /** Of rows that sold out: the last step as a weighted regression, what would have sold, and the spread of ln of it. */
  readonly limited?: {
    readonly working: { readonly response: Float64Array; readonly weights: Float64Array };
    readonly quantities: Float64Array;
    readonly spread: number;
    readonly residual: number;
  };
};

/**
 * Regresses quantities on regressors: ln q by least squares or, where rows sold out, by a censored regression; q by Poisson
 * pseudo-maximum likelihood. Yields between steps.
 * @param limited 1 where demand was at least the quantity
 */
export function* estimateSteps(
  estimator: Estimator,
  quantities: Float64Array,
  regressors: readonly Float64Array[],
  groupings: readonly Grouping[],
  limited?: Uint8Array,
): Generator<void, Estimate> {
  if (estimator === "ppml") return yield* poissonSteps(quantities, regressors, groupings);
  if (estimator === "tobit" && limited) {
    const { demand, working, spread, residual, ...fit } = yield* tobitSteps(
      quantities,
      limited,
      regressors,
      groupings,
    );
    return { ...fit, limited: { working, spread, residual, quantities: demand } };
  }
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
