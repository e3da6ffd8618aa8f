import { type ItemProposal, tidy } from "./proposal.ts";
import type { ProposedItem } from "./types.ts";

/** Money per period, over the tiers of an item (wire shape). */
type Sums = { profit: number; revenue: number };

/** What an item comes to, without its tiers, for whoever reports on many (wire shape). */
export type ItemOutcome = { item_id: string; current: Sums; expected: Sums };

export function outcomesOf(proposals: readonly ItemProposal[]): ItemOutcome[] {
  return proposals.map(({ item_id, tiers }) => ({
    item_id,
    current: sumOf(Object.values(tiers).map(({ current }) => current)),
    expected: sumOf(Object.values(tiers).map(({ expected }) => expected)),
  }));
}

/** The prices alone. */
export function pricesOf(proposals: readonly ItemProposal[]): ProposedItem[] {
  return proposals.map(({ item_id, tiers }) => ({
    item_id,
    tiers: Object.fromEntries(Object.entries(tiers).map(([name, { price }]) => [name, { price }])),
  }));
}

function sumOf(outcomes: readonly Sums[]): Sums {
  let [profit, revenue] = [0, 0];
  for (const one of outcomes) {
    profit += one.profit;
    revenue += one.revenue;
  }
  return { profit: tidy(profit), revenue: tidy(revenue) };
}
