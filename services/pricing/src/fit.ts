import { at, gather } from "./at.ts";
import type { Dataset } from "./csv.ts";
import { type Finding, findingOf, sentenceOf } from "./data/findings.ts";
import { inspectDesign, inspectRows } from "./data/inspect.ts";
import { promotedRows } from "./data/said-columns.ts";
import { regularRows } from "./data/sales-checks.ts";
import { supportOf } from "./data/support.ts";
import { PricingError } from "./errors.ts";
import { type Grouping, groupsAt } from "./estimation/absorb.ts";
import {
  type Design,
  designOf,
  FEWEST_CLUSTERS,
  type Sample,
  sampleOf,
  samplePart,
} from "./estimation/design.ts";
import { coefficientsOf, type Estimate, estimateSteps } from "./estimation/estimate.ts";
import { type FormData, formSteps, kinkAt, MOST_FORM_ROWS, ordered } from "./estimation/forms.ts";
import { withSales } from "./estimation/poisson.ts";
import { thinned, type Validation, validationSteps } from "./estimation/validate.ts";
import { meanError, reachOf, type Uncertainty, uncertaintyOf } from "./estimation/variance.ts";
import type { ConstantElasticity, Estimator, Fit, FitReport, FormFit } from "./types.ts";

/** An elasticity from fewer rows than this does not count as identified. */
export const FEWEST_ROWS = 30;
/** If this share of the quantities is exactly 1 and none is 0, rows without sales are probably missing. */
const SUSPICIOUS_ONES = 0.05;

export type FittedDemand = {
  readonly report: FitReport;
  /** The rows that the data gate let pass. */
  readonly usedRows: readonly number[];
  /** What may be wrong with the estimate, as sentences. */
  readonly warnings: readonly string[];
  /** What must be true for the estimate to be causal; a sentence that names controls and fixed effects. */
  readonly assumption: string;
  /** The demand model with this reference price, and the quantity predicted there. */
  demandAt(price: number): ConstantElasticity;
  /** The price in the middle of the rows. */
  readonly centre: number;
  /** Why no price can be based on the fit with this elasticity in place of its own; undefined if one can. */
  doubtOf(elasticity: number, uncertainty: Uncertainty): string | undefined;
  /** The forms of demand, with a kink at this price if the rows show one. */
  formsAt(price: number): FormFit[];
};

/**
 * Fits a demand with constant elasticity to rows of a dataset: ln E[q] = effects + e·ln(price) + Σ b·control.
 *
 * Estimator: log-log least squares if every row has sales (censored where rows sold out), else Poisson pseudo-maximum
 * likelihood, which keeps the rows without. Fixed effects, season and the dependence of errors: `designOf`. Interval: 95%, Student t,
 * from HC1 (ppml: HC3), cluster-robust (CR3) or HAC standard errors: `uncertaintyOf`. Out-of-sample check:
 * `validationSteps`. `identified` is false, with the reason, if the estimate cannot carry a price.
 *
 * The reference quantity at price p is the mean over the rows of the expected quantity had their price been p,
 * in units per row. For least squares that includes Duan's (1983) smearing factor, the mean of exp(residual):
 * without it the prediction is a median, which understates expected demand, revenue and profit.
 *
 * Where buyers stock up in promotions, the fit is made anew on the rows outside of them.
 *
 * Yields between regressions, each of them a few milliseconds, so that a server can pause.
 * @param known what was found before rows were left out
 * @throws PricingError INVALID_DATASET for a column that the dataset does not have; NO_USABLE_ROWS if no row
 *   is left
 */
export function* fitSteps(
  spec: Fit,
  dataset: Dataset,
  rows: readonly number[],
  known: readonly Finding[] = [],
): Generator<void, FittedDemand> {
  const inspected = inspectRows(spec, dataset, rows);
  const all = sampleOf(spec, dataset, inspected.rows, inspected.soldOut);
  const { estimator, reason } = estimatorFor(spec, all);
  const zeros = all.quantities.reduce((count, quantity) => count + (quantity === 0 ? 1 : 0), 0);
  yield;
  const { sample: seen, design } = usedRows(spec, dataset, all, estimator);
  const n = seen.rows.length;
  if (n === 0) {
    throw new PricingError("NO_USABLE_ROWS", `Dataset ${spec.dataset} has no usable rows for this fit.`, {
      dataset: spec.dataset,
    });
  }
  yield;
  const found = inspectDesign(spec, dataset, seen, design);
  const refusals = [...inspected.findings, ...found].filter(({ action }) => action === "refuse");
  const stocked =
    known.length === 0 && refusals.length > 0 && refusals.every(({ code }) => code === "stockpiling");
  const lasting = stocked ? lastingRows(spec, dataset, rows) : undefined;
  if (lasting !== undefined) {
    const left = new Set(lasting);
    const promotions = rows.filter((row) => !left.has(row));
    const about = [...inspected.findings, findingOf("promotions_excluded", promotions, spec.price)];
    return yield* fitSteps(spec, dataset, lasting, about);
  }
  const findings = [
    ...known,
    ...inspected.findings.filter(({ code }) => known.every((one) => one.code !== code)),
    ...found.filter(({ code }) => code !== "stockpiling" || known.length === 0),
  ];
  const refusal = findings.find(({ action }) => action === "refuse");
  const others = [...seen.controls, ...design.season];
  const regressors = [seen.prices.map(Math.log), ...others.map(({ values }) => values)];
  const fitted = yield* estimateSteps(estimator, seen.quantities, regressors, design.groupings, seen.limited);
  const { regression } = fitted;
  // From here on, rows that sold out have what they would have sold.
  const sample = fitted.limited ? { ...seen, quantities: fitted.limited.quantities } : seen;
  const estimated = fitted.converged && regression.entered[0] === true && regression.degreesOfFreedom > 0;
  const elasticity = estimated ? at(regression.coefficients, 0) : undefined;
  const uncertainty = estimated
    ? uncertaintyOf(regression, 0, { ...design.dependence, jackknife: estimator === "ppml" })
    : undefined;
  yield;
  const validation =
    estimated && n >= FEWEST_ROWS
      ? yield* validationSteps(
          thinned({
            estimator: estimator === "ppml" ? estimator : "ols",
            quantities: sample.quantities,
            regressors,
            groupings: design.groupings,
            periods: design.periods,
          }),
        )
      : undefined;

  const prepared = formDataOf({
    estimator,
    sample,
    design,
    fitted,
    others: others.map(({ values }) => values),
  });
  const { forms, data: formData } =
    elasticity !== undefined && uncertainty !== undefined && n >= FEWEST_ROWS
      ? yield* formSteps(prepared, { elasticity, uncertainty })
      : { forms: [], data: prepared };

  // A positive estimate is not identified, so the tier is held. Elasticity 0 then predicts its mean demand.
  const used = Math.min(elasticity ?? 0, 0);
  const shiftSlope = design.shift ? (coefficientsOf(regression).at(-1) ?? 0) : 0;
  const closed = findings.find(({ code }) => code === "zeros_excluded")?.rows ?? 0;
  const { level: whenOpen, error } = meanDemand(
    sample,
    fitted,
    elasticity === undefined ? undefined : used,
    estimator,
    design,
    shiftSlope,
  );

  // Periods without sales at any price say nothing of the elasticity, but belong to a period's demand.
  const level = (whenOpen * n) / (n + closed);
  const names = others.map(({ name }) => name);
  const kept = names.filter((_, i) => regression.entered[i + 1]);
  const omitted = names.filter((_, i) => !regression.entered[i + 1]);
  const reasons = { fitted, elasticity, uncertainty, validation, n };
  const doubt = refusal?.effect ?? doubtOf(reasons);
  const report: FitReport = {
    ...(elasticity !== undefined && uncertainty !== undefined && estimates(elasticity, uncertainty)),
    ...(estimated && { r2: rSquaredOf(estimator, sample.quantities, fitted) }),
    ...(estimated && { residual_sd: residualSpread(estimator, sample.quantities, fitted) }),
    demand_se: error,
    n,
    dropped_rows: all.dropped + (estimator === "ols" ? zeros : 0),
    identified: doubt === undefined,
    ...(doubt !== undefined && { reason: doubt }),
    controls: [...sample.categories, ...kept],
    estimator,
    estimator_reason: reason,
    zero_rows: zeros,
    ...(uncertainty && { inference: inferenceOf(design, estimator, uncertainty) }),
    fixed_effects: design.fixedEffects.filter((name) => !sample.categories.includes(name)),
    ...(validation && { validation }),
    observed_range: supportOf(sample.prices),
    ...(findings.length > 0 && { findings }),
    ...(spec.prices_follow && { prices_follow: spec.prices_follow }),
  };
  return {
    report,
    warnings: [
      ...findings.filter(({ action }) => action === "warn").map(sentenceOf),
      ...warningsOf({ report, design, zeros, sample, omitted, dropped: all.dropped }),
    ],
    usedRows: inspected.rows,
    assumption: assumptionOf(report),
    centre: Math.exp(sample.prices.reduce((sum, price) => sum + Math.log(price), 0) / n),
    doubtOf: (elasticity, uncertainty) => refusal?.effect ?? doubtOf({ ...reasons, elasticity, uncertainty }),
    formsAt(price) {
      const kink = forms.length === 0 ? undefined : kinkAt(formData, price);
      return kink ? [...forms, kink] : [...forms];
    },
    demandAt: (price) => ({
      model: "constant_elasticity",
      reference_price: price,
      reference_quantity: level * price ** used,
      elasticity: used,
      ...(uncertainty && {
        elasticity_se: uncertainty.standardError,
        elasticity_df: uncertainty.degreesOfFreedom,
      }),
    }),
  };
}

/** Runs `fitSteps` to its end. */
export function fitDemand(spec: Fit, dataset: Dataset, rows: readonly number[]): FittedDemand {
  const steps = fitSteps(spec, dataset, rows);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * Rows without promotions and what follows them, where buyers stock up: of all rows with sales, since those that promotions
 * make odd are left out elsewhere.
 */
function lastingRows(spec: Fit, dataset: Dataset, given: readonly number[]): number[] | undefined {
  const { sample, design } = usedRows(spec, dataset, sampleOf(spec, dataset, given), "ols");
  const { prices, quantities, rows } = sample;
  if (design.periods?.levels !== rows.length) return undefined;
  const regular = regularRows(
    prices.map(Math.log),
    quantities,
    design.periods,
    design.season.map(({ values }) => values),
    promotedRows(dataset, rows),
  );
  return regular?.map((r) => at(rows, r));
}

/** The regression that forms of demand are compared in: of ln q, or of the last step of the Poisson estimate. */
function formDataOf(given: {
  estimator: Estimator;
  sample: Sample;
  design: Design;
  fitted: Estimate;
  others: readonly Float64Array[];
}): FormData {
  const { estimator, sample, design, fitted, others } = given;
  const stride = Math.ceil(sample.rows.length / MOST_FORM_ROWS);
  const keep = sample.rows.map((_, r) => r).filter((r) => r % stride === 0);
  const pick = (values: Float64Array) => (stride === 1 ? values : gather(values, keep));
  const group = (one: Grouping) => (stride === 1 ? one : groupsAt(one, keep));
  const inOrder = (one: Grouping) => (stride === 1 ? one : ordered(one, keep));
  const means = fitted.linear.map(Math.exp);
  const ppml = () => ({
    response: fitted.linear.map((eta, r) => eta + at(sample.quantities, r) / at(means, r) - 1),
    weights: means,
  });
  const working = estimator === "ppml" ? ppml() : fitted.limited?.working;
  const { clusters, periods, crossed } = design.dependence;
  return {
    response: pick(working?.response ?? sample.quantities.map(Math.log)),
    ...(working && { weights: pick(working.weights) }),
    logPrices: pick(sample.prices.map(Math.log)),
    others: others.map(pick),
    groupings: design.groupings.map(group),
    ...(design.periods && { periods: inOrder(design.periods) }),
    dependence: {
      ...(clusters && { clusters: group(clusters) }),
      ...(crossed !== undefined && { crossed }),
      ...(periods && { periods: inOrder(periods) }),
      jackknife: estimator === "ppml",
    },
  };
}

function estimatorFor(spec: Fit, { quantities, limited }: Sample): { estimator: Estimator; reason: string } {
  if (spec.estimator === "ols" || spec.estimator === "ppml")
    return { estimator: spec.estimator, reason: "as requested" };
  if (limited !== undefined && quantities.every((quantity) => quantity > 0)) {
    const rows = limited.reduce((sum, one) => sum + one, 0);
    return {
      estimator: "tobit",
      reason: `every row has sales, and ${rows} sold out: demand there was at least what was sold`,
    };
  }
  return quantities.some((quantity) => quantity === 0)
    ? { estimator: "ppml", reason: "some rows have no sales, which a log would drop" }
    : { estimator: "ols", reason: "every row has sales" };
}

/** The rows that the estimator can use, and the design on them. */
function usedRows(
  spec: Fit,
  dataset: Dataset,
  all: Sample,
  estimator: Estimator,
): { sample: Sample; design: Design } {
  const positive = [...all.rows.keys()].filter((r) => estimator === "ppml" || at(all.quantities, r) > 0);
  const sample = positive.length === all.rows.length ? all : samplePart(all, positive);
  const design = designOf(spec, dataset, sample);
  if (estimator !== "ppml") return { sample, design };
  const stays = withSales(sample.quantities, design.groupings);
  if (stays.every((one) => one === 1)) {
    const sold = sample.quantities.some((quantity) => quantity > 0);
    return { sample: sold ? sample : samplePart(sample, []), design };
  }
  const part = samplePart(
    sample,
    positive.map((_, r) => r).filter((r) => stays[r] === 1),
  );
  return { sample: part, design: designOf(spec, dataset, part) };
}

function estimates(elasticity: number, uncertainty: Uncertainty) {
  const reach = reachOf(uncertainty);
  return {
    elasticity,
    elasticity_se: uncertainty.standardError,
    interval: { low: elasticity - reach, high: elasticity + reach },
  };
}

/** Why no price can be based on the estimate; undefined if one can. */
function doubtOf(given: {
  fitted: Estimate;
  elasticity: number | undefined;
  uncertainty: Uncertainty | undefined;
  validation: Validation | undefined;
  n: number;
}): string | undefined {
  const { fitted, elasticity, uncertainty, validation, n } = given;
  if (!fitted.converged) return "the estimate does not converge";
  if (elasticity === undefined || uncertainty === undefined) return "the price does not vary enough";
  if (n < FEWEST_ROWS) return `${n} rows, ${FEWEST_ROWS} are needed`;
  const reach = reachOf(uncertainty);
  if (!Number.isFinite(reach)) return "its standard error cannot be estimated";
  if (elasticity - reach > 0) return "demand rises with the price";
  if (elasticity + reach >= 0) return "the 95% interval includes 0";
  if (validation === undefined || validation.predictive_r2 <= 0)
    return "out of sample the price predicts demand no better than a model without it";
  return undefined;
}

function inferenceOf(
  design: Design,
  estimator: Estimator,
  { degreesOfFreedom }: Uncertainty,
): NonNullable<FitReport["inference"]> {
  const { clusters, periods } = design.dependence;
  const independent = estimator === "ppml" ? "hc3" : "hc1";
  const serial = periods ? "hac" : independent;
  const method = clusters ? (periods ? "cluster_or_hac" : "cluster") : serial;
  return {
    method,
    ...(clusters && design.cluster !== undefined && { cluster: design.cluster, clusters: clusters.levels }),
    ...(periods && design.time !== undefined && { time: design.time, periods: periods.levels }),
    degrees_of_freedom: degreesOfFreedom,
  };
}

/** For ols the share of variation explained within the fixed effects; for ppml corr(q, fitted)². */
function rSquaredOf(estimator: Estimator, quantities: Float64Array, fitted: Estimate): number {
  if (estimator !== "ppml") return fitted.regression.rSquared;
  const means = fitted.linear.map(Math.exp);
  const [a, b] = [quantities, means].map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  });
  if (a === undefined || b === undefined) return 0;
  const inner = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, r) => sum + value * at(y, r), 0);
  const spread = inner(a, a) * inner(b, b);
  return spread > 0 ? inner(a, b) ** 2 / spread : 0;
}

/** For ols of ln q; for ppml the square root of the Pearson dispersion over the mean quantity. */
function residualSpread(
  estimator: Estimator,
  quantities: Float64Array,
  { regression, limited }: Estimate,
): number {
  if (limited) return limited.residual;
  const { scaledResiduals, degreesOfFreedom } = regression;
  const dispersion = scaledResiduals.reduce((sum, error) => sum + error * error, 0) / degreesOfFreedom;
  if (estimator === "ols") return Math.sqrt(dispersion);
  const mean = quantities.reduce((sum, quantity) => sum + quantity, 0) / quantities.length;
  return Math.sqrt(dispersion / mean);
}

/**
 * Mean over the rows of the expected quantity at price 1, with its relative standard error. What changed over time is at its
 * last value: the quantity is today's.
 */
function meanDemand(
  { prices, quantities }: Sample,
  { linear, limited }: Estimate,
  used: number | undefined,
  estimator: Estimator,
  design: Design,
  shiftSlope: number,
): { level: number; error: number } {
  const last = design.shift?.values.reduce((most, value) => Math.max(most, value), 0) ?? 0;
  const scale = prices.map((price, r) =>
    Math.exp(shiftSlope * (last - (design.shift?.values[r] ?? 0)) - (used ?? 0) * Math.log(price)),
  );
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const sold = quantities.map((quantity, r) => quantity * at(scale, r));
  const error = meanError(sold, design.dependence) / mean(sold);
  // Without an elasticity: the mean quantity.
  if (used === undefined) return { level: mean(quantities), error };
  const expected = mean(linear.map((eta, r) => Math.exp(eta) * at(scale, r)));
  const duan = () => mean(quantities.map((quantity, r) => quantity / Math.exp(at(linear, r))));
  // Rows that sold out have no residual; their errors are taken to be normal, as by the estimate.
  const smearing = limited ? Math.exp(limited.spread ** 2 / 2) : estimator === "ols" ? duan() : 1;
  return { level: expected * smearing, error };
}

function warningsOf(given: {
  report: FitReport;
  design: Design;
  sample: Sample;
  zeros: number;
  dropped: number;
  omitted: readonly string[];
}): string[] {
  const { report, design, sample, zeros, dropped, omitted } = given;
  const warnings: string[] = [];
  if (report.estimator === "ols" && zeros > 0) {
    warnings.push(
      "rows without sales are left out, as the requested estimator ols cannot use them: the elasticity is biased towards 0 and the recommended price too high; estimator ppml uses all rows.",
    );
  }
  const ones = sample.quantities.reduce((count, quantity) => count + (quantity === 1 ? 1 : 0), 0);
  const counts = sample.quantities.every(Number.isInteger);
  if (counts && zeros === 0 && ones > SUSPICIOUS_ONES * sample.quantities.length) {
    warnings.push(
      "the quantities are small counts and no row is without sales: if the dataset leaves such rows out, the elasticity is biased towards 0 and the recommended price too high.",
    );
  }
  if (dropped > 0) {
    warnings.push(
      `${dropped} rows without a positive price, a quantity ≥ 0 and readable controls were dropped: unless they are a random part of the rows, the elasticity is biased.`,
    );
  }
  if (omitted.length > 0) {
    warnings.push(`control ${omitted.join(", ")} is constant or collinear and was left out.`);
  }
  const clusters = design.dependence.clusters?.levels ?? FEWEST_CLUSTERS;
  if (clusters < FEWEST_CLUSTERS) {
    warnings.push(`${clusters} clusters of ${design.cluster} are few: the 95% interval may be too narrow.`);
  }
  return warnings;
}

/** The sentence on endogeneity. */
function assumptionOf({ controls, fixed_effects }: FitReport): string {
  const held = [
    ...(controls.length > 0 ? [`the controls ${controls.join(", ")}`] : []),
    ...(fixed_effects.length > 0 ? [`fixed effects of ${fixed_effects.join(", ")}`] : []),
  ];
  const given = held.length > 0 ? `given ${held.join(" and ")}` : "and nothing else was controlled for";
  return `The elasticity is causal only if price moves were unrelated to demand shocks, ${given}; otherwise it mixes the effect of the price with what made the price move.`;
}
