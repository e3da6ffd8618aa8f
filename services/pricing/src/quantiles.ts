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

/** The 5%, 50% and 95% quantiles of values that may be +∞. Reorders the values. */
export function openBandOf(values: Float64Array): OpenBand | undefined {
  const band = bandOf(values);
  const finite = (value: number) => (value === Number.POSITIVE_INFINITY ? null : value);
  return band && { p5: finite(band.p5), p50: finite(band.p50), p95: finite(band.p95) };
}

/** The 5%, 50% and 95% quantiles; undefined for no values. Reorders the values. */
export function bandOf(values: Float64Array): Band | undefined {
  if (values.length === 0) return undefined;
  const p5 = selectedQuantile(values, 0.05);
  const p50 = selectedQuantile(values, 0.5, 0.05);
  return { p5, p50, p95: selectedQuantile(values, 0.95, 0.5) };
}

/**
 * `quantile` of values in any order, which it reorders: a pass or two instead of a sort.
 * @param done a smaller share whose quantile was the last one selected; 0: none
 */
export function selectedQuantile(values: Float64Array, p: number, done = 0): number {
  const last = values.length - 1;
  const below = Math.floor(p * last);
  const low = orderStatistic(values, below, Math.floor(done * last));
  const rest = p * last - below;
  if (rest === 0 || low === Number.POSITIVE_INFINITY) return low;
  let next = Number.POSITIVE_INFINITY;
  for (let i = below + 1; i <= last; i++) {
    const value = numberAt(values, i);
    if (value < next) next = value;
  }
  return low + rest * (next - low);
}

/**
 * The value with `k` values before it in ascending order, by selection (Hoare 1961). Reorders the values: smaller
 * ones before k, larger ones after.
 * @param from all values before this position are smaller than those from it on
 */
export function orderStatistic(values: Float64Array, k: number, from = 0): number {
  let first = from;
  let last = values.length - 1;
  while (first < last) {
    const pivot = numberAt(values, (first + last) >> 1);
    let i = first;
    let j = last;
    while (i <= j) {
      while (numberAt(values, i) < pivot) i++;
      while (numberAt(values, j) > pivot) j--;
      if (i > j) break;
      const left = numberAt(values, i);
      values[i++] = numberAt(values, j);
      values[j--] = left;
    }
    if (k <= j) last = j;
    else if (k >= i) first = i;
    else break;
  }
  return numberAt(values, k);
}

/** Only for this array type: the engine compiles helpers that see arrays of every kind to slow code. */
function numberAt(values: Float64Array, i: number): number {
  return values[i] ?? Number.NaN;
}
