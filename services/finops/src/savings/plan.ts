import { at } from "../stats/index.ts";
import { SavingsError } from "./errors.ts";
import { type Judged, judgeIdle, judgeOrphaned, judgeSize, judgeTier, judgeTransfer } from "./findings.ts";
import { jointSaving } from "./joint.ts";
import { withOverlaps } from "./overlaps.ts";
import { type Pool, poolOf } from "./pool.ts";
import { commitmentOf, reductionOf, untaggedOf, WEEK } from "./recommend.ts";
import type {
  Recommendation,
  RecommendationKind,
  Resource,
  SavingsPlan,
  SavingsRequest,
  SavingsRules,
  StorageTier,
} from "./types.ts";

/**
 * Idle: a peak of the CPU below 5 % and less than 5 MB a day on the network over two weeks, as providers' own advisers
 * have it. A smaller size keeps 30 % of the CPU and 20 % of the memory free. The level of usage of a year deviates from
 * that of the one before by 10 %.
 */
export const DEFAULT_RULES: SavingsRules = {
  least_days: 14,
  idle_cpu_peak: 0.05,
  idle_network_mb_per_day: 5,
  idle_requests_per_day: 1,
  most_cpu: 0.7,
  most_memory: 0.8,
  required_tags: [],
  level_deviation: 0.1,
};

/**
 * What to change, what each change saves alone, and what they save together. Deterministic under the seed. Yields
 * between pieces of work of some milliseconds.
 * @throws SavingsError
 */
export function* planning(request: SavingsRequest): Generator<void, SavingsPlan> {
  const { resources, transfers = [], tiers = [], seed = 1, kinds } = request;
  const isWanted = (kind: RecommendationKind) => kinds?.includes(kind) ?? true;
  const rules = { ...DEFAULT_RULES, ...request.rules };
  checkCosts(request);
  const judged = [
    ...resources.flatMap((resource) => judge(resource, rules, tiers)),
    ...transfers.map(judgeTransfer),
  ];
  const findings = judged.flatMap((one) =>
    one && "finding" in one && isWanted(one.finding.kind) ? [one.finding] : [],
  );
  const notJudged = judged.flatMap((one) =>
    one && "notJudged" in one && isWanted(one.notJudged.about) ? [one.notJudged] : [],
  );

  const all: Pool[] = [];
  for (const pool of request.pools ?? []) {
    all.push(poolOf(isWanted("commitment") ? pool : { ...pool, options: [] }));
    yield;
  }
  // A commitment is judged by at least two weeks.
  const pools = all.filter(({ periods, pool }) => periods >= 2 * WEEK[pool.grain]);
  const pooled = new Set(pools.flatMap(({ usage }) => usage.flatMap(({ resource_id }) => resource_id ?? [])));
  const costs = new Map<string, number>();
  for (const { resource_id, monthly_cost } of resources)
    if (!pooled.has(resource_id)) costs.set(resource_id, monthly_cost);
  for (const { transfer_id, monthly_cost } of transfers) costs.set(transfer_id, monthly_cost);
  const joint = yield* jointSaving({ costs, pools }, findings);

  const reductions = findings.map((finding, i) => reductionOf(finding, at(joint.reductions, i)));
  const commitments: Recommendation[] = [];
  for (const [i, pool] of pools.entries()) {
    const { bestNow, ...counted } = at(joint.commitments, i);
    if (bestNow)
      commitments.push(
        yield* commitmentOf(pool, bestNow, counted, { levelDeviation: rules.level_deviation, seed }),
      );
  }
  const untagged = untaggedOf(resources, rules);
  return {
    recommendations: withOverlaps(
      [
        ...reductions.sort((a, b) => b.monthly_saving - a.monthly_saving),
        ...commitments.sort((a, b) => b.monthly_saving - a.monthly_saving),
        ...(untagged.recommendation && isWanted("untagged") ? [untagged.recommendation] : []),
      ],
      pools,
    ),
    sum: joint.sum,
    joint: joint.joint,
    joint_commitments: joint.commitments.flatMap(({ bestAfter, joint: monthly_saving }, i) =>
      bestAfter
        ? [
            {
              pool: at(pools, i).pool.name,
              option: bestAfter.option.name,
              per_period: bestAfter.level,
              monthly_saving,
            },
          ]
        : [],
    ),
    not_judged: [
      ...notJudged,
      ...all
        .filter((pool) => !pools.includes(pool) && isWanted("commitment"))
        .map(({ pool }) => ({ subject: pool.name, about: "commitment", reason: "TOO_FEW_DAYS" }) as const),
    ],
    untagged: untagged.spend,
  };
}

/** `planning` without pauses. */
export function savingsPlan(request: SavingsRequest): SavingsPlan {
  const steps = planning(request);
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value;
}

function checkCosts({ resources, transfers = [], pools = [] }: SavingsRequest): void {
  const names = new Set<string>();
  const lines = [
    ...resources.map(({ resource_id: id, monthly_cost }) => ({ id, monthly_cost })),
    ...transfers.map(({ transfer_id: id, monthly_cost }) => ({ id, monthly_cost })),
  ];
  for (const { id, monthly_cost } of lines) {
    if (names.has(id) || !(monthly_cost >= 0 && monthly_cost < Number.POSITIVE_INFINITY))
      throw new SavingsError(
        "INVALID_RESOURCE",
        "Each resource occurs once, with a cost that is not negative.",
        {
          resource_id: id,
        },
      );
    names.add(id);
  }
  if (new Set(pools.map(({ name }) => name)).size < pools.length)
    throw new SavingsError("INVALID_POOL", "Each pool has a name of its own.");
}

function judge(resource: Resource, rules: SavingsRules, tiers: readonly StorageTier[]): Judged[] {
  const idle = judgeIdle(resource, rules);
  // What is stopped needs no smaller size.
  const size = idle && "finding" in idle ? undefined : judgeSize(resource, rules);
  return [judgeOrphaned(resource), idle, size, judgeTier(resource, tiers)];
}
