import { at } from "./at.ts";
import { gainOf } from "./certainty.ts";
import { PricingError } from "./errors.ts";
import { solveProblem } from "./optimum.ts";
import { stateProblem } from "./problem.ts";
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
    if (tier === undefined || tier.held) return;
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
  try {
    const problem = stateProblem(item, settings);
    const prices = roundOptimum(problem, solveProblem(problem));
    const named = Object.fromEntries(problem.names.map((name, i) => [name, at(prices, i)]));
    return gainOf(item, named, settings.objective).cautious;
  } catch (error) {
    if (error instanceof PricingError && error.code === "INFEASIBLE") return undefined;
    throw error;
  }
}
