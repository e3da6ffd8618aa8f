import { at } from "../stats/index.ts";
import {
  type BestOption,
  bestOption,
  type Demand,
  demandOf,
  demandWithout,
  type Pool,
  poolCost,
} from "./pool.ts";

/** Leaves a resource with a share of its usage and so of its cost: 0 if it is deleted. */
export type Reduction = { readonly resource: string; readonly factor: number };

export type Bill = {
  /** Monthly costs of resources that are in no pool. */
  readonly costs: ReadonlyMap<string, number>;
  readonly pools: readonly Pool[];
};

/** Monthly. */
export type JointSaving = {
  /** By reduction: alone, and what it adds to those that save more alone. */
  readonly reductions: readonly Counted[];
  /** By pool; the best commitment for its usage as it is, and for what the reductions leave of it. */
  readonly commitments: readonly (Counted & {
    readonly bestNow?: BestOption;
    readonly bestAfter?: BestOption;
  })[];
  readonly sum: number;
  readonly joint: number;
};

export type Counted = { readonly alone: number; readonly joint: number };

/**
 * What reductions and commitments save together, exactly: the cost of the bill as it is, less its cost with all
 * reductions and, for the usage that is left, the best commitments. Two reductions of a resource leave the product of
 * their shares. More usage never costs less, whatever is committed, so that no choice of some of them saves more; and
 * the saving of a reduction falls with every other one, that of a commitment with the usage, so that the joint
 * saving is at most the sum. Yields between pools.
 *
 * That it is at most the sum holds where existing commitments and an option order the groups of usage alike by their
 * discounts; otherwise freed commitments may cover usage with a larger discount, and the surplus is real.
 */
export function* jointSaving(bill: Bill, reductions: readonly Reduction[]): Generator<void, JointSaving> {
  const { costs, pools } = bill;
  const today: Demand[] = [];
  for (const pool of pools) {
    today.push(demandOf(pool));
    yield;
  }
  const left = [...today];
  const shares = new Map<string, number>();
  const using = new Map(reductions.map(({ resource }) => [resource, poolsUsing(pools, resource)]));
  const monthly = (demands: Demand[], i: number) =>
    at(pools, i).perMonth * poolCost(at(pools, i), at(demands, i));

  /** What it saves to take a share of a resource away, of the demands as they are; they are changed if `keep`. */
  const saved = (demands: Demand[], resource: string, share: number, keep: boolean) => {
    let saving = share * (costs.get(resource) ?? 0);
    for (const i of using.get(resource) ?? []) {
      const rest = demands.with(i, demandWithout(at(demands, i), at(pools, i), resource, share));
      saving += monthly(demands, i) - monthly(rest, i);
      if (keep) demands[i] = at(rest, i);
    }
    return saving;
  };

  const alone: number[] = [];
  for (const { resource, factor } of reductions) {
    alone.push(saved(today, resource, 1 - factor, false));
    yield;
  }
  const joint = reductions.map(() => 0);
  for (const i of [...reductions.keys()].sort((a, b) => at(alone, b) - at(alone, a))) {
    const { resource, factor } = at(reductions, i);
    const share = shares.get(resource) ?? 1;
    joint[i] = saved(left, resource, share * (1 - factor), true);
    shares.set(resource, share * factor);
    yield;
  }
  const counted = reductions.map((_, i) => ({ alone: at(alone, i), joint: at(joint, i) }));
  const commitments: (Counted & { bestNow?: BestOption; bestAfter?: BestOption })[] = [];
  for (const [i, pool] of pools.entries()) {
    const bestNow = bestOption(pool, at(today, i));
    yield;
    const bestAfter = bestOption(pool, at(left, i));
    commitments.push({
      alone: pool.perMonth * (bestNow?.saving ?? 0),
      joint: pool.perMonth * (bestAfter?.saving ?? 0),
      ...(bestNow ? { bestNow } : {}),
      ...(bestAfter ? { bestAfter } : {}),
    });
    yield;
  }
  const all = [...counted, ...commitments];
  return {
    reductions: counted,
    commitments,
    sum: all.reduce((sum, one) => sum + one.alone, 0),
    joint: all.reduce((sum, one) => sum + one.joint, 0),
  };
}

/** The places of the pools that have usage of a resource. */
function poolsUsing(pools: readonly Pool[], resource: string): number[] {
  return [...pools.keys()].filter((i) =>
    at(pools, i).usage.some(({ resource_id }) => resource_id === resource),
  );
}
