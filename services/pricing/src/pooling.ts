import { at } from "./at.ts";
import type { Chain } from "./chain.ts";
import { down, type Link, up } from "./problem.ts";

/** A feasible point, and whether it is proven to be the global optimum. */
export type Pooled = { readonly prices: number[]; readonly optimal: boolean };

/** Neighbouring tiers with tight links: `head`, the price of the first, determines the others. */
type Block = { first: number; last: number; head: number };

/**
 * Pool-adjacent-violators (PAV): each tier starts at its unconstrained optimum; neighbours that violate their
 * link are merged into a block and optimized together, until no link is violated (Ayer et al. 1955; for
 * general unimodal terms Best, Chakravarti and Ubhaya 2000).
 *
 * Optimality is certified by weak duality. It holds if the tight links have multipliers ≥ 0 and each term in
 * a block lies below its tangent on its whole range (in p for all terms, or in ln p for all; the links are
 * concave in both): then the result attains the maximum of the Lagrangian, which no feasible point exceeds.
 * If the certificate fails, the result is a feasible start for `certifiedSearch`.
 */
export function pool(chain: Chain): Pooled {
  const count = chain.terms.length;
  const targets = new Array<number>(count);
  let free = true;
  for (let i = 0; i < count; i++) {
    const peak = at(chain.terms, i).peak;
    targets[i] = Math.min(Math.max(peak, at(chain.low, i)), at(chain.high, i));
    if (i > 0 && at(targets, i) > down(at(chain.links, i - 1), at(targets, i - 1))) free = false;
  }
  // If the links allow every term its own optimum, that is the joint optimum.
  if (free) return { prices: targets, optimal: true };

  const low = targets.slice();
  const high = targets.slice();
  narrow(chain, low, high);
  const blocks: Block[] = [];
  for (let i = 0; i < count; i++) {
    let block: Block = { first: i, last: i, head: at(targets, i) };
    for (let above = blocks.at(-1); above; above = blocks.at(-1)) {
      const tail = priceAt(chain, above.first, above.last, above.head);
      if (block.head <= down(at(chain.links, above.last), tail) * (1 + 1e-14)) break;
      blocks.pop();
      block = solveBlock(chain, low, high, targets, above.first, block.last);
    }
    blocks.push(block);
  }

  const prices = new Array<number>(count);
  for (const block of blocks) {
    let price = block.head;
    for (let i = block.first; i <= block.last; i++) {
      if (i > block.first) price = down(at(chain.links, i - 1), price);
      prices[i] = Math.min(Math.max(price, at(chain.low, i)), at(chain.high, i));
    }
  }
  const joined = blocks.filter((block) => block.last > block.first);
  const optimal =
    joined.every((block) => multipliersFit(chain, low, high, prices, block)) &&
    (joined.every((block) => tangentsHold(chain, high, prices, block)) ||
      joined.every((block) => logTangentsHold(chain, high, prices, block)));
  return { prices, optimal };
}

/**
 * Narrows the ranges, given each tier's own optimum in `low` and `high`, to an interval that contains an
 * optimum. A tier's price exceeds its own optimum only to make room for lower tiers, so their optima,
 * propagated up the links, bound it from above; the optima of higher tiers, propagated down, bound it from
 * below.
 */
export function narrow(chain: Chain, low: number[], high: number[]): void {
  for (let i = chain.terms.length - 2; i >= 0; i--) {
    const pushed = up(at(chain.links, i), at(high, i + 1));
    high[i] = Math.min(Math.max(at(high, i), pushed), at(chain.high, i));
  }
  for (let i = 1; i < chain.terms.length; i++) {
    const pushed = down(at(chain.links, i - 1), at(low, i - 1));
    low[i] = Math.max(Math.min(at(low, i), pushed), at(chain.low, i));
  }
}

/**
 * Derivative of the block's objective with respect to its first price.
 * Appends the partial sums to `sums`, if given.
 */
export function blockSlope(chain: Chain, first: number, last: number, head: number, sums?: number[]): number {
  let price = head;
  let rate = 1;
  let total = 0;
  for (let i = first; ; i++) {
    total += at(chain.terms, i).slope(price) * rate;
    sums?.push(total);
    if (i === last) return total;
    const link = at(chain.links, i);
    if (price * link.keep < price - link.offset) {
      price *= link.keep;
      rate *= link.keep;
    } else {
      price -= link.offset;
    }
  }
}

/**
 * Root of the block's slope in the bracket from `from` (slope ≥ 0) to `to` (slope ≤ 0), by Newton's method
 * with bisection as the fallback.
 */
export function blockRoot(chain: Chain, first: number, last: number, from: number, to: number): number {
  let low = from;
  let high = to;
  let head = 0.5 * (low + high);
  for (let step = 0; step < 100; step++) {
    const slope = blockSlope(chain, first, last, head);
    if (slope >= 0) low = head;
    else high = head;
    const bend = blockCurvature(chain, first, last, head);
    let next = head - slope / bend;
    if (!(bend < 0 && next > low && next < high)) next = 0.5 * (low + high);
    if (Math.abs(next - head) <= 1e-14 * head) return next;
    head = next;
  }
  return head;
}

/**
 * Derivative of `down` with respect to the higher price: 1 − gap, or 1 where the offset is the tighter rule.
 */
export function linkRate(link: Link, higher: number): number {
  return higher * link.keep < higher - link.offset ? link.keep : 1;
}

function blockCurvature(chain: Chain, first: number, last: number, head: number): number {
  let price = head;
  let rate = 1;
  let total = 0;
  for (let i = first; ; i++) {
    total += at(chain.terms, i).curvature(price) * rate * rate;
    if (i === last) return total;
    const link = at(chain.links, i);
    if (price * link.keep < price - link.offset) {
      price *= link.keep;
      rate *= link.keep;
    } else {
      price -= link.offset;
    }
  }
}

function solveBlock(
  chain: Chain,
  low: readonly number[],
  high: readonly number[],
  targets: readonly number[],
  first: number,
  last: number,
): Block {
  const least = at(low, first);
  const most = headAt(chain, first, last, at(high, last));
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let i = first; i <= last; i++) {
    const wanted = headAt(chain, first, i, at(targets, i));
    from = Math.min(from, wanted);
    to = Math.max(to, wanted);
  }
  from = Math.max(from, least);
  to = Math.min(to, most);
  if (from >= to) return { first, last, head: Math.min(Math.max(from, least), most) };
  if (blockSlope(chain, first, last, to) >= 0) return { first, last, head: to };
  if (blockSlope(chain, first, last, from) <= 0) return { first, last, head: from };
  return { first, last, head: blockRoot(chain, first, last, from, to) };
}

function priceAt(chain: Chain, first: number, member: number, head: number): number {
  let price = head;
  for (let i = first; i < member; i++) price = down(at(chain.links, i), price);
  return price;
}

/** The price of tier `first` from which tight links lead to the given price of tier `member`. */
export function headAt(chain: Chain, first: number, member: number, price: number): number {
  let head = price;
  for (let i = member - 1; i >= first; i--) head = up(at(chain.links, i), head);
  return head;
}

/**
 * Whether every term lies on or below its tangent at the block's price, on the term's whole range. A term is
 * concave up to one point and convex beyond, so for a price in the concave part it is enough to check the top
 * of the range.
 */
function tangentsHold(
  chain: Chain,
  high: readonly number[],
  prices: readonly number[],
  block: Block,
): boolean {
  for (let i = block.first; i <= block.last; i++) {
    const term = at(chain.terms, i);
    const top = at(high, i);
    const price = at(prices, i);
    if (top <= term.concaveUpTo) continue;
    if (price > term.concaveUpTo) return false;
    if (term.value(top) > term.value(price) + term.slope(price) * (top - price)) return false;
  }
  return true;
}

/** `tangentsHold` for the terms as functions of ln p. */
function logTangentsHold(
  chain: Chain,
  high: readonly number[],
  prices: readonly number[],
  block: Block,
): boolean {
  for (let i = block.first; i <= block.last; i++) {
    const term = at(chain.terms, i);
    const top = at(high, i);
    const price = at(prices, i);
    if (top <= term.logConcaveUpTo) continue;
    if (price > term.logConcaveUpTo) return false;
    if (term.value(top) > term.value(price) + term.slope(price) * price * Math.log(top / price)) return false;
  }
  return true;
}

/**
 * Whether the tight links of a block have multipliers (duals) ≥ 0. In the coordinate of the block's first
 * price, the multiplier of the link after tier j is minus the sum of the slopes up to j. Tiers at an end of
 * their range may absorb slope of one sign. As ranges are nonincreasing along the chain, tiers at their upper
 * limit are last in the block, and tiers at their lower limit first.
 */
function multipliersFit(
  chain: Chain,
  low: readonly number[],
  high: readonly number[],
  prices: readonly number[],
  block: Block,
): boolean {
  const sums: number[] = [];
  const total = blockSlope(chain, block.first, block.last, block.head, sums);
  let scale = 0;
  for (let j = 0; j < sums.length; j++) scale += Math.abs(at(sums, j) - (sums[j - 1] ?? 0));
  const slack = 1e-8 * scale;
  const atTop = (j: number) => at(prices, block.first + j) >= at(high, block.first + j) * (1 - 1e-12);
  const atBottom = (j: number) => at(prices, block.first + j) <= at(low, block.first + j) * (1 + 1e-12);
  if (Math.abs(total) > slack && !(total > 0 ? atTop(sums.length - 1) : atBottom(0))) return false;
  for (let j = 0; j + 1 < sums.length; j++) {
    const most = total > slack ? (atTop(j) ? total : 0) : total < -slack ? (atBottom(j + 1) ? 0 : total) : 0;
    if (at(sums, j) > most + slack) return false;
  }
  return true;
}
