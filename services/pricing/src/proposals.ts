import { PricingError } from "./errors.ts";
import type { ProposedItem } from "./types.ts";

type PricedItem = {
  readonly item_id: string;
  readonly tiers: Readonly<Record<string, { readonly current_price: number }>>;
};

/**
 * Pairs every proposal with its item. Without proposals, returns every item alone.
 * @throws PricingError INVALID_ITEM: an item occurs twice, is proposed twice, or is proposed but not among
 *   the items
 */
export function matchProposals<T extends PricedItem>(
  items: readonly T[],
  proposed: readonly ProposedItem[] | undefined,
): Pair<T>[] {
  const errors: PricingError[] = [];
  const pairs = matchEach(items, proposed, errors);
  const [first] = errors;
  if (first !== undefined) throw first;
  return pairs;
}

export type Pair<T> = { item: T; proposal?: ProposedItem };

/** `matchProposals` that collects the errors instead: what does not match is left out. */
export function matchEach<T extends PricedItem>(
  items: readonly T[],
  proposed: readonly ProposedItem[] | undefined,
  errors: PricingError[],
): Pair<T>[] {
  const known = new Map<string, T>();
  const once = items.filter((item) => {
    if (known.has(item.item_id)) {
      errors.push(invalidItem(item.item_id, "item_id", "occurs twice"));
      return false;
    }
    known.set(item.item_id, item);
    return true;
  });
  if (proposed === undefined) return once.map((item) => ({ item }));
  const seen = new Set<string>();
  return proposed.flatMap((proposal): Pair<T>[] => {
    const item = known.get(proposal.item_id);
    if (item === undefined || seen.has(item.item_id)) {
      const what = item === undefined ? "is proposed but not among the items" : "is proposed twice";
      errors.push(invalidItem(proposal.item_id, "proposed", what));
      return [];
    }
    seen.add(item.item_id);
    return [{ item, proposal }];
  });
}

/**
 * The price of each tier under a proposal, by tier names as the item spells them. Tiers without a proposed
 * price keep their current price.
 * @throws PricingError INVALID_ITEM for a tier that the item does not have
 */
export function proposedPrices(item: PricedItem, proposal: ProposedItem | undefined): Record<string, number> {
  const names = Object.keys(item.tiers);
  const prices: Record<string, number> = {};
  for (const [name, tier] of Object.entries(item.tiers)) prices[name] = tier.current_price;
  for (const [tier, { price }] of Object.entries(proposal?.tiers ?? {})) {
    const name = Object.hasOwn(prices, tier)
      ? tier
      : names.find((known) => known.toLowerCase() === tier.toLowerCase());
    if (name === undefined) {
      throw invalidItem(
        item.item_id,
        "proposed",
        `is proposed with the tier ${tier}, which it does not have`,
      );
    }
    prices[name] = price;
  }
  return prices;
}

export function invalidItem(itemId: string, constraint: string, text: string): PricingError {
  return new PricingError("INVALID_ITEM", `Item ${itemId} ${text}.`, { item_id: itemId, constraint });
}
