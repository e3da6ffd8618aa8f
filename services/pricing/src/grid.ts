import { amountHolds, atLeast, atMost, orderHolds } from "./compare.ts";
import { down, type Link, up } from "./problem.ts";

/**
 * Multiples of a price increment.
 * The increment is the fraction steps/scale of integers, so multiples are exact decimals.
 */
export type Grid = { readonly increment: number; readonly steps: number; readonly scale: number };

const MOST_DECIMALS = 12;

/**
 * The grid of an increment > 0. For increments of at most 12 decimals,
 * each multiple is the double nearest to its decimal.
 */
export function gridOf(increment: number): Grid {
  let scale = 1;
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++, scale *= 10) {
    const steps = Math.round(increment * scale);
    if (steps > 0 && steps / scale === increment) return { increment, steps, scale };
  }
  return { increment, steps: increment, scale: 1 };
}

/** The price of k increments. */
export function gridPriceAt(grid: Grid, k: number): number {
  return (k * grid.steps) / grid.scale;
}

/** Whether doubles can still tell k increments from k + 1. */
export function countable(k: number): boolean {
  return Math.abs(k) < 2 ** 50;
}

/** The largest k whose price is at or below a limit; Infinity if the limit is. */
export function mostSteps(grid: Grid, limit: number): number {
  let k = Math.round(limit / grid.increment);
  if (!countable(k)) return k;
  while (!atMost(gridPriceAt(grid, k), limit)) k--;
  return k;
}

/** The smallest k ≥ 1 whose price is at or above a limit. */
export function leastSteps(grid: Grid, limit: number): number {
  let k = Math.max(1, Math.round(limit / grid.increment));
  if (!countable(k)) return k;
  while (!atLeast(gridPriceAt(grid, k), limit)) k++;
  return k;
}

/** Whether the pair of prices satisfies the link, by the same comparisons as the policy check. */
export function linkHolds(link: Link, higher: number, lower: number): boolean {
  if (link.ordered && !orderHolds(higher, lower, link.increment)) return false;
  return !link.gapped || (atMost(lower, higher * link.keep) && amountHolds(higher, lower, link.amount));
}

/** The largest k for the lower price that satisfies the link under a given higher price. */
export function mostBelow(grid: Grid, link: Link, higher: number): number {
  let k = Math.round(down(link, higher) / grid.increment);
  if (!countable(k)) return k;
  while (linkHolds(link, higher, gridPriceAt(grid, k + 1))) k++;
  while (!linkHolds(link, higher, gridPriceAt(grid, k))) k--;
  return k;
}

/** The smallest k for the higher price that satisfies the link over a given lower price. */
export function leastAbove(grid: Grid, link: Link, lower: number): number {
  let k = Math.round(up(link, lower) / grid.increment);
  if (!countable(k)) return k;
  while (linkHolds(link, gridPriceAt(grid, k - 1), lower)) k--;
  while (!linkHolds(link, gridPriceAt(grid, k), lower)) k++;
  return k;
}
