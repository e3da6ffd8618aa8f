import { at, tabulate } from "../stats/index.ts";
import { commitmentOutcome, type Layer, optimalCommitment, uncovered } from "./commitment.ts";
import { SavingsError } from "./errors.ts";
import type { CommitmentOption, CommitmentPool, Discounts } from "./types.ts";

/** A pool without the periods in which some usage is not known. */
export type Pool = {
  readonly pool: CommitmentPool;
  readonly usage: readonly {
    readonly group: string;
    readonly resource_id?: string;
    readonly onDemand: Float64Array;
  }[];
  readonly periods: number;
  readonly periodsWithoutData: number;
  /** A period's cost times this is a month's: a year has 8,760 hours and 365 days. */
  readonly perMonth: number;
};

export const PERIODS_PER_MONTH = { hour: 730, day: 365 / 12 } as const;

/** On-demand cost of the usage, by group. */
export type Demand = ReadonlyMap<string, Float64Array>;

/** @throws SavingsError INVALID_POOL for usage of unequal length or below 0, and discounts outside [0, 1) */
export function poolOf(pool: CommitmentPool): Pool {
  const length = pool.usage[0]?.on_demand.length ?? 0;
  const rates = [pool.existing?.discounts ?? {}, ...pool.options.map(({ discounts }) => discounts)];
  const valid =
    pool.usage.every(
      ({ on_demand }) =>
        on_demand.length === length &&
        on_demand.every((cost) => cost === null || (cost >= 0 && cost < Number.POSITIVE_INFINITY)),
    ) &&
    rates.every((each) => Object.values(each).every((discount) => discount >= 0 && discount < 1)) &&
    (pool.existing?.per_period ?? 0) >= 0;
  if (!valid)
    throw new SavingsError(
      "INVALID_POOL",
      "Usage has the same periods throughout and is not negative; discounts are at least 0 and below 1.",
      { pool: pool.name },
    );
  const known: number[] = [];
  for (let t = 0; t < length; t++)
    if (pool.usage.every(({ on_demand }) => on_demand[t] !== null)) known.push(t);
  return {
    pool,
    usage: pool.usage.map(({ group, resource_id, on_demand }) => ({
      group,
      ...(resource_id === undefined ? {} : { resource_id }),
      onDemand: tabulate(known.length, (i) => on_demand[at(known, i)] ?? 0),
    })),
    periods: known.length,
    periodsWithoutData: length - known.length,
    perMonth: PERIODS_PER_MONTH[pool.grain],
  };
}

export function demandOf({ usage, periods }: Pool): Demand {
  const groups = new Map<string, Float64Array>();
  for (const { group, onDemand } of usage) {
    const sum = groups.get(group) ?? new Float64Array(periods);
    for (let t = 0; t < periods; t++) sum[t] = at(sum, t) + at(onDemand, t);
    groups.set(group, sum);
  }
  return groups;
}

/** The demand without a share of a resource's usage. */
export function demandWithout(demand: Demand, { usage }: Pool, resource: string, share: number): Demand {
  const groups = new Map(demand);
  for (const { group, resource_id, onDemand } of usage) {
    if (resource_id !== resource) continue;
    const before = groups.get(group) ?? new Float64Array(onDemand.length);
    groups.set(
      group,
      before.map((cost, t) => Math.max(0, cost - share * at(onDemand, t))),
    );
  }
  return groups;
}

/** What the demand costs per period without a new commitment: the existing one, and the rest on demand. */
export function poolCost(pool: Pool, demand: Demand): number {
  let sum = 0;
  for (const usage of uncoveredDemand(pool, demand).values()) for (const cost of usage) sum += cost;
  return (pool.pool.existing?.per_period ?? 0) + (pool.periods === 0 ? 0 : sum / pool.periods);
}

export type BestOption = {
  readonly option: CommitmentOption;
  readonly layers: readonly Layer[];
  /** Per period. */
  readonly level: number;
  readonly saving: number;
};

/** The option and level that save most for the demand that existing commitments leave; undefined if none saves. */
export function bestOption(pool: Pool, demand: Demand): BestOption | undefined {
  const rest = uncoveredDemand(pool, demand);
  let best: BestOption | undefined;
  for (const option of pool.pool.options) {
    const layers = layersOf(rest, option.discounts);
    const level = optimalCommitment(layers);
    const { saving } = commitmentOutcome(layers, level);
    if (saving > (best?.saving ?? 0)) best = { option, layers, level, saving };
  }
  return best;
}

function uncoveredDemand({ pool: { existing } }: Pool, demand: Demand): Demand {
  if (existing === undefined) return demand;
  const { discounts, per_period } = existing;
  const covered = [...demand.keys()].filter((group) => discounts[group] !== undefined);
  const rest = uncovered(layersOf(demand, discounts), per_period);
  return new Map([...demand, ...covered.map((group, i) => [group, at(rest, i).onDemand] as const)]);
}

/** In the order of the groups; those without a discount are left out. */
function layersOf(demand: Demand, discounts: Discounts): Layer[] {
  return [...demand].flatMap(([group, onDemand]) => {
    const discount = discounts[group];
    return discount === undefined ? [] : [{ onDemand, discount }];
  });
}
