import { at } from "./at.ts";

/**
 * The p-quantile of sorted numbers, 0 ≤ p ≤ 1, interpolated linearly between order statistics (Hyndman and
 * Fan 1996, type 7).
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const rest = position - below;
  return rest === 0 ? at(sorted, below) : at(sorted, below) * (1 - rest) + at(sorted, below + 1) * rest;
}
