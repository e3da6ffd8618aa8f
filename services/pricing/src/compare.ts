/**
 * Comparison of prices that were written in decimals.
 *
 * Doubles cannot hold most decimal prices, so `100.10 * (1 - 0.03)` may fall an ulp above or below the decimal
 * answer. Every rule therefore compares with one relative tolerance: far above rounding noise (about 1e-15 after
 * a few operations), far below the smallest step between real prices (0.01 at a price of a billion is 1e-11).
 */
export const RELATIVE_TOLERANCE = 1e-12;

/** a ≤ b up to the tolerance; false when either is NaN. */
export function atMost(a: number, b: number): boolean {
  if (a <= b) return true;
  const slack = RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  return slack < Number.POSITIVE_INFINITY && a - b <= slack;
}

/** a ≥ b up to the tolerance; false when either is NaN. */
export function atLeast(a: number, b: number): boolean {
  return atMost(b, a);
}

/** a = b up to the tolerance. */
export function same(a: number, b: number): boolean {
  return atMost(a, b) && atMost(b, a);
}

/** The gap between two prices as a share of the higher tier's price (negative when the order is inverted). */
export function gapShare(higher: number, lower: number): number {
  return (higher - lower) / higher;
}

/** lower ≤ higher · (1 − gap): the minimum gap holds; a gap exactly at the minimum passes. */
export function gapHolds(higher: number, lower: number, gap: number): boolean {
  return atMost(lower, higher * (1 - gap));
}

/**
 * Strict ordering: at least one increment apart; with increment 0 the higher tier is not below the lower one.
 * The slack is a sliver of the increment and the rounding of the two prices, so that equal prices never pass as
 * one increment apart, however large they are.
 */
export function orderHolds(higher: number, lower: number, increment: number): boolean {
  if (increment === 0) return atMost(lower, higher);
  return higher - lower >= increment * (1 - 1e-9) - 4 * Number.EPSILON * Math.abs(higher);
}
