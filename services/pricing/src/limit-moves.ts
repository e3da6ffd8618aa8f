import { at } from "./at.ts";
import { gainOf } from "./certainty.ts";
import { tierOf } from "./demand.ts";
import { PricingError } from "./errors.ts";
import { solveProblem } from "./optimum.ts";
import { isFixed, stateProblem } from "./problem.ts";
import { roundOptimum } from "./rounding.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

/** Shares of the way from today's prices to the optimum that are tried. */
const SHARES = Array.from({ length: 11 }, (_, k) => 1 - k / 10);

/**
 * Limits how far the prices of an item may move whose tiers are assumed to be independent, for want of data: of
 * the steps from today's prices to the optimum under that assumption, the one with the largest gain in the worst
 * case, over no diversion and the plausible one, and over the intervals of the elasticities. That step is today's
 * prices if every move may lose. If today's prices break the rules, only steps that keep them count.
 * @returns the item itself if nothing is assumed or the whole way is best
 */
export function limitMoves(item: ResolvedItem, settings: OptimizeSettings): ResolvedItem {
  if (item.substitution?.diversion === undefined) return item;
  const problem = stateProblem(item, settings);
  const { prices } = solveProblem(problem);
  let best: { item: ResolvedItem; cautious: number } | undefined;
  for (const share of SHARES) {
    const limited = share === 1 ? item : within(item, problem.names, prices, share);
    const cautious = cautiousGain(limited, settings);
    if (cautious !== undefined && (best === undefined || cautious > best.cautious))
      best = { item: limited, cautious };
  }
  return best?.item ?? item;
}

function within(
  item: ResolvedItem,
  names: readonly string[],
  goal: readonly number[],
  share: number,
): ResolvedItem {
  const tiers = { ...item.tiers };
  names.forEach((name, i) => {
    const tier = tiers[name];
    if (tier === undefined || isFixed(tier)) return;
    const end = tier.current_price * (at(goal, i) / tier.current_price) ** share;
    if (share === 0) {
      tiers[name] = { ...tier, held: true };
      return;
    }
    const limits = { min: Math.min(end, tier.current_price), max: Math.max(end, tier.current_price) };
    tiers[name] = { ...tier, move_limits: limits };
  });
  return { ...item, tiers };
}

/** The worst-case gain at the best prices within the limits; undefined if limits and rules contradict. */
function cautiousGain(item: ResolvedItem, settings: OptimizeSettings): number | undefined {
  const prices = pricesWithin(item, settings);
  return prices && gainOf(item, prices, settings.objective).cautious;
}

/**
 * The best prices on a share of the way from today's prices to a goal, on the increment; undefined if none there keeps
 * the rules.
 */
export function stepPrices(
  item: ResolvedItem,
  goal: Readonly<Record<string, number>>,
  share: number,
  settings: OptimizeSettings,
): Record<string, number> | undefined {
  const names = Object.keys(item.tiers);
  const ends = names.map((name) => goal[name] ?? tierOf(item, name).current_price);
  return pricesWithin(within(item, names, ends, share), settings);
}

function pricesWithin(item: ResolvedItem, settings: OptimizeSettings): Record<string, number> | undefined {
  try {
    const problem = stateProblem(item, settings);
    const prices = roundOptimum(problem, solveProblem(problem));
    return Object.fromEntries(problem.names.map((name, i) => [name, at(prices, i)]));
  } catch (error) {
    if (error instanceof PricingError && error.code === "INFEASIBLE") return undefined;
    throw error;
  }
}
