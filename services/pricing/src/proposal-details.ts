import type { Outcome } from "./demand.ts";
import type { DemandModelReport, ItemProposal } from "./proposal.ts";
import type { SafeStep } from "./safe-step.ts";

/** Items with whole reports of their fits: those of a large catalogue would fill its answer. */
export const MOST_FIT_REPORTS = 250;

/**
 * The proposals as they are sent. Of a large catalogue, only the items whose prices move most have whole reports of
 * their fits; the others have the estimates. Prices are exact in all of them.
 */
export function withFitReports(proposals: readonly ItemProposal[], most = MOST_FIT_REPORTS): ItemProposal[] {
  const sizes = proposals.map(({ tiers }, position) => ({
    position,
    size: Math.max(0, ...Object.values(tiers).map(({ change_pct }) => Math.abs(change_pct))),
  }));
  const whole = new Set(
    sizes
      .sort((a, b) => b.size - a.size)
      .slice(0, most)
      .map(({ position }) => position),
  );
  return proposals.map((item, position) => {
    if (whole.has(position)) return item;
    const { substitution, tiers, safe_step, ...rest } = item;
    const brief = Object.entries(tiers).map(
      ([name, { forms: _, ...tier }]) =>
        [
          name,
          {
            ...tier,
            change_pct: short(tier.change_pct),
            expected: shortOutcome(tier.expected),
            current: shortOutcome(tier.current),
            demand_model: briefly(tier.demand_model),
          },
        ] as const,
    );
    return {
      ...rest,
      ...(safe_step && { safe_step: stepAlone(safe_step) }),
      tiers: Object.fromEntries(brief),
      ...(substitution && { substitution: { model: substitution.model, basis: substitution.basis } }),
    };
  });
}

function stepAlone({ to_test: _, ...step }: SafeStep): SafeStep {
  return step;
}

function briefly({ model, elasticity, identified, reason }: DemandModelReport): DemandModelReport {
  return {
    model,
    ...(elasticity !== undefined && { elasticity: short(elasticity) }),
    ...(identified !== undefined && { identified }),
    ...(reason !== undefined && { reason }),
  };
}

function shortOutcome({ demand, revenue, profit }: Outcome): Outcome {
  return { demand: short(demand), revenue: short(revenue), profit: short(profit) };
}

/** Seven digits: more than are ever printed. */
function short(value: number): number {
  return Number(value.toPrecision(7));
}
