import { at } from "./at.ts";
import type { Chain } from "./chain.ts";
import { down, type Link, up } from "./problem.ts";

/** A candidate, and whether it is proven to be the largest. */
export type Pooled = { readonly prices: number[]; readonly optimal: boolean };

/** Neighbours whose links are tight: the first price fixes the others. */
type Block = { first: number; last: number; head: number };

/**
 * Pools adjacent violators: each tier starts at its own best price, and neighbours that violate their link are joined and
 * priced together, until none does (Ayer et al. 1955, for general unimodal terms Best, Chakravarti and Ubhaya 2000).
 *
 * The result is proven optimal by weak duality: with multipliers ≥ 0 on the tight links, and each joined term below its tangent
 * on its whole range (in p for all, or in ln p for all; the links are concave in both), no feasible prices exceed the Lagrangian's
 * maximum, which is attained here. Otherwise it is a feasible start for `certifiedSearch`.
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
  // Every term at its best within its own range is best altogether, if the links allow it.
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
 * Narrows ranges to where some optimum lies: above the highest price that any lower tier wants to push a tier to, each
 * term only loses, and likewise below.
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

/** Σ slope over the block's tiers with respect to its first price; writes the running sums where `sums` is given. */
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

/** Root of the block's slope between `from` (where it is ≥ 0) and `to` (where it is ≤ 0): Newton steps kept inside the bracket. */
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

/** d down / d higher at a price: the share that the lower price may keep, or 1 where the increment is the narrower rule. */
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

/** The price of tier `first` at which a tight chain gives a later tier this price. */
export function headAt(chain: Chain, first: number, member: number, price: number): number {
  let head = price;
  for (let i = member - 1; i >= first; i--) head = up(at(chain.links, i), head);
  return head;
}

/**
 * Whether the tangent of every term at its price lies on or above the term on its whole range. The terms are concave up to one
 * point and convex beyond, so at a price in the concave part only the top of the range can break it.
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

/** The same for terms as functions of ln p. */
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
 * Whether the tight links of a block carry multipliers ≥ 0. In the coordinate of the block's first price the multiplier
 * behind tier j is minus the sum of slopes up to j, where tiers at the end of their range may absorb slope of one sign:
 * those at the top form the end of the block (ranges fall along the chain), those at the bottom its beginning.
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
