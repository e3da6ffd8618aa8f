import { gainOf } from "./certainty.ts";
import { tierOf } from "./demand.ts";
import { changeUnder } from "./demand-form.ts";
import type { ItemOptimum } from "./optimize-item.ts";
import type { OptimizeSettings } from "./settings.ts";
import { costFor } from "./terms.ts";
import type { ResolvedItem } from "./types.ts";

/** Whether a kink at today's price that is ruled out, but not for sure, would make the move a loss. */
function losesWithKink(item: ResolvedItem, name: string, price: number, settings: OptimizeSettings): boolean {
  const { forms, current_price, unit_cost } = tierOf(item, name);
  const kink = forms?.find(({ doubtful, plausible }) => doubtful && !plausible);
  if (kink === undefined) return false;
  const cost = costFor(settings.objective, unit_cost);
  const { expected } = changeUnder(kink, current_price, price);
  return Math.exp(expected) * (price - cost) < current_price - cost;
}

/**
 * What a reader must know before an item's recommended prices are used, as sentences.
 * @param isGiven whether somebody gave the prices: nothing recommends them, so that what they gain is no warning
 */
export function proposalWarnings(
  item: ResolvedItem,
  optimum: ItemOptimum,
  settings: OptimizeSettings,
  isGiven = false,
): string[] {
  const fitted = Object.values(item.tiers).some((tier) => tier.fit !== undefined);
  if (!fitted) return [];
  const warnings: string[] = [];
  const prices: Record<string, number> = {};
  for (const [name, { price, current_price }] of Object.entries(optimum.tiers)) {
    prices[name] = price;
    const range = item.tiers[name]?.fit?.observed_range;
    if (range === undefined || price === current_price || (price >= range.low && price <= range.high))
      continue;
    warnings.push(
      `Item ${item.item_id}, tier ${name}: the ${isGiven ? "given" : "recommended"} price lies outside the prices observed in the data, where nothing tests the fitted demand.`,
    );
  }
  if (isGiven) return warnings;
  for (const [name, { price, current_price }] of Object.entries(optimum.tiers)) {
    if (price === current_price || !losesWithKink(item, name, price, settings)) continue;
    warnings.push(
      `Item ${item.item_id}, tier ${name}: the data speak for a demand that bends evenly rather than at today's price, but not for sure; with a kink there the move would lose.`,
    );
  }
  const { expected, cautious } = gainOf(item, prices, settings.objective);
  if (expected < 0) {
    warnings.push(
      `Item ${item.item_id}: the recommended prices lower the expected ${settings.objective}, because today's prices break a rule.`,
    );
  } else if (item.limited?.by === "caution" && item.limited.share === 0) {
    warnings.push(
      `Item ${item.item_id}: the data leave it open whether any move beats today's prices, which stay; safe_step has the move that is best if the estimates are right, and what to test.`,
    );
  } else if (cautious < 0) {
    warnings.push(
      `Item ${item.item_id}: the data leave it open whether the recommended prices beat today's: they do at the expected elasticities, and not if all of them are at the unfavourable ends of their 95% intervals.`,
    );
  }
  return warnings;
}
