import { at } from "./at.ts";

/**
 * A descending chain x₀ ≥ x₁ + d₀, x₁ ≥ x₂ + d₁, … with a lower and an upper bound on every member.
 * All arrays have one entry per member, except `steps`, which has one fewer. Bounds may be infinite.
 */
export type OrderedTargets = {
  readonly targets: readonly number[];
  /** Positive and finite. */
  readonly weights: readonly number[];
  /** d_i ≥ 0, the minimum distance between members i and i + 1. */
  readonly steps: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
};

export type Projection =
  | { readonly ok: true; readonly values: number[] }
  /**
   * Infeasible: the lower bound of `lowerOf` and the upper bound of `upperOf` (≤ `lowerOf`) leave no room for
   * the steps between them.
   */
  | { readonly ok: false; readonly lowerOf: number; readonly upperOf: number };

/** Bounds that cross by no more than this count as equal: the difference is rounding error. */
const CROSSING = 1e-11;

type Block = { from: number; to: number; mean: number; weight: number; value: number };

/**
 * Projects the targets on the chain: argmin Σ w_i·(x_i − target_i)² over its feasible set.
 *
 * Substituting y_i = x_i + d_0 + … + d_{i−1} removes the steps and leaves isotonic regression with
 * nonincreasing y. The pool-adjacent-violators algorithm (PAV) solves it exactly in O(n) (Barlow,
 * Bartholomew, Bremner & Brunk 1972; Best & Chakravarti 1990). Bounds make each loss convex on an interval;
 * PAV stays exact if the mean of each block is clipped to the block's bounds while pooling (Best, Chakravarti
 * & Ubhaya 2000). Clipping the unbounded solution afterwards would be wrong: neighbours that were pooled with
 * a clipped member have to return towards their own targets.
 */
export function projectOnChain(chain: OrderedTargets): Projection {
  const shift = cumulativeSteps(chain);
  const { lower, upper, conflict } = tightBoxes(chain, shift);
  if (conflict !== undefined) return { ok: false, ...conflict };

  const blocks: Block[] = [];
  for (let i = 0; i < chain.targets.length; i++) {
    const mean = at(chain.targets, i) + at(shift, i);
    let block = boxed({ from: i, to: i, mean, weight: at(chain.weights, i), value: mean }, lower, upper);
    for (let last = blocks.at(-1); last !== undefined && last.value < block.value; last = blocks.at(-1)) {
      blocks.pop();
      block = boxed(pooled(last, block), lower, upper);
    }
    blocks.push(block);
  }
  return {
    ok: true,
    values: blocks.flatMap(({ from, to, value }) => shift.slice(from, to + 1).map((s) => value - s)),
  };
}

function cumulativeSteps({ targets, steps }: OrderedTargets): number[] {
  let sum = 0;
  return targets.map((_, i) => {
    if (i > 0) sum += at(steps, i - 1);
    return sum;
  });
}

/**
 * The bounds of y, tightened along the chain: y_i is at least every later lower bound and at most every
 * earlier upper bound.
 */
function tightBoxes(chain: OrderedTargets, shift: readonly number[]) {
  const lower = chain.lower.map((bound, i) => bound + at(shift, i));
  const upper = chain.upper.map((bound, i) => bound + at(shift, i));
  const floorFrom = lower.map((_, i) => i);
  const ceilingFrom = upper.map((_, i) => i);
  for (let i = lower.length - 2; i >= 0; i--) {
    if (at(lower, i + 1) > at(lower, i)) {
      lower[i] = at(lower, i + 1);
      floorFrom[i] = at(floorFrom, i + 1);
    }
  }
  for (let i = 1; i < upper.length; i++) {
    if (at(upper, i - 1) < at(upper, i)) {
      upper[i] = at(upper, i - 1);
      ceilingFrom[i] = at(ceilingFrom, i - 1);
    }
  }
  const crossed = lower.findIndex((bound, i) => bound - at(upper, i) > CROSSING);
  const conflict =
    crossed < 0 ? undefined : { lowerOf: at(floorFrom, crossed), upperOf: at(ceilingFrom, crossed) };
  return { lower, upper, conflict };
}

function pooled(ahead: Block, behind: Block): Block {
  const weight = ahead.weight + behind.weight;
  const mean = (ahead.mean * ahead.weight + behind.mean * behind.weight) / weight;
  return { from: ahead.from, to: behind.to, mean, weight, value: mean };
}

/**
 * Tightened bounds are nonincreasing along the chain: the first member has a block's lower bound, the last
 * its upper bound.
 */
function boxed(block: Block, lower: readonly number[], upper: readonly number[]): Block {
  return { ...block, value: Math.min(Math.max(block.mean, at(lower, block.from)), at(upper, block.to)) };
}
