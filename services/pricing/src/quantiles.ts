import { at } from "./at.ts";

export type Band = { p5: number; p50: number; p95: number };

/** A band whose upper quantiles may be +∞, which JSON has no number for: null. */
export type OpenBand = { p5: number | null; p50: number | null; p95: number | null };

/**
 * The p-quantile of sorted numbers, 0 ≤ p ≤ 1, interpolated linearly between order statistics (Hyndman and
 * Fan 1996, type 7).
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const rest = position - below;
  const low = at(sorted, below);
  if (rest === 0 || low === Number.POSITIVE_INFINITY) return low;
  return low + rest * (at(sorted, below + 1) - low);
}

/** The 5%, 50% and 95% quantiles of values that may be +∞. Sorts the values in place. */
export function openBandOf(values: Float64Array): OpenBand | undefined {
  const band = bandOf(values);
  const finite = (value: number) => (value === Number.POSITIVE_INFINITY ? null : value);
  return band && { p5: finite(band.p5), p50: finite(band.p50), p95: finite(band.p95) };
}

/** The 5%, 50% and 95% quantiles; undefined for no values. Sorts the values in place. */
export function bandOf(values: Float64Array): Band | undefined {
  if (values.length === 0) return undefined;
  values.sort();
  return { p5: quantile(values, 0.05), p50: quantile(values, 0.5), p95: quantile(values, 0.95) };
}
