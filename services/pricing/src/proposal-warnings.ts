import { gainOf } from "./certainty.ts";
import type { ItemOptimum } from "./optimize-item.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

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
