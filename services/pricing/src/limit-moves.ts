import { at } from "./at.ts";
import { type Gain, gainOf } from "./certainty.ts";
import { PricingError } from "./errors.ts";
import { solveProblem } from "./optimum.ts";
import { down, isFixed, type Problem, stateProblem } from "./problem.ts";
import { roundOptimum } from "./rounding.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

/** Steps of a twentieth of the way: finer ones differ by less than what an interval means. */
const PARTS = 20;

/**
 * Limits how far the prices of an item may move to what the data show to gain. Of the steps from today's prices
 * towards the optimum, the one with the largest gain in the worst case is taken: over the ends of the intervals, over
 * all forms of demand that the rows do not reject, and where the tiers are assumed to be independent for want of data,
 * over no diversion and the plausible one. That step is today's prices if every move may lose. If today's prices break
 * the rules, only steps that keep them count.
 * @returns the item itself if the whole way gains in the worst case, if it is not even expected to, or if nothing of
 *   the item is estimated
 */
export function limitMoves(item: ResolvedItem, settings: OptimizeSettings): ResolvedItem {
  if (item.limited !== undefined) return item;
  const tiers = Object.values(item.tiers);
  const by = item.substitution?.diversion === undefined ? "caution" : "substitution";
  if (by === "caution" && tiers.every((tier) => tier.fit === undefined || isFixed(tier))) return item;
  const problem = stateProblem(item, settings);
  const optimum = solveProblem(problem);
  if (!Number.isFinite(optimum.objective)) return item;
  const full = named(problem, roundOptimum(problem, optimum));
  const whole = gainOf(item, full, settings.objective);
  if (by === "caution" && (whole.cautious >= 0 || whole.expected < 0)) return item;
  let best: { share: number; item: ResolvedItem; gain: Gain } | undefined;
  for (let part = PARTS; part >= 0; part--) {
    const share = part / PARTS;
    if (part === 0 && by === "caution" && !keepsRules(problem)) continue;
    const limited = part === PARTS ? item : within(item, problem.names, optimum.prices, share, by);
    const prices = part === PARTS ? full : pricesWithin(limited, settings);
    const gain = prices && gainOf(item, prices, settings.objective);
    if (gain !== undefined && (best === undefined || gain.cautious >= best.gain.cautious))
      best = { share, item: limited, gain };
  }
  if (best === undefined || best.share === 1) return item;
  const { share } = best;
  return {
    ...best.item,
    limited: { by, share, full, expected_gain: whole.expected, cautious_gain: whole.cautious },
  };
}

function within(
  item: ResolvedItem,
  names: readonly string[],
  goal: readonly number[],
  share: number,
  by: "substitution" | "caution",
): ResolvedItem {
  const tiers = { ...item.tiers };
  names.forEach((name, i) => {
    const tier = tiers[name];
    if (tier === undefined || isFixed(tier)) return;
    const end = tier.current_price * (at(goal, i) / tier.current_price) ** share;
    // A price that stays need not be on the increment.
    if (share === 0) tiers[name] = { ...tier, held: true };
    if (share === 0 && by === "substitution") return;
    const [min, max] = [Math.min(end, tier.current_price), Math.max(end, tier.current_price)];
    tiers[name] = { ...(tiers[name] ?? tier), move_limits: { min, max, by } };
  });
  return { ...item, tiers };
}

/** Whether today's prices keep all rules but the increment. */
function keepsRules({ tiers, low, high, links }: Problem): boolean {
  const prices = tiers.map(({ current_price }) => current_price);
  return prices.every((price, i) => {
    const link = links[i];
    const next = prices[i + 1];
    const inRange = price >= at(low, i) && price <= at(high, i);
    return inRange && (link === undefined || next === undefined || next <= down(link, price) * (1 + 1e-12));
  });
}

/** The best prices within the limits, on the increment; undefined if none keeps the rules. */
function pricesWithin(item: ResolvedItem, settings: OptimizeSettings): Record<string, number> | undefined {
  try {
    const problem = stateProblem(item, settings);
    return named(problem, roundOptimum(problem, solveProblem(problem)));
  } catch (error) {
    if (error instanceof PricingError && error.code === "INFEASIBLE") return undefined;
    throw error;
  }
}

function named({ names }: Problem, prices: readonly number[]): Record<string, number> {
  return Object.fromEntries(names.map((name, i) => [name, at(prices, i)]));
}
