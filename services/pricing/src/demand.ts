import { at } from "./at.ts";
import { PricingError } from "./errors.ts";
import type { ConstantElasticity, Logit, ResolvedItem, ResolvedTier } from "./types.ts";

/** Demand (units), revenue and profit (money) of one period at a price. */
export type Outcome = { demand: number; revenue: number; profit: number };

/** q(p) = reference_quantity · (p / reference_price)^elasticity, in units per period. */
export function constantElasticityDemand(model: ConstantElasticity, price: number): number {
  return model.reference_quantity * (price / model.reference_price) ** model.elasticity;
}

/**
 * Logit demand of every tier, in units per period: q_i = M·exp(u_i) / (1 + Σ exp(u_j)), u_i = a_i − b_i·p_i.
 * Subtracts the largest utility before exponentiating, so that none overflows. McFadden (1974), conditional
 * logit.
 */
export function logitDemand(models: readonly Logit[], prices: readonly number[]): number[] {
  const utilities = models.map((model, i) => model.intercept - model.price_coefficient * (prices[i] ?? 0));
  const top = Math.max(0, ...utilities);
  const weights = utilities.map((utility) => Math.exp(utility - top));
  const total = weights.reduce((sum, weight) => sum + weight, Math.exp(-top));
  return models.map((model, i) => (model.market_size * (weights[i] ?? 0)) / total);
}

/** The tier of this name. @throws RangeError */
export function tierOf(item: ResolvedItem, name: string): ResolvedTier {
  const tier = item.tiers[name];
  if (tier === undefined) throw new RangeError("no such tier");
  return tier;
}

/**
 * The item's demand system, which all its tiers must share: logit tiers compete for the buyers of one market,
 * and a tier with independent demand would be neither part of that market nor outside of it.
 * @throws PricingError INVALID_ITEM if logit tiers are mixed with other models or disagree on market_size
 */
export function demandSystem(item: ResolvedItem): "independent" | "logit" {
  let logits = 0;
  let count = 0;
  let market: number | undefined;
  for (const name in item.tiers) {
    const demand = tierOf(item, name).demand;
    count += 1;
    if (demand.model !== "logit") continue;
    logits += 1;
    market ??= demand.market_size;
    if (market !== demand.market_size)
      throw invalid(item, "market_size", "the tiers' logit models disagree on market_size");
  }
  if (logits === 0) return "independent";
  if (logits !== count)
    throw invalid(item, "model", "logit tiers cannot be mixed with tiers of another demand model");
  return "logit";
}

/**
 * Demand q, revenue p·q and profit (p − c)·q of every tier, in units and money per period.
 * @param prices price by tier; a tier without one keeps its current price
 */
export function evaluateItem(
  item: ResolvedItem,
  prices: Readonly<Record<string, number>>,
): Record<string, Outcome> {
  const outcomes: Record<string, Outcome> = {};
  if (demandSystem(item) === "logit") {
    const models: Logit[] = [];
    const chosen: number[] = [];
    for (const name in item.tiers) {
      const tier = tierOf(item, name);
      if (tier.demand.model === "logit") models.push(tier.demand);
      chosen.push(Object.hasOwn(prices, name) ? (prices[name] ?? 0) : tier.current_price);
    }
    const demands = logitDemand(models, chosen);
    Object.keys(item.tiers).forEach((name, i) => {
      outcomes[name] = outcome(at(chosen, i), at(demands, i), tierOf(item, name).unit_cost);
    });
    return outcomes;
  }
  const priceOf = (name: string) =>
    Object.hasOwn(prices, name) ? (prices[name] ?? 0) : tierOf(item, name).current_price;
  for (const name in item.tiers) {
    const { demand, unit_cost } = tierOf(item, name);
    if (demand.model !== "constant_elasticity") continue;
    const price = priceOf(name);
    const quantity = constantElasticityDemand(demand, price) * crossFactor(item, demand, priceOf);
    outcomes[name] = outcome(price, quantity, unit_cost);
  }
  return outcomes;
}

/** What other tiers' prices make of a demand: Π (p_j / current p_j)^elasticity_j; 1 at current prices. */
function crossFactor(
  item: ResolvedItem,
  { cross }: ConstantElasticity,
  priceOf: (name: string) => number,
): number {
  let factor = 1;
  for (const name in cross)
    factor *= (priceOf(name) / tierOf(item, name).current_price) ** (cross[name] ?? 0);
  return factor;
}

/** Sum over tiers. */
export function totalOutcome(outcomes: Readonly<Record<string, Outcome>>): Outcome {
  const total = { demand: 0, revenue: 0, profit: 0 };
  for (const one of Object.values(outcomes)) {
    total.demand += one.demand;
    total.revenue += one.revenue;
    total.profit += one.profit;
  }
  return total;
}

/** Own-price elasticity d ln q_i / d ln p_i at the price. For logit it is −b·p·(1 − share). */
export function ownElasticity(tier: ResolvedTier, price: number, demand: number): number {
  if (tier.demand.model === "constant_elasticity") return tier.demand.elasticity;
  return -tier.demand.price_coefficient * price * (1 - demand / tier.demand.market_size);
}

function outcome(price: number, demand: number, cost: number): Outcome {
  return { demand, revenue: price * demand, profit: (price - cost) * demand };
}

function invalid(item: ResolvedItem, constraint: string, text: string): PricingError {
  return new PricingError("INVALID_ITEM", `Item ${item.item_id}: ${text}.`, {
    item_id: item.item_id,
    constraint,
  });
}
