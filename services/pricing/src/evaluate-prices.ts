import { evaluateItem, type Outcome, ownElasticity, tierOf, totalOutcome } from "./demand.ts";
import type { ItemOptimum, TierOptimum } from "./optimize-item.ts";
import { invalidItem, proposedPrices } from "./proposals.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ProposedItem, ResolvedItem } from "./types.ts";

/**
 * What given prices of an item would come to, in the shape of an optimum: no rule is kept, so that none binds.
 * @throws PricingError INVALID_ITEM for a tier outside the tier order, or prices for a tier that the item does not have
 */
export function evaluatePrices(
  item: ResolvedItem,
  proposal: ProposedItem,
  settings: OptimizeSettings,
): ItemOptimum {
  const prices = proposedPrices(item, proposal);
  const expected = evaluateItem(item, prices);
  const current = evaluateItem(item, {});
  const tiers: Record<string, TierOptimum> = {};
  for (const name of inOrder(item, settings)) {
    const tier = tierOf(item, name);
    const price = prices[name] ?? tier.current_price;
    const outcome = expected[name] ?? NOTHING;
    tiers[name] = {
      price,
      unrounded: price,
      current_price: tier.current_price,
      change_pct: price / tier.current_price - 1,
      expected: outcome,
      current: current[name] ?? NOTHING,
      elasticity: ownElasticity(tier, price, outcome.demand),
      binding: tier.frozen ? ["frozen"] : [],
    };
  }
  const total = totalOutcome(expected)[settings.objective];
  return {
    item_id: item.item_id,
    tiers,
    objective: { current: totalOutcome(current)[settings.objective], expected: total, unrounded: total },
  };
}

const NOTHING: Outcome = { demand: 0, revenue: 0, profit: 0 };

function inOrder(item: ResolvedItem, { rank }: OptimizeSettings): string[] {
  const position = (name: string) => rank.get(name.toLowerCase());
  const stranger = Object.keys(item.tiers).find((name) => position(name) === undefined);
  if (stranger !== undefined)
    throw invalidItem(item.item_id, "tier_order", `has the tier ${stranger}, which is not in tier_order`);
  return Object.keys(item.tiers).sort((a, b) => (position(a) ?? 0) - (position(b) ?? 0));
}
