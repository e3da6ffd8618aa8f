import type { Chain } from "./chain.ts";
import { down, type Link, up } from "./problem.ts";
import type { Derivatives, Term } from "./terms.ts";

/** A feasible point, and whether it is proven to be the global optimum. */
export type Pooled = { readonly prices: number[]; readonly optimal: boolean };

/*
 * This file is the innermost loop of every analysis. It reads arrays through helpers of its own, since those that all
 * modules share see arrays of every kind, which the engine compiles to slow code.
 */
function numberAt(values: readonly number[], i: number): number {
  return values[i] ?? Number.NaN;
}

function termAt(chain: Chain, i: number): Term {
  const term = chain.terms[i];
  if (term === undefined) throw new RangeError("no such term");
  return term;
}

function linkAt(chain: Chain, i: number): Link {
  const link = chain.links[i];
  if (link === undefined) throw new RangeError("no such link");
  return link;
}

/** Neighbouring tiers with tight links: `head`, the price of the first, determines the others. */
type Block = { first: number; last: number; head: number };

/**
 * Pool-adjacent-violators (PAV): each tier starts at its unconstrained optimum; neighbours that violate their
 * link are merged into a block and optimized together, until no link is violated (Ayer et al. 1955; for
 * general unimodal terms Best, Chakravarti and Ubhaya 2000).
 *
 * Optimality is certified by weak duality. It holds if the tight links have multipliers ≥ 0 and each term in
 * a block lies below its tangent on its whole range, in one coordinate for the whole block: p, ln p, or −p^−a
 * (the links are concave in each). Then the result attains the maximum of the Lagrangian, which no feasible point
 * exceeds. The links between blocks are slack, so that each block may have a coordinate of its own. If the certificate fails, the result is a feasible start for `certifiedSearch`.
 */
export function pool(chain: Chain): Pooled {
  const count = chain.terms.length;
  const targets = new Array<number>(count);
  let free = true;
  for (let i = 0; i < count; i++) {
    const peak = termAt(chain, i).peak;
    targets[i] = Math.min(Math.max(peak, numberAt(chain.low, i)), numberAt(chain.high, i));
    if (i > 0 && numberAt(targets, i) > down(linkAt(chain, i - 1), numberAt(targets, i - 1))) free = false;
  }
  // If the links allow every term its own optimum, that is the joint optimum.
  if (free) return { prices: targets, optimal: true };

  const low = targets.slice();
  const high = targets.slice();
  narrow(chain, low, high);
  const blocks: Block[] = [];
  for (let i = 0; i < count; i++) {
    let block: Block = { first: i, last: i, head: numberAt(targets, i) };
    for (let above = blocks.at(-1); above; above = blocks.at(-1)) {
      const tail = priceAt(chain, above.first, above.last, above.head);
      if (block.head <= down(linkAt(chain, above.last), tail) * (1 + 1e-14)) break;
      blocks.pop();
      block = solveBlock(chain, low, high, targets, above.first, block.last);
    }
    blocks.push(block);
  }

  const prices = new Array<number>(count);
  for (const block of blocks) {
    let price = block.head;
    for (let i = block.first; i <= block.last; i++) {
      if (i > block.first) price = down(linkAt(chain, i - 1), price);
      prices[i] = Math.min(Math.max(price, numberAt(chain.low, i)), numberAt(chain.high, i));
    }
  }
  const joined = blocks.filter((block) => block.last > block.first);
  const optimal = joined.every(
    (block) =>
      multipliersFit(chain, low, high, prices, block) &&
      (concaveInPower(chain, high, block) ||
        tangentsHold(chain, high, prices, block) ||
        logTangentsHold(chain, high, prices, block)),
  );
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
    const pushed = up(linkAt(chain, i), numberAt(high, i + 1));
    high[i] = Math.min(Math.max(numberAt(high, i), pushed), numberAt(chain.high, i));
  }
  for (let i = 1; i < chain.terms.length; i++) {
    const pushed = down(linkAt(chain, i - 1), numberAt(low, i - 1));
    low[i] = Math.max(Math.min(numberAt(low, i), pushed), numberAt(chain.low, i));
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
    total += termAt(chain, i).slope(price) * rate;
    sums?.push(total);
    if (i === last) return total;
    const link = linkAt(chain, i);
    if (price * link.keep < price - link.offset) {
      price *= link.keep;
      rate *= link.keep;
    } else {
      price -= link.offset;
    }
  }
}

/** A Newton step below this share of the price leaves an error of about its square. */
const LAST_STEP = 1e-8;

/**
 * Root of the block's slope F between `from` and `to`, by Newton's method with bisection as the fallback; the end
 * towards which the block's objective rises if it has none.
 *
 * With constant elasticities, F·p^m with their mean size m is nearly linear in 1/p (exactly, if they are equal), so
 * Newton's method is applied to that: p ← p / (1 + F/(p·F' + m·F)).
 */
export function blockRoot(chain: Chain, first: number, last: number, from: number, to: number): number {
  let low = from;
  let high = to;
  let head = 0.5 * (low + high);
  let power = 0;
  let elastic = true;
  for (let i = first; i <= last; i++) {
    const own = termAt(chain, i).mostPower;
    power += own / (last - first + 1);
    elastic &&= own > 0;
  }
  const local = { slope: 0, curvature: 0 };
  for (let step = 0; step < 100; step++) {
    blockDerivatives(chain, first, last, head, local);
    const { slope, curvature } = local;
    if (slope >= 0) low = head;
    else high = head;
    const falls = head * curvature + power * slope;
    let next = elastic ? head / (1 + slope / falls) : head - slope / curvature;
    let precision = LAST_STEP;
    if (!((elastic ? falls : curvature) < 0 && next > low && next < high)) {
      // Only now does it matter whether the slope changes sign in the bracket at all.
      if (low === from && blockSlope(chain, first, last, from) <= 0) return from;
      if (high === to && blockSlope(chain, first, last, to) >= 0) return to;
      next = 0.5 * (low + high);
      precision = 1e-14;
    }
    if (Math.abs(next - head) <= precision * head) return next;
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

function blockDerivatives(chain: Chain, first: number, last: number, head: number, into: Derivatives): void {
  let price = head;
  let rate = 1;
  into.slope = 0;
  into.curvature = 0;
  for (let i = first; ; i++) {
    termAt(chain, i).addDerivatives(price, rate, into);
    if (i === last) return;
    const link = linkAt(chain, i);
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
  const least = numberAt(low, first);
  const most = headAt(chain, first, last, numberAt(high, last));
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let i = first; i <= last; i++) {
    const wanted = headAt(chain, first, i, numberAt(targets, i));
    from = Math.min(from, wanted);
    to = Math.max(to, wanted);
  }
  from = Math.max(from, least);
  to = Math.min(to, most);
  if (from >= to) return { first, last, head: Math.min(Math.max(from, least), most) };
  return { first, last, head: blockRoot(chain, first, last, from, to) };
}

function priceAt(chain: Chain, first: number, member: number, head: number): number {
  let price = head;
  for (let i = first; i < member; i++) price = down(linkAt(chain, i), price);
  return price;
}

/** The price of tier `first` from which tight links lead to the given price of tier `member`. */
export function headAt(chain: Chain, first: number, member: number, price: number): number {
  let head = price;
  for (let i = member - 1; i >= first; i--) head = up(linkAt(chain, i), head);
  return head;
}

/**
 * Whether every term of the block is concave in −p^−a on its range, with the largest a that the terms allow: then it
 * lies below its tangents there. A link lower ≤ higher − offset has the derivative (p/(p − offset))^(a+1) in this
 * coordinate, which falls as p rises, so links are concave too.
 */
function concaveInPower(chain: Chain, high: readonly number[], block: Block): boolean {
  let power = Number.POSITIVE_INFINITY;
  for (let i = block.first; i <= block.last; i++) power = Math.min(power, termAt(chain, i).mostPower);
  if (power === 0) return false;
  for (let i = block.first; i <= block.last; i++) {
    if (numberAt(high, i) > termAt(chain, i).powerConcaveUpTo(power)) return false;
  }
  return true;
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
    const term = termAt(chain, i);
    const top = numberAt(high, i);
    const price = numberAt(prices, i);
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
    const term = termAt(chain, i);
    const top = numberAt(high, i);
    const price = numberAt(prices, i);
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
  for (let j = 0; j < sums.length; j++) scale += Math.abs(numberAt(sums, j) - (sums[j - 1] ?? 0));
  const slack = 1e-8 * scale;
  const atTop = (j: number) =>
    numberAt(prices, block.first + j) >= numberAt(high, block.first + j) * (1 - 1e-12);
  const atBottom = (j: number) =>
    numberAt(prices, block.first + j) <= numberAt(low, block.first + j) * (1 + 1e-12);
  if (Math.abs(total) > slack && !(total > 0 ? atTop(sums.length - 1) : atBottom(0))) return false;
  for (let j = 0; j + 1 < sums.length; j++) {
    const most = total > slack ? (atTop(j) ? total : 0) : total < -slack ? (atBottom(j + 1) ? 0 : total) : 0;
    if (numberAt(sums, j) > most + slack) return false;
  }
  return true;
}
