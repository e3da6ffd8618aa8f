import { at } from "./at.ts";
import { certifiedSearch } from "./certified-search.ts";
import type { Chain } from "./chain.ts";
import type { Gap } from "./gap.ts";
import type { Projection } from "./isotonic.ts";
import { pool } from "./pooling.ts";
import { down, type Link, up } from "./problem.ts";
import type { Derivatives, Term } from "./terms.ts";

export type AmountProblem = {
  readonly prices: readonly number[];
  readonly weights: readonly number[];
  readonly gaps: readonly Gap[];
  readonly low: readonly number[];
  readonly high: readonly number[];
};

/** Limits that cross by no more than this share count as equal: the difference is rounding error. */
const CROSSING = 1e-11;

/** Money; far below any price, and within the tolerance of comparisons. */
const LEAST_PRICE = 1e-12;

/**
 * `projectOnChain` where gaps have amounts: the logarithms of the prices that minimise Σ w·ln²(p / start).
 *
 * The loss is convex in ln p, and the links p_low ≤ min(p_high·(1 − share), p_high − amount) are concave there, so
 * that the conditions of Karush, Kuhn and Tucker are sufficient. The optimizer's pooling meets them for any terms
 * that are concave in ln p, and certifies it.
 */
export function projectWithAmounts(problem: AmountProblem): Projection {
  const links = problem.gaps.map(({ share, amount }): Link => {
    return { offset: amount, increment: 0, amount, keep: 1 - share, ordered: true, gapped: true };
  });
  const { low, high, conflict } = reach(problem, links);
  if (conflict !== undefined) return { ok: false, ...conflict };
  const terms = problem.prices.map((price, i) => new DistanceTerm(price, at(problem.weights, i)));
  const chain: Chain = { terms, links, low, high };
  const pooled = pool(chain);
  const prices = pooled.optimal ? pooled.prices : certifiedSearch(chain, pooled.prices);
  // Near 0, a price less an amount may come out as 0.
  const values = prices.map((price, i) => Math.log(Math.max(price, Math.min(at(high, i), LEAST_PRICE))));
  return { ok: true, values };
}

/** −w·ln²(p / start): the nearer, the more. */
class DistanceTerm implements Term {
  readonly peak: number;
  readonly concaveUpTo: number;
  readonly logConcaveUpTo = Number.POSITIVE_INFINITY;
  readonly mostPower = 0;
  readonly #weight: number;

  constructor(start: number, weight: number) {
    this.peak = start;
    this.concaveUpTo = Math.E * start;
    this.#weight = weight;
  }

  powerConcaveUpTo(): number {
    return 0;
  }

  value(price: number): number {
    return -this.#weight * Math.log(price / this.peak) ** 2;
  }

  slope(price: number): number {
    return (-2 * this.#weight * Math.log(price / this.peak)) / price;
  }

  addDerivatives(price: number, weight: number, into: Derivatives): void {
    const log = Math.log(price / this.peak);
    into.slope += (-2 * this.#weight * log * weight) / price;
    into.curvature += (-2 * this.#weight * (1 - log) * weight * weight) / (price * price);
  }
}

/** The limits, tightened along the chain, or the two that leave no room for the gaps between them. */
function reach(problem: AmountProblem, links: readonly Link[]) {
  const low = problem.low.map((limit) => Math.max(0, limit));
  const high = problem.high.slice();
  const lowerOf = low.map((_, i) => i);
  const upperOf = high.map((_, i) => i);
  for (let i = low.length - 2; i >= 0; i--) {
    const needed = up(at(links, i), at(low, i + 1));
    if (needed <= at(low, i)) continue;
    low[i] = needed;
    lowerOf[i] = at(lowerOf, i + 1);
  }
  for (let i = 1; i < high.length; i++) {
    const left = down(at(links, i - 1), at(high, i - 1));
    if (left >= at(high, i)) continue;
    high[i] = left;
    upperOf[i] = at(upperOf, i - 1);
  }
  const crossed = low.findIndex((limit, i) => limit - at(high, i) > CROSSING * limit || !(at(high, i) > 0));
  if (crossed >= 0)
    return { low, high, conflict: { lowerOf: at(lowerOf, crossed), upperOf: at(upperOf, crossed) } };
  return { low: low.map((limit, i) => Math.min(limit, at(high, i))), high, conflict: undefined };
}
