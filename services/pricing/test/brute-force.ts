import { gapHolds, orderHolds } from "../src/compare.ts";
import { evaluateItem, totalOutcome } from "../src/demand.ts";
import { DEFAULT_TIER_ORDER, type OptimizeSettings } from "../src/settings.ts";
import type { Logit, ResolvedItem, ResolvedTier } from "../src/types.ts";

/** The item's tier names from high to low, in the default order. */
export function namesOf(item: ResolvedItem): string[] {
  return DEFAULT_TIER_ORDER.filter((name) => Object.hasOwn(item.tiers, name));
}

export function tier(item: ResolvedItem, name: string): ResolvedTier {
  const found = item.tiers[name];
  if (found === undefined) throw new Error("no such tier");
  return found;
}

/** Profit or revenue at prices in tier order, computed from the demand functions alone. */
export function objectiveOf(
  item: ResolvedItem,
  settings: OptimizeSettings,
  prices: readonly number[],
): number {
  const named = Object.fromEntries(namesOf(item).map((name, i) => [name, prices[i] ?? 0]));
  return totalOutcome(evaluateItem(item, named))[settings.objective];
}

/** The price range that bounds and maximum change allow a tier. */
export function limitsOf(item: ResolvedItem, settings: OptimizeSettings, name: string): [number, number] {
  const { current_price, bounds } = tier(item, name);
  const change = settings.maxChange ?? Number.POSITIVE_INFINITY;
  return [
    Math.max(bounds?.min ?? 0, current_price * (1 - change)),
    Math.min(bounds?.max ?? Number.POSITIVE_INFINITY, current_price * (1 + change)),
  ];
}

/** Whether two neighbouring tiers satisfy strict ordering and, if adjacent in the tier order, their gap. */
export function pairHolds(
  item: ResolvedItem,
  settings: OptimizeSettings,
  higher: { name: string; price: number },
  lower: { name: string; price: number },
): boolean {
  if (!orderHolds(higher.price, lower.price, settings.increment)) return false;
  const adjacent = DEFAULT_TIER_ORDER.indexOf(lower.name) - DEFAULT_TIER_ORDER.indexOf(higher.name) === 1;
  return !adjacent || gapHolds(higher.price, lower.price, settings.gapFor(item, higher.name, lower.name));
}

/** All rules that the prices (in tier order) break under the settings. */
export function brokenRules(
  item: ResolvedItem,
  settings: OptimizeSettings,
  prices: readonly number[],
): string[] {
  const names = namesOf(item);
  return names.flatMap((name, i) => {
    const price = prices[i] ?? Number.NaN;
    const [low, high] = limitsOf(item, settings, name);
    const inside = price >= low * (1 - 1e-12) && price <= high * (1 + 1e-12);
    const below = names[i + 1];
    const linked =
      below === undefined ||
      pairHolds(item, settings, { name, price }, { name: below, price: prices[i + 1] ?? Number.NaN });
    return [...(inside ? [] : [`limits of ${name}`]), ...(linked ? [] : [`${name} > ${below}`])];
  });
}

/**
 * The best feasible combination of the given prices per tier, by dynamic programming over all of them. For
 * logit items, Dinkelbach's iteration repeats that until the objective stops rising. Undefined if no
 * combination is feasible.
 */
export function bestOnGrid(
  item: ResolvedItem,
  settings: OptimizeSettings,
  grid: readonly (readonly number[])[],
): number[] | undefined {
  const names = namesOf(item);
  const cost = (name: string) => (settings.objective === "profit" ? tier(item, name).unit_cost : 0);
  const first = tier(item, names[0] ?? "").demand;
  if (first.model === "constant_elasticity") {
    return search(item, settings, grid, (name, price) => {
      const { demand } = tier(item, name);
      if (demand.model !== "constant_elasticity") return 0;
      return (
        demand.reference_quantity *
        (price / demand.reference_price) ** demand.elasticity *
        (price - cost(name))
      );
    });
  }
  let best: number[] | undefined;
  let value = Number.NEGATIVE_INFINITY;
  for (let ratio = 0; ; ratio = value / first.market_size) {
    const found = search(item, settings, grid, (name, price) => {
      const demand = tier(item, name).demand as Logit;
      return (price - cost(name) - ratio) * Math.exp(demand.intercept - demand.price_coefficient * price);
    });
    if (found === undefined) return undefined;
    const next = objectiveOf(item, settings, found);
    if (best !== undefined && next <= value + 1e-13 * Math.abs(value)) return best;
    best = found;
    value = next;
  }
}

function search(
  item: ResolvedItem,
  settings: OptimizeSettings,
  grid: readonly (readonly number[])[],
  term: (name: string, price: number) => number,
): number[] | undefined {
  const names = namesOf(item);
  /**
   * The best total of the tiers from i down if tier i is at most at the k-th price of its grid, and the
   * prices that give it.
   */
  type Tail = { value: number; prices: number[] };
  let tails: Tail[] = [];
  for (let i = names.length - 1; i >= 0; i--) {
    const name = names[i] ?? "";
    const below = names[i + 1];
    let limit = -1;
    let best: Tail = { value: Number.NEGATIVE_INFINITY, prices: [] };
    const next: Tail[] = [];
    for (const price of grid[i] ?? []) {
      let tail: Tail | undefined = { value: 0, prices: [] };
      if (below !== undefined) {
        const lower = grid[i + 1] ?? [];
        const fits = (k: number) =>
          k < lower.length &&
          pairHolds(item, settings, { name, price }, { name: below, price: lower[k] ?? 0 });
        while (fits(limit + 1)) limit++;
        tail = tails[limit];
      }
      const value = tail === undefined ? Number.NEGATIVE_INFINITY : term(name, price) + tail.value;
      if (tail !== undefined && value > best.value) best = { value, prices: [price, ...tail.prices] };
      next.push(best);
    }
    tails = next;
  }
  const best = tails.at(-1);
  return best === undefined || best.value === Number.NEGATIVE_INFINITY ? undefined : best.prices;
}
