import { commitmentOutcome } from "./commitment.ts";
import { action, type Finding } from "./findings.ts";
import type { Counted } from "./joint.ts";
import type { BestOption, Pool } from "./pool.ts";
import { commitmentRisk } from "./regret.ts";
import type { Recommendation, Resource, SavingsRules } from "./types.ts";

/** Usage is drawn in blocks of so many periods. */
export const WEEK = { hour: 168, day: 7 } as const;

const SCENARIOS = 200;
const MOST_LISTED = 100;

export function reductionOf(
  { kind, resource, factor: _, ...rest }: Finding,
  { alone, joint }: Counted,
): Recommendation {
  return {
    id: `${kind}:${resource}`,
    kind,
    monthly_saving: alone,
    joint_saving: joint,
    overlaps: [],
    ...rest,
  };
}

export function* commitmentOf(
  pool: Pool,
  { option, level, layers }: BestOption,
  { alone, joint }: Counted,
  { levelDeviation, seed }: { readonly levelDeviation: number; readonly seed: number },
): Generator<void, Recommendation> {
  const { name, grain } = pool.pool;
  const outcome = commitmentOutcome(layers, level);
  const risk = yield* commitmentRisk(layers, level, {
    block: WEEK[grain],
    scenarios: SCENARIOS,
    seed,
    levelDeviation,
  });
  const breakEven = layers.map(({ discount }) => 1 - discount);
  return {
    id: `commitment:${name}`,
    kind: "commitment",
    monthly_saving: alone,
    joint_saving: joint,
    overlaps: [],
    confidence: risk.chance_of_loss < 0.05 ? "high" : risk.chance_of_loss < 0.2 ? "medium" : "low",
    range: [pool.perMonth * risk.saving.p5, pool.perMonth * risk.saving.p95],
    effort: "low",
    risk: option.term_months > 12 ? "high" : "medium",
    evidence: [
      { measure: "periods", value: pool.periods },
      { measure: "periods_without_data", value: pool.periodsWithoutData },
      // Peaks within a day are not seen in its sum: the saving is then at most this.
      { measure: "grain", value: grain },
      { measure: "utilisation", value: outcome.utilisation, threshold: Math.max(...breakEven) },
      { measure: "coverage", value: outcome.coverage },
      { measure: "chance_of_loss", value: risk.chance_of_loss },
      { measure: "monthly_regret_mean", value: pool.perMonth * risk.regret.mean },
      { measure: "monthly_regret_p95", value: pool.perMonth * risk.regret.p95 },
    ],
    action: action(
      "buy_commitment",
      name,
      { option: option.name, term_months: option.term_months, per_period: level, grain },
      false,
    ),
  };
}

export function untaggedOf(resources: readonly Resource[], { required_tags }: SavingsRules) {
  const untagged = resources.filter(({ tags }) => required_tags.some((tag) => !tags?.[tag]));
  const total = (some: readonly Resource[]) => some.reduce((sum, { monthly_cost }) => sum + monthly_cost, 0);
  const monthly_cost = total(untagged);
  const share = monthly_cost === 0 ? 0 : monthly_cost / total(resources);
  const recommendation: Recommendation = {
    id: "untagged:spend",
    kind: "untagged",
    monthly_saving: 0,
    joint_saving: 0,
    overlaps: [],
    confidence: "high",
    effort: "medium",
    risk: "low",
    evidence: [
      { measure: "monthly_cost", value: monthly_cost },
      { measure: "share", value: share },
      { measure: "resources", value: untagged.length },
    ],
    action: action(
      "tag",
      "spend",
      {
        tags: required_tags,
        resources: untagged
          .toSorted((a, b) => b.monthly_cost - a.monthly_cost)
          .slice(0, MOST_LISTED)
          .map(({ resource_id }) => resource_id),
      },
      true,
    ),
  };
  return { spend: { monthly_cost, share }, ...(untagged.length > 0 ? { recommendation } : {}) };
}
