import type { Distribution } from "./distribution.ts";
import {
  type Belief,
  type BeliefSource,
  DEFAULT_UNCERTAINTY,
  factorBelief,
  type UncertaintyInputs,
} from "./uncertainty.ts";

/** What the analysis took for granted (wire shape). `assumed`: the request does not say it. */
export type Assumptions = {
  elasticity: {
    /** For the tiers without a standard error, interval or belief. */
    relative_se: number;
    assumed: boolean;
    /** Tiers by where their belief comes from. Held tiers have none. */
    tiers: Record<BeliefSource, number>;
  };
  /** Belief about the factor that multiplies each item's unit costs. */
  cost: Distribution & { assumed: boolean };
  /** Belief about the factor that multiplies each item's demand. */
  demand: Distribution & { assumed: boolean };
  /** Correlation of the normal scores of two items' cost factors, and of their demand factors. */
  common_share: { value: number; assumed: boolean };
};

/** The assumptions of a request, before its tiers are counted. */
export function assumptionsOf(given: UncertaintyInputs): Assumptions {
  const { cost_pct, demand_pct, elasticity_pct, common_share } = given;
  return {
    elasticity: {
      relative_se: elasticity_pct ?? DEFAULT_UNCERTAINTY.elasticity_pct,
      assumed: elasticity_pct === undefined,
      tiers: { given: 0, estimated: 0, assumed: 0 },
    },
    cost: {
      ...factorBelief(given.cost, cost_pct ?? DEFAULT_UNCERTAINTY.cost_pct),
      assumed: given.cost === undefined && cost_pct === undefined,
    },
    demand: {
      ...factorBelief(given.demand, demand_pct ?? DEFAULT_UNCERTAINTY.demand_pct),
      assumed: given.demand === undefined && demand_pct === undefined,
    },
    common_share: {
      value: common_share ?? DEFAULT_UNCERTAINTY.common_share,
      assumed: common_share === undefined,
    },
  };
}

/** Counts an item's tiers by where their beliefs come from. */
export function countBeliefs({ elasticities, joint }: Belief, { elasticity }: Assumptions): void {
  if (joint) elasticity.tiers.estimated += joint.names.length;
  for (const { source } of elasticities) elasticity.tiers[source] += 1;
}
