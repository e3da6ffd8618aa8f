import { gapOf, type MinGap } from "./gap.ts";

/**
 * The relative tolerance of all price comparisons.
 *
 * Doubles cannot represent most decimal prices, so `100.10 * (1 - 0.03)` may be an ulp above or below the
 * decimal result. The tolerance is far above such rounding errors (about 1e-15 after a few operations), and
 * far below the smallest relative step between real prices (0.01 at a price of a billion is 1e-11).
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

/** The minimum gap holds; a gap exactly at the minimum passes. */
export function gapHolds(higher: number, lower: number, gap: MinGap): boolean {
  const { share, amount } = gapOf(gap);
  return atMost(lower, higher * (1 - share)) && amountHolds(higher, lower, amount);
}

/** higher − lower ≥ amount, with the slack of `orderHolds`. */
export function amountHolds(higher: number, lower: number, amount: number): boolean {
  return amount === 0 || higher - lower >= amount * (1 - 1e-9) - 4 * Number.EPSILON * Math.abs(higher);
}

/**
 * Strict ordering: the prices are at least one increment apart; with increment 0 they may be equal. The slack
 * is 1e-9 of the increment plus the rounding error of the prices. A slack relative to the price would let
 * equal large prices pass as one increment apart.
 */
export function orderHolds(higher: number, lower: number, increment: number): boolean {
  if (increment === 0) return atMost(lower, higher);
  return higher - lower >= increment * (1 - 1e-9) - 4 * Number.EPSILON * Math.abs(higher);
}
