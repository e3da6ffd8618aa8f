import { at } from "../at.ts";
import { studentTQuantile } from "../student-t.ts";
import type { FitReport, JointDemand, ResolvedItem, ResolvedTier } from "../types.ts";
import { crossError } from "./cross.ts";

/** An estimate with its standard error and 95% interval (wire shape). */
export type Estimated = NonNullable<FitReport["cross"]>[string];

/**
 * What the joint fit says of one tier at today's prices, in place of what the fit of the tier alone said: the prices
 * are made by the joint fit. `r2` and `validation` of the tier's own fit are left out;
 * the item's `substitution.held_out` has the scores of the joint fit.
 */
export function jointReport(
  item: ResolvedItem,
  name: string,
  own: FitReport,
  joint: JointDemand,
  occasions: number,
): FitReport {
  const {
    elasticity: _e,
    elasticity_se: _s,
    interval: _i,
    r2: _r,
    residual_sd: _d,
    validation: _v,
    reason: _w,
    pooling: _p,
    ...rest
  } = own;
  const i = joint.names.indexOf(name);
  const estimates = joint.names.map((_, j) => estimateOf(item, joint, i, j));
  const { interval, ...found } = at(estimates, i);
  const identified = joint.model === "logit" || interval.high < 0;
  const degrees_of_freedom =
    joint.model === "logit" ? joint.logit.degreesOfFreedom : joint.cross.degreesOfFreedom;
  return {
    ...rest,
    ...found,
    interval,
    n: occasions,
    identified,
    ...(!identified && { reason: "fitted with the item's other tiers, the 95% interval includes 0" }),
    inference: { method: joint.model === "logit" ? "hac" : joint.cross.method, degrees_of_freedom },
    cross: Object.fromEntries(
      joint.names.flatMap((other, j) => (j === i ? [] : [[other, at(estimates, j)] as const])),
    ),
  };
}

/** The elasticity of tier i by the price of tier j, at today's prices. */
function estimateOf(item: ResolvedItem, joint: JointDemand, i: number, j: number): Estimated {
  if (joint.model === "cross_price") {
    const { cross, names } = joint;
    const error = crossError(cross, i * names.length + j);
    return estimated(at(at(cross.elasticities, i), j), error, cross.degreesOfFreedom);
  }
  const { parameters, covariance, degreesOfFreedom } = joint.logit;
  const prices = joint.names.map((name) => item.tiers[name]?.current_price ?? 0);
  const valueAt = (at_: readonly number[]) => logitElasticity(at_, prices, i, j);
  const gradient = parameters.map((value, k) => {
    const step = 1e-5 * Math.max(Math.abs(value), 1e-3);
    return (
      (valueAt(parameters.with(k, value + step)) - valueAt(parameters.with(k, value - step))) / (2 * step)
    );
  });
  const variance = covariance.reduce(
    (sum, row, a) =>
      sum + row.reduce((part, value, b) => part + value * at(gradient, a) * at(gradient, b), 0),
    0,
  );
  return estimated(valueAt(parameters), Math.sqrt(Math.max(0, variance)), degreesOfFreedom);
}

/** −b·p_i·(1 − s_i) for the own price, b·p_j·s_j for another's, with the shares s of the market. */
function logitElasticity(parameters: readonly number[], prices: readonly number[], i: number, j: number) {
  const slope = at(parameters, prices.length);
  const utilities = prices.map((price, k) => at(parameters, k) - slope * price);
  const top = Math.max(0, ...utilities);
  const weights = utilities.map((utility) => Math.exp(utility - top));
  const total = weights.reduce((sum, weight) => sum + weight, Math.exp(-top));
  return slope * at(prices, j) * (at(weights, j) / total - (i === j ? 1 : 0));
}

function estimated(elasticity: number, elasticity_se: number, degreesOfFreedom: number): Estimated {
  const reach = studentTQuantile(0.975, degreesOfFreedom) * elasticity_se;
  return { elasticity, elasticity_se, interval: { low: elasticity - reach, high: elasticity + reach } };
}

/** The tier with its joint demand; held at today's price if the joint fit does not identify it. */
export function withJointReport(
  item: ResolvedItem,
  name: string,
  tier: ResolvedTier,
  joint: JointDemand,
): ResolvedTier {
  const { held: _, forms: _f, ...free } = tier;
  if (tier.fit === undefined) return free;
  const occasions = item.substitution?.occasions ?? tier.fit.n;
  const fit = jointReport(item, name, tier.fit, joint, occasions);
  return { ...free, fit, ...(!fit.identified && { held: true }) };
}
