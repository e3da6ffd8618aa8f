import { at } from "./at.ts";
import { evaluateItem, ownElasticity } from "./demand.ts";
import type { ConstantElasticity, Logit, ResolvedItem, ResolvedTier } from "./types.ts";

/** What of a tier is actual; the rest is as the status quo implies it. */
export type Knowledge = { readonly cost: boolean; readonly elasticity: boolean; readonly level: boolean };

/** One tier's numbers under the status quo and in fact. Money per unit; units per period. */
export type TierBeliefs = {
  readonly unitCost: { readonly baseline: number; readonly actual: number };
  /** Own-price elasticity at the current price. */
  readonly elasticity: { readonly baseline: number; readonly actual: number };
  /** Demand at the current price. */
  readonly level: { readonly baseline: number; readonly actual: number };
};

/** The parameters under which the current prices would be the best ones. */
export type StatusQuo = {
  readonly beliefs: Readonly<Record<string, TierBeliefs>>;
  /** The item with each group of parameters either actual or as the status quo implies it. */
  item(known: Knowledge): ResolvedItem;
};

/** The implied elasticity stays in this range, whatever today's margins: a markup between 5% and twenty-one-fold. */
const MOST_ELASTIC = -20;
const LEAST_ELASTIC = -1.05;
/** In logit items the implied margin is at least this share of the average price. */
const LEAST_MARGIN = 0.05;
const LEAST_SHARE = 1e-9;

/**
 * Reads today's prices as if they were best, and says what one would have to believe for that.
 *
 * A price is best where its margin satisfies the Lerner rule (p − c)/p = −1/e (Lerner 1934). Prices alone do not tell cost from
 * elasticity, so the status quo is the simplest practice that explains all of an item's prices: full-cost pricing with one
 * markup (Hall & Hitch 1939), the average in force, and demand that is spread evenly over the tiers.
 *
 * Tiers with their own demand: µ = Σ p·q / Σ c·q at current prices; every tier is believed to have the elasticity for which µ is
 * the best markup, e = −µ/(µ − 1), and the unit cost p/µ.
 * Logit tiers share one best margin in money rather than one markup: m = Σ (p − c)·q / Σ q; the price coefficient for which m is
 * best is 1/(m·s₀), s₀ being the share of buyers who stay outside, and the unit cost p − m.
 *
 * Elasticities turn about the current price: changing beliefs about them leaves demand at today's prices alone. An item of one
 * tier has its own markup for the average, so its unit cost is as implied and elasticity explains the rest.
 * Where margins are negative or elasticities could not support them, the implied elasticity stays within −20 … −1.05 and costs
 * take up what is left; today's prices are best in every case.
 */
export function statusQuo(item: ResolvedItem): StatusQuo {
  const names = Object.keys(item.tiers);
  const tiers = Object.values(item.tiers);
  const outcomes = evaluateItem(item, {});
  const demand = names.map((name) => Math.max(outcomes[name]?.demand ?? 0, Number.MIN_VALUE));
  const elasticity = tiers.map((tier, i) => ownElasticity(tier, tier.current_price, at(demand, i)));
  const even = evenDemand(tiers, demand);
  const practice = tiers.some((tier) => tier.demand.model === "logit")
    ? logitPractice(tiers, demand, even)
    : markupPractice(tiers, demand, even);
  const beliefs = Object.fromEntries(
    names.map((name, i) => [
      name,
      {
        unitCost: { baseline: practice.cost(i), actual: at(tiers, i).unit_cost },
        elasticity: { baseline: practice.elasticity(i), actual: at(elasticity, i) },
        level: { baseline: at(even, i), actual: at(demand, i) },
      },
    ]),
  );
  const believed = (tier: ResolvedTier, i: number, known: Knowledge): ResolvedTier => ({
    ...tier,
    unit_cost: known.cost ? tier.unit_cost : practice.cost(i),
    // A held tier's price is given; so is what it sells.
    demand: tier.held || (known.elasticity && known.level) ? tier.demand : practice.demand(i, known),
  });
  return {
    beliefs,
    item: (known) => ({
      ...item,
      tiers: Object.fromEntries(names.map((name, i) => [name, believed(at(tiers, i), i, known)])),
    }),
  };
}

type Practice = {
  cost(i: number): number;
  elasticity(i: number): number;
  demand(i: number, known: Knowledge): ConstantElasticity | Logit;
};

function markupPractice(
  tiers: readonly ResolvedTier[],
  demand: readonly number[],
  even: readonly number[],
): Practice {
  const revenue = sum(tiers.map((tier, i) => tier.current_price * at(demand, i)));
  const cost = sum(tiers.map((tier, i) => tier.unit_cost * at(demand, i)));
  // (µ − 1)/µ, the margin's share of the price: 1 without costs, at most 0 where sales do not cover them.
  const margin = (revenue - cost) / revenue;
  const elasticity = margin > 0 ? Math.min(Math.max(-1 / margin, MOST_ELASTIC), LEAST_ELASTIC) : MOST_ELASTIC;
  return {
    cost: (i) => at(tiers, i).current_price * (1 + 1 / elasticity),
    elasticity: () => elasticity,
    demand: (i, known) => ({
      model: "constant_elasticity",
      reference_price: at(tiers, i).current_price,
      reference_quantity: at(known.level ? demand : even, i),
      elasticity: known.elasticity ? constantElasticityOf(at(tiers, i)) : elasticity,
    }),
  };
}

function logitPractice(
  tiers: readonly ResolvedTier[],
  demand: readonly number[],
  even: readonly number[],
): Practice {
  const market = logitOf(at(tiers, 0)).market_size;
  const sold = sum(demand);
  const outside = Math.max(1 - sold / market, LEAST_SHARE);
  const margin = sum(tiers.map((tier, i) => (tier.current_price - tier.unit_cost) * at(demand, i))) / sold;
  const price = sum(tiers.map((tier, i) => tier.current_price * at(demand, i))) / sold;
  const implied = Math.max(margin, LEAST_MARGIN * price);
  const coefficient = 1 / (implied * outside);
  return {
    cost: (i) => at(tiers, i).current_price - implied,
    elasticity: (i) => -coefficient * at(tiers, i).current_price * (1 - at(even, i) / market),
    demand: (i, known) => {
      const slope = known.elasticity ? logitOf(at(tiers, i)).price_coefficient : coefficient;
      const share = Math.max(at(known.level ? demand : even, i) / market, Number.MIN_VALUE);
      return {
        model: "logit",
        market_size: market,
        intercept: Math.log(share / outside) + slope * at(tiers, i).current_price,
        price_coefficient: slope,
      };
    },
  };
}

/** The demand of all tiers that may move, spread evenly over them. */
function evenDemand(tiers: readonly ResolvedTier[], demand: readonly number[]): number[] {
  const free = demand.filter((_, i) => !at(tiers, i).held);
  return demand.map((own, i) => (at(tiers, i).held ? own : sum(free) / free.length));
}

function constantElasticityOf(tier: ResolvedTier): number {
  return tier.demand.model === "constant_elasticity" ? tier.demand.elasticity : LEAST_ELASTIC;
}

function logitOf(tier: ResolvedTier): Logit {
  if (tier.demand.model !== "logit") throw new TypeError("not a logit tier");
  return tier.demand;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
