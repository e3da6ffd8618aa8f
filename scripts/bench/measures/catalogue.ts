import {
  makeRng,
  type OptimizeSettings,
  optimizeItem,
  PricingError,
  type ResolvedItem,
  type ResolvedTier,
  settingsFor,
  standardRulePack,
} from "@interlock/pricing";

const TIERS = ["new", "exchange", "repair", "usm"];

const MAX_CHANGE = 0.15;

/** All kinds of rules: bounds, largest change, order of the tiers, and the policy's minimum gaps. */
export const settings: OptimizeSettings = settingsFor({ max_change_pct: MAX_CHANGE }, standardRulePack);

/**
 * A reproducible catalogue: four tiers an item, constant-elasticity demand, and current prices that break some of the rules. Items without
 * a feasible solution are left out.
 */
export function syntheticCatalogue(count: number, seed = 7): ResolvedItem[] {
  const rng = makeRng(seed);
  const items: ResolvedItem[] = [];
  while (items.length < count) {
    const item = syntheticItem(rng, items.length);
    if (isSolvable(item)) items.push(item);
  }
  return items;
}

/** The optimizer's request for these items. */
export function requestOf(items: readonly ResolvedItem[]): object {
  return {
    request_id: "bench",
    task_type: "PRICE_OPTIMIZATION",
    inputs: { items, max_change_pct: MAX_CHANGE },
  };
}

function syntheticItem(rng: () => number, index: number): ResolvedItem {
  const between = (low: number, high: number) => low + (high - low) * rng();
  const top = between(80, 2_500);
  const tiers: Record<string, ResolvedTier> = {};
  for (const [rank, name] of TIERS.entries()) {
    const price = cents(top * 0.82 ** rank * between(0.93, 1.07));
    tiers[name] = {
      current_price: price,
      unit_cost: cents(price * between(0.45, 0.7)),
      demand: {
        model: "constant_elasticity",
        reference_price: price,
        reference_quantity: Math.round(between(20, 900)),
        elasticity: -cents(between(1.3, 3.5)),
      },
      bounds: { min: cents(price * 0.7), max: cents(price * 1.4) },
    };
  }
  return { item_id: `ITEM-${index}`, tiers };
}

function isSolvable(item: ResolvedItem): boolean {
  try {
    optimizeItem(item, settings);
    return true;
  } catch (error) {
    if (error instanceof PricingError) return false;
    throw error;
  }
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
