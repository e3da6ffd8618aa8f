import { at } from "./at.ts";
import { demandSystem, tierOf } from "./demand.ts";
import { PricingError } from "./errors.ts";
import { gapOf } from "./gap.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { Objective, ResolvedItem, ResolvedTier } from "./types.ts";

/** The rule between a tier and the next lower tier of the item: lower ≤ min(higher − offset, higher·keep). */
export type Link = {
  /** The larger of `increment` and `amount`; money. */
  offset: number;
  /** One increment if ordering is enforced, else 0. */
  increment: number;
  /** The minimum gap's amount of money; 0 if no gap is enforced. */
  amount: number;
  /** 1 − the minimum gap's share; 1 if no gap is enforced. */
  keep: number;
  /** Whether strict ordering is enforced here. */
  readonly ordered: boolean;
  /** Whether the pair is adjacent in the tier order and gaps are enforced. */
  readonly gapped: boolean;
};

/**
 * The optimization problem of one item:
 * tiers from high to low, the price range of each, and links between neighbours.
 */
export type Problem = {
  readonly itemId: string;
  readonly names: readonly string[];
  readonly tiers: readonly ResolvedTier[];
  readonly objective: Objective;
  readonly system: "independent" | "logit";
  readonly increment: number;
  /** Whether the observed range limits a tier. */
  readonly observed: boolean;
  /**
   * Each tier's price range by bounds, minimum margin, maximum change, observed range, `held` and `frozen`;
   * 0 and Infinity if there is no limit.
   */
  readonly low: number[];
  readonly high: number[];
  /** links[i] is the rule between tier i and tier i + 1; undefined if no enforced rule applies. */
  readonly links: readonly (Link | undefined)[];
};

/** The highest price that the link allows for the lower tier. Concave and increasing in the higher price. */
export function down(link: Link, higher: number): number {
  return Math.min(higher - link.offset, higher * link.keep);
}

/** The lowest price that the link allows for the higher tier: the inverse of `down`. */
export function up(link: Link, lower: number): number {
  return Math.max(lower + link.offset, lower / link.keep);
}

/**
 * Builds the item's optimization problem under the settings.
 * @throws PricingError INVALID_ITEM for a tier that is not in the tier order, or for mixed demand systems
 * @throws PricingError INFEASIBLE if the limits of one tier contradict each other
 */
export function stateProblem(item: ResolvedItem, settings: OptimizeSettings): Problem {
  const names = orderedNames(item, settings);
  const tiers = names.map((name) => tierOf(item, name));
  const low: number[] = [];
  const high: number[] = [];
  for (let i = 0; i < tiers.length; i++) {
    const [least, most] = ownRange(at(tiers, i), settings);
    if (least > most) throw ownRangeError(item.item_id, names[i] ?? "", at(tiers, i), settings);
    low.push(least);
    high.push(most);
  }
  return {
    itemId: item.item_id,
    names,
    tiers,
    objective: settings.objective,
    system: demandSystem(item),
    increment: settings.increment,
    observed: tiers.some((tier) => !isFixed(tier) && observedLimits(tier, settings) !== undefined),
    low,
    high,
    links: links(item, names, settings),
  };
}

/** The item's tier names from high to low. */
function orderedNames(item: ResolvedItem, settings: OptimizeSettings): string[] {
  const ranked: { name: string; rank: number }[] = [];
  for (const name in item.tiers) {
    const rank = rankOf(settings, name);
    if (rank === undefined) {
      throw new PricingError("INVALID_ITEM", `Item ${item.item_id}: tier ${name} is not in tier_order.`, {
        item_id: item.item_id,
        tiers: [name],
        constraint: "tier_order",
      });
    }
    ranked.push({ name, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank);
  for (let i = 1; i < ranked.length; i++) {
    if (ranked[i]?.rank !== ranked[i - 1]?.rank) continue;
    throw new PricingError("INVALID_ITEM", `Item ${item.item_id}: two tiers differ only in case.`, {
      item_id: item.item_id,
      constraint: "tier_order",
    });
  }
  return ranked.map(({ name }) => name);
}

function rankOf(settings: OptimizeSettings, name: string): number | undefined {
  return settings.rank.get(name) ?? settings.rank.get(name.toLowerCase());
}

/** Whether the current price stays: the tier is held or frozen. */
export function isFixed({ held, frozen }: ResolvedTier): boolean {
  return held === true || frozen === true;
}

/**
 * A tier's own price range. A held tier keeps its current price even outside its limits, because its elasticity is
 * unknown; a frozen one, because somebody said so.
 */
function ownRange(tier: ResolvedTier, settings: OptimizeSettings): [number, number] {
  if (isFixed(tier)) return [tier.current_price, tier.current_price];
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  if (settings.enforce.has("bounds")) {
    low = tier.bounds?.min ?? 0;
    high = tier.bounds?.max ?? Number.POSITIVE_INFINITY;
    if (settings.minimumMargin !== undefined) {
      low = Math.max(low, tier.unit_cost * (1 + settings.minimumMargin));
    }
  }
  if (settings.maxChange !== undefined && settings.enforce.has("max_change")) {
    low = Math.max(low, tier.current_price * (1 - settings.maxChange));
    high = Math.min(high, tier.current_price * (1 + settings.maxChange));
  }
  if (tier.move_limits) {
    low = Math.max(low, tier.move_limits.min);
    high = Math.min(high, tier.move_limits.max);
  }
  const observed = observedLimits(tier, settings);
  return observed ? [Math.max(low, observed.min), Math.min(high, observed.max)] : [low, high];
}

/**
 * The range of prices that the data of the tier's fit have, widened by the margin and to the current price:
 * beyond it a constant elasticity is an assumption that nothing has tested. Undefined without a fit, or if the
 * request extrapolates.
 */
export function observedLimits(
  tier: ResolvedTier,
  settings: OptimizeSettings,
): { min: number; max: number } | undefined {
  if (tier.fit === undefined || settings.observedMargin === undefined) return undefined;
  const { low, high } = tier.fit.observed_range;
  return {
    min: Math.min(low * (1 - settings.observedMargin), tier.current_price),
    max: Math.max(high * (1 + settings.observedMargin), tier.current_price),
  };
}

function ownRangeError(
  itemId: string,
  name: string,
  tier: ResolvedTier,
  settings: OptimizeSettings,
): PricingError {
  const constraint = [
    "bounds",
    ...(settings.maxChange !== undefined && settings.enforce.has("max_change") ? ["max_change"] : []),
    ...(observedLimits(tier, settings) ? ["observed_range"] : []),
  ].join(", ");
  return new PricingError("INFEASIBLE", `Item ${itemId}: no price of tier ${name} satisfies ${constraint}.`, {
    item_id: itemId,
    tiers: [name],
    constraint,
  });
}

function links(
  item: ResolvedItem,
  names: readonly string[],
  settings: OptimizeSettings,
): (Link | undefined)[] {
  const ordered = settings.enforce.has("ordering");
  const gaps = settings.enforce.has("gaps");
  const found: (Link | undefined)[] = [];
  for (let i = 0; i + 1 < names.length; i++) {
    const higher = names[i] ?? "";
    const lower = names[i + 1] ?? "";
    const gapped = gaps && (rankOf(settings, lower) ?? 0) - (rankOf(settings, higher) ?? 0) === 1;
    // Between two prices that stay, one of them frozen, a rule decides nothing: the policy check names what it breaks.
    const pair = [tierOf(item, higher), tierOf(item, lower)];
    const settled = pair.every(isFixed) && pair.some((tier) => tier.frozen);
    if ((!ordered && !gapped) || settled) {
      found.push(undefined);
      continue;
    }
    const { share, amount } = gapOf(gapped ? settings.gapFor(item, higher, lower) : 0);
    const increment = ordered ? settings.increment : 0;
    found.push({ offset: Math.max(increment, amount), increment, amount, keep: 1 - share, ordered, gapped });
  }
  return found;
}
