import type { Domain } from "./domain.ts";
import { type Meaning, textsOf } from "./meaning.ts";
import type { Constraint, Wanted } from "./set.ts";

type Tier = { readonly current_price: number; readonly unit_cost?: number };
type Item = {
  readonly item_id: string;
  readonly region?: string;
  readonly segment?: string;
  readonly tiers: Readonly<Record<string, Tier>>;
};
type Price = { readonly item: Item; readonly tier: string; readonly price: number; readonly today: Tier };

/** Prices are rounded to an increment. */
const HALF_INCREMENT = 0.5;

/**
 * What the prices of an approval are that was not said: computed here once more, from the catalogue alone.
 * @param payload `[{item_id, tiers: {[tier]: {price}}}]`
 */
export function judgePrices(payload: unknown, wanted: readonly Wanted[], catalogue: object): string[] {
  const { items = [] } = catalogue as { items?: readonly Item[] };
  const prices = pricesIn(payload, items);
  const moved = prices.filter(({ price, today }) => Math.abs(price - today.current_price) > 1e-9);
  const said = wanted.filter(({ optional }) => !optional);
  const faults: string[] = [];
  for (const { item, tier, price, today } of moved) {
    const broken = said.filter((one) => isIn(one, item, tier) && !keeps(one, { item, tier, price, today }));
    for (const { slot } of broken) faults.push(`${item.item_id}, ${tier}: ${slot}`);
  }
  const there = new Set(prices.map(({ item }) => item.item_id));
  const selecting = said.filter(({ slot, scope }) => slot in MEMBERS && slot !== "tiers" && !scope);
  for (const item of items) {
    const isWanted = selecting.every((one) => keeps(one, { item, tier: "", price: 0, today: ANY }));
    if (isWanted && selecting.length > 0 && !there.has(item.item_id))
      faults.push(`${item.item_id} is missing`);
  }
  if (prices.length === 0) faults.push("it holds no price");
  return faults;
}

const ANY: Tier = { current_price: 0 };

function pricesIn(payload: unknown, items: readonly Item[]): Price[] {
  const known = new Map(items.map((item) => [item.item_id, item]));
  return [payload ?? []].flat().flatMap((one) => {
    const { item_id, tiers = {} } = one as { item_id: string; tiers?: Record<string, { price: number }> };
    const item = known.get(item_id);
    return Object.entries(tiers).flatMap(([tier, { price }]) => {
      const today = item?.tiers[tier];
      return item && today ? [{ item, tier, price, today }] : [];
    });
  });
}

/** What a selecting slot looks at. An item without a region or segment is in all of them. */
const MEMBERS: Readonly<Record<string, (item: Item, tier: string) => string | undefined>> = {
  items: ({ item_id }) => item_id,
  tiers: (_, tier) => tier,
  region: ({ region }) => region,
  segment: ({ segment }) => segment,
};

function isIn({ scope = {} }: Constraint, item: Item, tier: string): boolean {
  return Object.entries(scope).every(([slot, names]) => {
    const own = MEMBERS[slot]?.(item, tier);
    return own === undefined || textsOf(names).includes(own.toLowerCase());
  });
}

/** Whether a price that is not today's may be so. */
function keeps({ slot, op, value, direction }: Constraint, { item, tier, price, today }: Price): boolean {
  const memberOf = MEMBERS[slot];
  if (memberOf) {
    const own = memberOf(item, tier)?.toLowerCase();
    if (own === undefined) return true;
    return textsOf(value).includes(own) === (op === "only" || op === "set");
  }
  const amount = Number(value);
  const change = price / today.current_price - 1;
  switch (slot) {
    case "max_change_pct":
      if ((direction === "up" && change < 0) || (direction === "down" && change > 0)) return false;
      return Math.abs(change) <= amount + 1e-9;
    case "min_price":
      return price >= amount;
    case "max_price":
      return price <= amount;
    case "min_margin":
      return today.unit_cost === undefined || price >= today.unit_cost / (1 - amount) - 1e-9;
    case "price_move": {
      const exact = today.current_price * (1 + (direction === "down" ? -amount : amount));
      return Math.abs(price - exact) <= HALF_INCREMENT;
    }
    default:
      return true;
  }
}

/** What an approval of a recording agent holds: the constraints that the plan was made under. */
export function judgeRecorded(payload: unknown, wanted: readonly Wanted[], meaning: Meaning): string[] {
  const { constraints = [] } = Object(payload) as { constraints?: readonly Constraint[] };
  const { missing, other, extra } = meaning.compare(wanted, constraints);
  return [
    ...missing.map(({ slot }) => `${slot} is missing`),
    ...other.map(({ wanted: { slot } }) => `${slot} is another`),
    ...extra.map(({ slot }) => `${slot} was not said`),
  ];
}

export function approvalJudge({ name }: Domain, meaning: Meaning, catalogue: object) {
  return (payload: unknown, wanted: readonly Wanted[]): string[] =>
    name === "pricing" ? judgePrices(payload, wanted, catalogue) : judgeRecorded(payload, wanted, meaning);
}
