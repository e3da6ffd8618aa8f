import { normalCdf, normalQuantile } from "./normal.ts";
import type { Rng } from "./rng.ts";
import type { ResolvedItem, ResolvedTier } from "./types.ts";

/** The uncertain parameters of an analysis (wire shape). Shares are fractions: 0.05 is ±5%. */
export type UncertaintyInputs = {
  draws?: number;
  seed?: number;
  /**
   * Relative standard error of the elasticity (for logit, of the price coefficient), for tiers that have none
   * of their own.
   */
  elasticity_pct?: number;
  /** 95% intervals of elasticities, which replace the tiers' standard errors. */
  elasticity_intervals?: { item_id: string; tier: string; low: number; high: number }[];
  /** Half-width of the uniform relative change of the item's costs. */
  cost_pct?: number;
  /** Half-width of the uniform relative change of the item's demand. */
  demand_pct?: number;
};

export const DEFAULT_UNCERTAINTY = {
  draws: 1000,
  seed: 1,
  elasticity_pct: 0.1,
  cost_pct: 0.05,
  demand_pct: 0.1,
};

/**
 * Distribution of a tier's elasticity: normal with this mean and standard deviation, truncated at 0, because
 * demand does not rise with the price. For logit it is the distribution of −b'/b, minus the price coefficient
 * relative to its estimate; the utility at the current price does not change.
 */
export type ElasticityBelief = {
  readonly tier: string;
  readonly mean: number;
  readonly deviation: number;
  /** The probability mass above 0 that truncation removes. */
  readonly truncated: number;
};

/**
 * The uncertain factors of one item. They are independent;
 * cost and demand changes apply to all its tiers together.
 */
export type Belief = {
  readonly elasticities: readonly ElasticityBelief[];
  readonly costShare: number;
  readonly demandShare: number;
};

/**
 * One scenario: elasticities in the order of `Belief.elasticities`, and relative changes of cost and demand.
 */
export type Scenario = {
  readonly elasticities: readonly number[];
  readonly cost: number;
  readonly demand: number;
};

/**
 * The uncertain factors of an item under a request. A tier's distribution comes from the request's interval,
 * else from the tier's standard error, else from `elasticity_pct`. Held tiers have none.
 */
export function beliefOf(item: ResolvedItem, given: UncertaintyInputs): Belief {
  const elasticities: ElasticityBelief[] = [];
  for (const [tier, { demand, held }] of Object.entries(item.tiers)) {
    if (held) continue;
    const interval = given.elasticity_intervals?.find(
      (one) => one.item_id === item.item_id && one.tier === tier,
    );
    const mean = demand.model === "logit" ? -1 : demand.elasticity;
    const share = given.elasticity_pct ?? DEFAULT_UNCERTAINTY.elasticity_pct;
    const own = demand.model === "logit" ? undefined : demand.elasticity_se;
    const [centre, deviation] =
      interval === undefined
        ? [mean, own ?? Math.abs(mean) * share]
        : [
            0.5 * (interval.low + interval.high),
            (interval.high - interval.low) / (2 * normalQuantile(0.975)),
          ];
    const truncated = deviation > 0 ? 1 - normalCdf(-centre / deviation) : 0;
    elasticities.push({ tier, mean: centre, deviation, truncated });
  }
  return {
    elasticities,
    costShare: given.cost_pct ?? DEFAULT_UNCERTAINTY.cost_pct,
    demandShare: given.demand_pct ?? DEFAULT_UNCERTAINTY.demand_pct,
  };
}

/** The p-quantile of the truncated normal distribution. */
export function elasticityQuantile(belief: ElasticityBelief, p: number): number {
  if (belief.deviation === 0) return belief.mean;
  // The inverse may round up to 0, but an elasticity must be negative.
  return Math.min(belief.mean + belief.deviation * normalQuantile(p * (1 - belief.truncated)), -1e-9);
}

/**
 * Draws a scenario by inverse transform sampling: one uniform number per factor, always in the same order.
 */
export function drawScenario(belief: Belief, rng: Rng): Scenario {
  const elasticities = belief.elasticities.map((one) => elasticityQuantile(one, rng()));
  return {
    elasticities,
    cost: uniformQuantile(belief.costShare, rng()),
    demand: uniformQuantile(belief.demandShare, rng()),
  };
}

/** The scenario with all factors at their means. */
export function centralScenario(belief: Belief): Scenario {
  return { elasticities: belief.elasticities.map(({ mean }) => mean), cost: 0, demand: 0 };
}

/** The p-quantile of the uniform distribution on [−share, share]. */
export function uniformQuantile(share: number, p: number): number {
  return share * (2 * p - 1);
}

/** The item with the costs and demand of a scenario. Prices and bounds do not change. */
export function itemIn(item: ResolvedItem, belief: Belief, scenario: Scenario): ResolvedItem {
  const tiers: Record<string, ResolvedTier> = {};
  for (const name in item.tiers) {
    const tier = item.tiers[name];
    if (tier === undefined) continue;
    const position = belief.elasticities.findIndex((one) => one.tier === name);
    const elasticity = scenario.elasticities[position];
    const unit_cost = tier.unit_cost * (1 + scenario.cost);
    if (tier.demand.model === "logit") {
      const coefficient = tier.demand.price_coefficient * -(elasticity ?? -1);
      tiers[name] = {
        ...tier,
        unit_cost,
        demand: {
          model: "logit",
          market_size: tier.demand.market_size * (1 + scenario.demand),
          intercept:
            tier.demand.intercept + (coefficient - tier.demand.price_coefficient) * tier.current_price,
          price_coefficient: coefficient,
        },
      };
    } else {
      tiers[name] = {
        ...tier,
        unit_cost,
        demand: {
          model: "constant_elasticity",
          reference_price: tier.demand.reference_price,
          reference_quantity: tier.demand.reference_quantity * (1 + scenario.demand),
          elasticity: elasticity ?? tier.demand.elasticity,
        },
      };
    }
  }
  return { ...item, tiers };
}
