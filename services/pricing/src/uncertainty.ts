import { at } from "./at.ts";
import { type CrossBelief, crossBelief, elasticitiesAt } from "./cross-belief.ts";
import {
  beliefCentre,
  beliefQuantile,
  type Distribution,
  type SignedBelief,
  type StudentT,
  signedBelief,
} from "./distribution.ts";
import { type JointBelief, jointBelief, parametersAt } from "./joint-belief.ts";
import { normalQuantile } from "./normal.ts";
import type { ResolvedItem } from "./types.ts";

/** The uncertain parameters of an analysis (wire shape). Shares are fractions: 0.05 is ±5%. */
export type UncertaintyInputs = {
  draws?: number;
  seed?: number;
  /**
   * Relative standard error of the elasticity (for logit, of the price coefficient), for tiers that have none
   * of their own.
   */
  elasticity_pct?: number;
  /** 95% intervals of elasticities, which replace the tiers' standard errors by normal beliefs. */
  elasticity_intervals?: { item_id: string; tier: string; low: number; high: number }[];
  /** Beliefs about elasticities, all below 0. */
  elasticity_beliefs?: { item_id: string; tier: string; belief: Distribution }[];
  /** Half-width of a uniform relative change of the item's costs. */
  cost_pct?: number;
  /** Half-width of a uniform relative change of the item's demand. */
  demand_pct?: number;
  /** Belief about the factor that multiplies the item's costs; instead of `cost_pct`. */
  cost?: Distribution;
  /** Belief about the factor that multiplies the item's demand; instead of `demand_pct`. */
  demand?: Distribution;
  /**
   * The correlation, between any two items, of the normal scores of their cost factors, and of those of their demand
   * factors: the share of the scores' variance that all items have in common.
   */
  common_share?: number;
};

export const DEFAULT_UNCERTAINTY = {
  draws: 1000,
  seed: 1,
  elasticity_pct: 0.1,
  cost_pct: 0.05,
  demand_pct: 0.1,
  /** Half: costs and demand of a catalogue move partly together, and nothing in a request says how much. */
  common_share: 0.5,
};

/** Where the belief about an elasticity comes from. */
export type BeliefSource = "given" | "estimated" | "assumed";

/**
 * Belief about a tier's elasticity. For logit it is about −b'/b, minus the price coefficient relative to its
 * estimate; the utility at the current price does not change.
 */
export type ElasticityBelief = SignedBelief & { readonly tier: string; readonly source: BeliefSource };

/**
 * The uncertain factors of one item. Elasticities are independent of all else. The factors of cost and demand apply
 * to all its tiers together, and are correlated with those of other items.
 */
export type Belief = {
  readonly elasticities: readonly ElasticityBelief[];
  /** Instead of elasticities, for tiers whose logit was fitted together. */
  readonly joint?: JointBelief;
  /**
   * About the elasticities of tiers with cross-price effects. The own ones are drawn with them, unless the request
   * gives a belief about one.
   */
  readonly cross?: CrossBelief;
  readonly cost: SignedBelief;
  readonly demand: SignedBelief;
};

/** One scenario: elasticities in the order of `Belief.elasticities`, and the factors of cost and demand. */
export type Scenario = {
  readonly elasticities: readonly number[];
  /** The parameters that `Belief.joint` is about. */
  readonly joint?: ArrayLike<number>;
  /** The elasticities that `Belief.cross` is about; those in `elasticities` replace the own ones. */
  readonly cross?: ArrayLike<number>;
  readonly cost: number;
  readonly demand: number;
};

/**
 * The uncertain factors of an item under a request. A tier's belief is the request's, else normal with the tier's
 * standard error (of a fit: t with its degrees of freedom), else normal with `elasticity_pct`. Held tiers have none: their price does not move.
 */
export function beliefOf(item: ResolvedItem, given: UncertaintyInputs): Belief {
  const elasticities: ElasticityBelief[] = [];
  const joint = item.joint?.model === "logit" ? jointBelief(item.joint) : undefined;
  const cross = item.joint?.model === "cross_price" ? crossBelief(item.joint) : undefined;
  const share = given.elasticity_pct ?? DEFAULT_UNCERTAINTY.elasticity_pct;
  for (const [tier, { demand, held }] of Object.entries(item.tiers)) {
    if (held || joint) continue;
    const asked = askedBelief(item.item_id, tier, given);
    const mean = demand.model === "logit" ? -1 : demand.elasticity;
    const own = demand.model === "logit" ? undefined : demand.elasticity_se;
    const degrees = demand.model === "logit" ? undefined : demand.elasticity_df;
    const sd = own ?? Math.abs(mean) * share;
    const estimated: Distribution | StudentT =
      degrees === undefined
        ? { distribution: "normal", mean, sd }
        : { distribution: "student_t", mean, scale: sd, degrees_of_freedom: degrees };
    const otherwise = own === undefined ? "assumed" : "estimated";
    elasticities.push({
      tier,
      source: asked === undefined ? otherwise : "given",
      ...signedBelief(asked ?? estimated, -1),
    });
  }
  return {
    elasticities,
    ...(joint && { joint }),
    ...(cross && { cross }),
    cost: signedBelief(factorBelief(given.cost, given.cost_pct ?? DEFAULT_UNCERTAINTY.cost_pct), 1),
    demand: signedBelief(demandBelief(item, given), 1),
  };
}

/**
 * Where the request says nothing, the default for what next periods bring, with the sampling error of the mean demand of the fits,
 * which stores or weeks that sell alike make larger.
 */
function demandBelief(item: ResolvedItem, given: UncertaintyInputs): Distribution {
  const share = given.demand_pct ?? DEFAULT_UNCERTAINTY.demand_pct;
  const error = Math.max(0, ...Object.values(item.tiers).map(({ fit }) => fit?.demand_se ?? 0));
  if (given.demand !== undefined || given.demand_pct !== undefined || !(error > 0))
    return factorBelief(given.demand, share);
  return { distribution: "normal", mean: 1, sd: Math.hypot(share / Math.sqrt(3), error) };
}

/** The belief about a factor: the given one, or uniform within ± a share of 1. */
export function factorBelief(given: Distribution | undefined, share: number): Distribution {
  return given ?? { distribution: "uniform", low: 1 - share, high: 1 + share };
}

/** The scenario with all factors at their centres. */
export function centralScenario(belief: Belief): Scenario {
  return {
    elasticities: belief.elasticities.map(beliefCentre),
    ...(belief.joint && { joint: belief.joint.mean }),
    ...(belief.cross && { cross: belief.cross.mean }),
    cost: beliefCentre(belief.cost),
    demand: beliefCentre(belief.demand),
  };
}

/** An elasticity by its position, the price coefficient of a joint logit, or the factor of cost or demand. */
export type FactorKey = number | "slope" | "cost" | "demand";

/** The central scenario with one factor at its p-quantile, and the other parameters of a joint fit as they are then on average. */
export function scenarioWith(
  belief: Belief,
  factor: FactorKey,
  p: number,
): { scenario: Scenario; value: number } {
  const centre = centralScenario(belief);
  if (factor === "slope") {
    if (belief.joint === undefined) throw new RangeError("no such factor");
    const value = beliefQuantile(belief.joint.slope, p);
    return { scenario: { ...centre, joint: parametersAt(belief.joint, value) }, value };
  }
  const own = typeof factor === "number" ? belief.elasticities[factor] : belief[factor];
  if (own === undefined) throw new RangeError("no such factor");
  const value = beliefQuantile(own, p);
  if (typeof factor !== "number") return { scenario: { ...centre, [factor]: value }, value };
  const elasticities = centre.elasticities.with(factor, value);
  const tier = at(belief.elasticities, factor);
  const { cross } = belief;
  if (cross === undefined || tier.source === "given") return { scenario: { ...centre, elasticities }, value };
  const matrix = elasticitiesAt(cross, cross.names.indexOf(tier.tier), value);
  return { scenario: { ...centre, elasticities: ownOf(belief, matrix, elasticities), cross: matrix }, value };
}

/** The own elasticities of a drawn or conditional matrix, and the given ones as they are. */
export function ownOf(
  { elasticities, cross }: Belief,
  matrix: ArrayLike<number>,
  given: readonly number[],
): number[] {
  return elasticities.map(({ tier, source }, i) => {
    const position = cross?.names.indexOf(tier) ?? -1;
    if (cross === undefined || source === "given" || position < 0) return at(given, i);
    return matrix[position * cross.names.length + position] ?? at(given, i);
  });
}

function askedBelief(itemId: string, tier: string, given: UncertaintyInputs): Distribution | undefined {
  const own = (one: { item_id: string; tier: string }) => one.item_id === itemId && one.tier === tier;
  const belief = given.elasticity_beliefs?.find(own)?.belief;
  if (belief !== undefined) return belief;
  const interval = given.elasticity_intervals?.find(own);
  return (
    interval && {
      distribution: "normal",
      mean: 0.5 * (interval.low + interval.high),
      sd: (interval.high - interval.low) / (2 * normalQuantile(0.975)),
    }
  );
}
