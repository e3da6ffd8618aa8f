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

/** The nearest multiple of the increment (0: the price itself), free of binary noise: 3 × 0.1 is 0.3. */
export function roundToIncrement(price: number, increment: number): number {
  return increment === 0 ? price : gridPrice(Math.round(price / increment), increment);
}

/** The highest multiple of the increment that is at most the price (up to the tolerance). */
export function floorToIncrement(price: number, increment: number): number {
  return increment === 0 ? price : gridPrice(floorSteps(price, increment), increment);
}

/** The lowest multiple of the increment that is at least the price (up to the tolerance). */
export function ceilToIncrement(price: number, increment: number): number {
  return increment === 0 ? price : gridPrice(ceilSteps(price, increment), increment);
}

/** How many whole increments fit in the price. */
export function floorSteps(price: number, increment: number): number {
  const nearest = Math.round(price / increment);
  return atMost(nearest * increment, price) ? nearest : nearest - 1;
}

/** How many increments reach the price. */
export function ceilSteps(price: number, increment: number): number {
  const nearest = Math.round(price / increment);
  return atLeast(nearest * increment, price) ? nearest : nearest + 1;
}

/** The price of so many increments, with as many decimals as the increment has. */
export function gridPrice(steps: number, increment: number): number {
  const price = steps * increment;
  // Beyond 15 significant digits decimals mean nothing; toPrecision then rounds away only binary noise.
  return Number.isFinite(price) ? Number(price.toPrecision(15)) : price;
}
