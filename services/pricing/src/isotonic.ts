import { at } from "./at.ts";

/**
 * A descending chain x₀ ≥ x₁ + d₀, x₁ ≥ x₂ + d₁, … with a box around every member.
 * All arrays but `steps` (one shorter) have one entry per member; bounds may be infinite.
 */
export type Chain = {
  readonly targets: readonly number[];
  /** Positive and finite. */
  readonly weights: readonly number[];
  /** d_i ≥ 0, the least step between members i and i + 1. */
  readonly steps: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
};

export type Projection =
  | { readonly ok: true; readonly values: number[] }
  /** The lower bound of one member and the upper bound of an earlier one (or its own) leave no room for the steps between. */
  | { readonly ok: false; readonly lowerOf: number; readonly upperOf: number };

/** Bounds that cross by no more than this are the same bound, computed along two ways. */
const CROSSING = 1e-11;

type Block = { from: number; to: number; mean: number; weight: number; value: number };

/**
 * The point of the chain nearest to the targets: argmin Σ w_i·(x_i − target_i)².
 *
 * The steps are shifted away (y_i = x_i + d_0 + … + d_{i−1} must not rise), which leaves isotonic regression: pool
 * adjacent violators, exact in O(n) (Barlow, Bartholomew, Bremner & Brunk 1972; Best & Chakravarti 1990). A box makes a
 * member's loss convex with an interval for its domain; pooling stays exact then, with the block's mean moved into the
 * block's box (Best, Chakravarti & Ubhaya 2000). Clipping the unbounded solution instead would be wrong: a member that a
 * bound stops must let its neighbours go back.
 */
export function projectOnChain(chain: Chain): Projection {
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

function cumulativeSteps({ targets, steps }: Chain): number[] {
  let sum = 0;
  return targets.map((_, i) => {
    if (i > 0) sum += at(steps, i - 1);
    return sum;
  });
}

/** The boxes of y, narrowed to what the chain leaves: nobody below the highest floor behind, nor above the lowest ceiling ahead. */
function tightBoxes(chain: Chain, shift: readonly number[]) {
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

/** Narrowed boxes do not rise along the chain: a block's floor is its first member's, its ceiling its last member's. */
function boxed(block: Block, lower: readonly number[], upper: readonly number[]): Block {
  return { ...block, value: Math.min(Math.max(block.mean, at(lower, block.from)), at(upper, block.to)) };
}
