import { at } from "./at.ts";

export type Band = { p5: number; p50: number; p95: number };

/**
 * The p-quantile of sorted numbers, 0 ≤ p ≤ 1, interpolated linearly between order statistics (Hyndman and
 * Fan 1996, type 7).
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const rest = position - below;
  const low = at(sorted, below);
  return rest === 0 ? low : low + rest * (at(sorted, below + 1) - low);
}

/** The 5%, 50% and 95% quantiles; undefined for no values. Sorts the values in place. */
export function bandOf(values: Float64Array): Band | undefined {
  if (values.length === 0) return undefined;
  values.sort();
  return { p5: quantile(values, 0.05), p50: quantile(values, 0.5), p95: quantile(values, 0.95) };
}
