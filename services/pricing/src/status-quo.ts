import { at } from "./at.ts";
import { evaluateItem, ownElasticity } from "./demand.ts";
import type { ConstantElasticity, Logit, ResolvedItem, ResolvedTier } from "./types.ts";

/** Which parameters have their actual values; the others have the values that the status quo implies. */
export type Knowledge = { readonly cost: boolean; readonly elasticity: boolean; readonly level: boolean };

/**
 * One tier's parameters: as the status quo implies them (`baseline`) and as they are.
 * Money per unit; units per period.
 */
export type TierBeliefs = {
  readonly unitCost: { readonly baseline: number; readonly actual: number };
  /** Own-price elasticity at the current price. */
  readonly elasticity: { readonly baseline: number; readonly actual: number };
  /** Demand at the current price. */
  readonly level: { readonly baseline: number; readonly actual: number };
};

/** The parameters under which the current prices would be optimal. */
export type StatusQuo = {
  readonly beliefs: Readonly<Record<string, TierBeliefs>>;
  /** The item with each group of parameters either actual or implied. */
  item(known: Knowledge): ResolvedItem;
};

/**
 * Range of the implied elasticity, which corresponds to a price
 * between about 1.05 and 21 times the unit cost.
 */
const MOST_ELASTIC = -20;
const LEAST_ELASTIC = -1.05;
/** The implied margin of a logit item is at least this share of its average price. */
const LEAST_MARGIN = 0.05;
const LEAST_SHARE = 1e-9;

/**
 * Infers the parameters under which today's prices would be optimal (the "implied" parameters).
 *
 * A price is optimal if its margin satisfies the Lerner rule (p − c)/p = −1/e (Lerner 1934). Prices alone do
 * not identify both cost and elasticity, so the status quo assumes the simplest practice that explains all
 * prices of an item: full-cost pricing with one markup (Hall & Hitch 1939), equal to today's average, and
 * demand spread evenly over the tiers.
 *
 * Independent demand: the markup is µ = Σ p·q / Σ c·q at current prices. Every tier has the elasticity for
 * which µ is optimal, e = −µ/(µ − 1), and the unit cost p/µ.
 *
 * Logit demand: the tiers share one optimal margin in money instead, m = Σ (p − c)·q / Σ q. The price
 * coefficient for which m is optimal is 1/(m·s₀), where s₀ is the share of the outside option, and the unit
 * cost is p − m.
 *
 * A different elasticity rotates the demand curve about the current price, so demand at today's prices does
 * not change. In an item of one tier the average markup is that tier's own, so its implied unit cost equals
 * the actual one. If margins are negative or too high or too low, the implied elasticity is clipped to −20 …
 * −1.05 and the implied costs account for the rest; today's prices are optimal in every case.
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
    // A held tier keeps its price, so its demand stays the actual one.
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
  // The margin as a share of the price, (µ − 1)/µ: 1 without costs, ≤ 0 if revenue does not cover them.
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

/** Each tier's demand if the total of all tiers that are not held were spread evenly over those. */
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
