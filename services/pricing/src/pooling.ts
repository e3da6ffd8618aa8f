import type { Chain } from "./chain.ts";
import { down, type Link, up } from "./problem.ts";
import type { Term } from "./terms.ts";

/** A candidate, and whether it is proven to be the largest. */
export type Pooled = { readonly prices: number[]; readonly optimal: boolean };

/** Neighbours whose links are tight: the first price fixes the others. */
type Block = { first: number; last: number; head: number };

/**
 * Pools adjacent violators: each tier starts at its own best price, and neighbours that violate their link are joined and
 * priced together, until none does (Ayer et al. 1955, for general unimodal terms Best, Chakravarti and Ubhaya 2000).
 *
 * The result is proven optimal, by sufficiency of the Karush-Kuhn-Tucker conditions, when every term is concave on its
 * range in p (or every one in ln p; the links are concave in both) and the multipliers of the tight links are not negative.
 * Otherwise it is a feasible start for `certifiedSearch`.
 */
export function pool(chain: Chain): Pooled {
  const count = chain.terms.length;
  const targets = new Array<number>(count);
  let free = true;
  for (let i = 0; i < count; i++) {
    const peak = (chain.terms[i] as Term).peak;
    targets[i] = Math.min(Math.max(peak, chain.low[i] as number), chain.high[i] as number);
    if (i > 0 && (targets[i] as number) > down(chain.links[i - 1] as Link, targets[i - 1] as number))
      free = false;
  }
  // Every term at its best within its own range is best altogether, if the links allow it.
  if (free) return { prices: targets, optimal: true };

  const low = targets.slice();
  const high = targets.slice();
  narrow(chain, low, high);
  const blocks: Block[] = [];
  for (let i = 0; i < count; i++) {
    let block: Block = { first: i, last: i, head: targets[i] as number };
    for (let above = blocks.at(-1); above; above = blocks.at(-1)) {
      const tail = priceAt(chain, above.first, above.last, above.head);
      if (block.head <= down(chain.links[above.last] as Link, tail) * (1 + 1e-14)) break;
      blocks.pop();
      block = solveBlock(chain, low, high, targets, above.first, block.last);
    }
    blocks.push(block);
  }

  const prices = new Array<number>(count);
  let optimal = concave(chain, high);
  for (const block of blocks) {
    let price = block.head;
    for (let i = block.first; i <= block.last; i++) {
      if (i > block.first) price = down(chain.links[i - 1] as Link, price);
      prices[i] = Math.min(Math.max(price, chain.low[i] as number), chain.high[i] as number);
    }
    if (optimal && block.last > block.first) optimal = multipliersFit(chain, low, high, prices, block);
  }
  return { prices, optimal };
}

/**
 * Narrows ranges to where some optimum lies: above the highest price that any lower tier wants to push a tier to, each
 * term only loses, and likewise below.
 */
export function narrow(chain: Chain, low: number[], high: number[]): void {
  for (let i = chain.terms.length - 2; i >= 0; i--) {
    const pushed = up(chain.links[i] as Link, high[i + 1] as number);
    high[i] = Math.min(Math.max(high[i] as number, pushed), chain.high[i] as number);
  }
  for (let i = 1; i < chain.terms.length; i++) {
    const pushed = down(chain.links[i - 1] as Link, low[i - 1] as number);
    low[i] = Math.max(Math.min(low[i] as number, pushed), chain.low[i] as number);
  }
}

/** Σ slope over the block's tiers with respect to its first price; writes the running sums where `sums` is given. */
export function blockSlope(chain: Chain, first: number, last: number, head: number, sums?: number[]): number {
  let price = head;
  let rate = 1;
  let total = 0;
  for (let i = first; ; i++) {
    total += (chain.terms[i] as Term).slope(price) * rate;
    sums?.push(total);
    if (i === last) return total;
    const link = chain.links[i] as Link;
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

function blockCurvature(chain: Chain, first: number, last: number, head: number): number {
  let price = head;
  let rate = 1;
  let total = 0;
  for (let i = first; ; i++) {
    total += (chain.terms[i] as Term).curvature(price) * rate * rate;
    if (i === last) return total;
    const link = chain.links[i] as Link;
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
  const least = low[first] as number;
  const most = headAt(chain, first, last, high[last] as number);
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let i = first; i <= last; i++) {
    const wanted = headAt(chain, first, i, targets[i] as number);
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

function priceAt(chain: Chain, first: number, at: number, head: number): number {
  let price = head;
  for (let i = first; i < at; i++) price = down(chain.links[i] as Link, price);
  return price;
}

/** The price of tier `first` at which a tight chain gives tier `at` this price. */
export function headAt(chain: Chain, first: number, at: number, price: number): number {
  let head = price;
  for (let i = at - 1; i >= first; i--) head = up(chain.links[i] as Link, head);
  return head;
}

function concave(chain: Chain, high: readonly number[]): boolean {
  let plain = true;
  let log = true;
  for (let i = 0; i < chain.terms.length; i++) {
    const term = chain.terms[i] as Term;
    plain &&= (high[i] as number) <= term.concaveUpTo;
    log &&= (high[i] as number) <= term.logConcaveUpTo;
  }
  return plain || log;
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
  for (let j = 0; j < sums.length; j++) scale += Math.abs((sums[j] as number) - (sums[j - 1] ?? 0));
  const slack = 1e-8 * scale;
  const atTop = (j: number) =>
    (prices[block.first + j] as number) >= (high[block.first + j] as number) * (1 - 1e-12);
  const atBottom = (j: number) =>
    (prices[block.first + j] as number) <= (low[block.first + j] as number) * (1 + 1e-12);
  if (Math.abs(total) > slack && !(total > 0 ? atTop(sums.length - 1) : atBottom(0))) return false;
  for (let j = 0; j + 1 < sums.length; j++) {
    const most = total > slack ? (atTop(j) ? total : 0) : total < -slack ? (atBottom(j + 1) ? 0 : total) : 0;
    if ((sums[j] as number) > most + slack) return false;
  }
  return true;
}
