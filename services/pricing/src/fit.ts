import type { Dataset } from "./csv.ts";
import { PricingError } from "./errors.ts";
import { leastSquares } from "./regression.ts";
import { studentTQuantile } from "./student-t.ts";
import type { ConstantElasticity, Fit, FitReport } from "./types.ts";

/** An elasticity from fewer rows than this does not count as identified. */
export const FEWEST_ROWS = 30;

export type FittedDemand = {
  readonly report: FitReport;
  /** Controls left out because they are constant or collinear with the price or with earlier controls. */
  readonly omitted: readonly string[];
  /** The demand model with this reference price, and the quantity predicted there. */
  demandAt(price: number): ConstantElasticity;
};

/**
 * Fits ln(quantity) = a + e·ln(price) + Σ b·control by ordinary least squares on the given rows of a dataset.
 *
 * Standard errors are HC1; the 95% interval uses Student's t with n − k degrees of freedom. `identified` is
 * false if the interval includes 0, the estimate is positive (demand that rises with the price has no optimal
 * price), n < 30, or the price never varied. Rows with a price or quantity ≤ 0, or with a cell that is not a
 * number, are dropped and counted.
 *
 * The reference quantity at price p is exp(ȳ + e·(ln p − mean ln price))·S, in units per row of the dataset:
 * the prediction at mean controls, times Duan's (1983) smearing factor S = mean of exp(residual). Without S
 * the retransformed prediction is the median, which understates expected demand, revenue and profit. S does
 * not assume normal errors and does not move the optimal price.
 * @throws PricingError INVALID_DATASET for a column that the dataset does not have; NO_USABLE_ROWS if no row
 *   is left
 */
export function fitDemand(spec: Fit, dataset: Dataset, rows: readonly number[]): FittedDemand {
  const names = [spec.price, spec.quantity, ...(spec.controls ?? [])];
  const { columns, dropped } = numericRows(spec, dataset, rows, names);
  const [prices, quantities, ...controls] = columns;
  if (prices === undefined || quantities === undefined || prices.length === 0) {
    throw new PricingError("NO_USABLE_ROWS", `Dataset ${spec.dataset} has no usable rows for this fit.`, {
      dataset: spec.dataset,
    });
  }
  const regression = leastSquares(quantities.map(Math.log), [prices.map(Math.log), ...controls]);
  const estimated = regression.entered[0] === true && regression.degreesOfFreedom > 0;
  const elasticity = estimated ? (regression.coefficients[0] ?? 0) : undefined;
  const standardError = regression.standardErrors[0] ?? 0;
  const reach = estimated ? studentTQuantile(0.975, regression.degreesOfFreedom) * standardError : 0;
  const n = prices.length;
  const kept = (spec.controls ?? []).filter((_, i) => regression.entered[i + 1]);
  const report: FitReport = {
    ...(elasticity !== undefined && {
      elasticity,
      elasticity_se: standardError,
      interval: { low: elasticity - reach, high: elasticity + reach },
      r2: regression.rSquared,
    }),
    n,
    dropped_rows: dropped,
    identified: elasticity !== undefined && elasticity + reach < 0 && n >= FEWEST_ROWS,
    controls: kept,
  };

  // A positive estimate is not identified, so the tier is held. Elasticity 0 then predicts its mean demand.
  const used = Math.min(elasticity ?? 0, 0);
  const smearing = regression.residuals.reduce((sum, e) => sum + Math.exp(e), 0) / n;
  const base = regression.meanOfY - used * (regression.means[0] ?? 0);
  return {
    report,
    omitted: (spec.controls ?? []).filter((_, i) => !regression.entered[i + 1]),
    demandAt: (price) => ({
      model: "constant_elasticity",
      reference_price: price,
      reference_quantity: Math.exp(base + used * Math.log(price)) * smearing,
      elasticity: used,
      ...(elasticity !== undefined && { elasticity_se: standardError }),
    }),
  };
}

/**
 * The price, quantity and control columns as numbers, without unusable rows, and the number of rows dropped.
 */
function numericRows(
  spec: Fit,
  dataset: Dataset,
  rows: readonly number[],
  names: readonly string[],
): { columns: Float64Array[]; dropped: number } {
  const cells = names.map((name) => columnOf(dataset, spec.dataset, name));
  const columns = names.map(() => new Float64Array(rows.length));
  let kept = 0;
  for (const row of rows) {
    const usable = cells.every((column, c) => {
      const value = numberIn(column[row]);
      const target = columns[c];
      if (target) target[kept] = value;
      return c < 2 ? value > 0 && value < Number.POSITIVE_INFINITY : Number.isFinite(value);
    });
    if (usable) kept += 1;
  }
  return { columns: columns.map((column) => column.subarray(0, kept)), dropped: rows.length - kept };
}

/** The cells of a column. @throws PricingError INVALID_DATASET */
export function columnOf(dataset: Dataset, id: string, name: string): readonly string[] {
  const column = dataset.columns.get(name);
  if (column === undefined) {
    throw new PricingError("INVALID_DATASET", `Dataset ${id} has no column ${name}.`, {
      dataset: id,
      column: name,
    });
  }
  return column;
}

function numberIn(cell: string | undefined): number {
  return cell === undefined || cell === "" ? Number.NaN : Number(cell);
}
