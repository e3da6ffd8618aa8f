import type { FittedDemand } from "../fit.ts";
import { studentTQuantile } from "../student-t.ts";
import type { FitReport, FormFit } from "../types.ts";

/** An elasticity with its standard error. */
export type Estimated = { readonly elasticity: number; readonly error: number };

/** What the elasticities of other items say of one that is not among them. */
export type Prior = {
  readonly items: number;
  readonly mean: number;
  /** Standard deviation of a further item's elasticity around `mean`, with the uncertainty of both. */
  readonly sd: number;
  /** Of the true elasticities among each other, as expected. */
  readonly between: number;
};

export const FEWEST_POOLED = 8;
const GRID = 60;
/** A weight of the others below this is left out: the item's own rows say all. */
const LEAST_WEIGHT = 0.1;

/**
 * The hierarchical normal model e_i ~ N(θ_i, s_i²), θ_i ~ N(µ, τ²) with flat priors of µ and τ, integrated over a grid of τ
 * (Gelman et al. 2013, 5.4): mean and standard deviation of a further θ. Undefined for too few items.
 */
export function priorOf(estimates: readonly Estimated[]): Prior | undefined {
  if (estimates.length < FEWEST_POOLED) return undefined;
  const values = estimates.map(({ elasticity }) => elasticity);
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length);
  if (!(spread > 0)) return undefined;
  const points = Array.from({ length: GRID }, (_, k) => {
    const tau = (2 * spread * k) / (GRID - 1);
    const weights = estimates.map(({ error }) => 1 / (error ** 2 + tau ** 2));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const mean =
      estimates.reduce((sum, { elasticity }, i) => sum + (weights[i] ?? 0) * elasticity, 0) / total;
    const log = estimates.reduce((sum, { elasticity }, i) => {
      const weight = weights[i] ?? 0;
      return sum + 0.5 * Math.log(weight) - 0.5 * weight * (elasticity - mean) ** 2;
    }, -0.5 * Math.log(total));
    return { tau, mean, variance: 1 / total, log };
  });
  const top = Math.max(...points.map(({ log }) => log));
  const densities = points.map(({ log }) => Math.exp(log - top));
  const whole = densities.reduce((sum, density) => sum + density, 0);
  const expect = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point, k) => sum + (of(point) * (densities[k] ?? 0)) / whole, 0);
  const mean = expect((point) => point.mean);
  const between = expect(({ tau }) => tau ** 2);
  return {
    items: estimates.length,
    mean,
    sd: Math.sqrt(between + expect(({ variance }) => variance) + expect((one) => (one.mean - mean) ** 2)),
    between: Math.sqrt(between),
  };
}

/**
 * The fit with its elasticity drawn towards those of the other items, by Bayes' rule from this prior, but by no more than its own
 * standard error: an item unlike the others keeps what its rows say (limited translation, Efron and Morris 1972). All forms
 * of its demand follow. The demand at the middle of the prices stays.
 */
export function pooledWith(fitted: FittedDemand, prior: Prior | undefined): FittedDemand {
  const { elasticity, elasticity_se: error, inference } = fitted.report;
  const refused = fitted.report.findings?.some(({ action }) => action === "refuse");
  if (prior === undefined || elasticity === undefined || error === undefined || refused) return fitted;
  const weight = error ** 2 / (error ** 2 + prior.sd ** 2);
  if (!(weight >= LEAST_WEIGHT)) return fitted;
  const own = updated(elasticity, error ** 2, prior);
  const [mean, standardError] = [elasticity + own.by, Math.sqrt(own.variance)];
  const degreesOfFreedom = leftOf(inference?.degrees_of_freedom ?? Number.POSITIVE_INFINITY, weight);
  const reach = studentTQuantile(0.975, degreesOfFreedom) * standardError;
  const doubt = fitted.doubtOf(mean, { standardError, degreesOfFreedom });
  const { reason: _, ...rest } = fitted.report;
  const report: FitReport = {
    ...rest,
    elasticity: mean,
    elasticity_se: standardError,
    interval: { low: mean - reach, high: mean + reach },
    ...(inference && { inference: { ...inference, degrees_of_freedom: degreesOfFreedom } }),
    identified: doubt === undefined,
    ...(doubt !== undefined && { reason: doubt }),
    pooling: {
      items: prior.items,
      mean: prior.mean,
      between_sd: prior.between,
      weight,
      own: { elasticity, elasticity_se: error },
    },
  };
  const used = Math.min(mean, 0);
  return {
    ...fitted,
    report,
    demandAt(price) {
      const { centre } = fitted;
      const middle = fitted.demandAt(centre).reference_quantity;
      return {
        ...fitted.demandAt(price),
        reference_quantity: middle * (price / centre) ** used,
        elasticity: used,
        elasticity_se: standardError,
        elasticity_df: degreesOfFreedom,
      };
    },
    formsAt: (price) => fitted.formsAt(price).map((form) => pooledForm(form, prior)),
  };
}

/** What the prior moves an estimate by, and the variance that is left. */
function updated(elasticity: number, variance: number, { mean, sd }: Prior) {
  const gain = variance / (variance + sd ** 2);
  const limit = Math.sqrt(variance);
  const by = Math.max(-limit, Math.min(limit, gain * (mean - elasticity)));
  return { by, gain, variance: (1 - gain) * variance };
}

/** Degrees of freedom of a variance to which the rows contribute 1 − gain (Satterthwaite 1946). */
const leftOf = (degreesOfFreedom: number, gain: number) => degreesOfFreedom / (1 - gain) ** 2;

/** A kink stays: the others say nothing of it. */
function pooledForm(form: FormFit, prior: Prior): FormFit {
  if (form.covariance !== undefined) {
    const [v, cov, w] = form.covariance;
    const { by, gain, variance } = updated(form.elasticity, v, prior);
    const rest = 1 - gain;
    return {
      ...form,
      elasticity: form.elasticity + by,
      curvature: (form.curvature ?? 0) + (cov / v) * by,
      covariance: [variance, rest * cov, w - (gain * cov * cov) / v],
    };
  }
  if (form.form === "kinked" || form.elasticity_se === undefined) return form;
  const { by, gain, variance } = updated(form.elasticity, form.elasticity_se ** 2, prior);
  return {
    ...form,
    elasticity: form.elasticity + by,
    elasticity_se: Math.sqrt(variance),
    degrees_of_freedom: leftOf(form.degrees_of_freedom, gain),
  };
}
