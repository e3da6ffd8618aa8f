import { type Outcome, tierOf } from "./demand.ts";
import { optimizeItem, type TierOptimum } from "./optimize-item.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { FitReport, ResolvedItem, ResolvedTier } from "./types.ts";

/** How the tier's demand is known; for `fit` with what was estimated, `elasticity` for logit at the recommended price. */
export type DemandModelReport = {
  model: "constant_elasticity" | "logit" | "fit";
  elasticity?: number;
} & Partial<Omit<FitReport, "elasticity">>;

/** One tier of the optimizer's answer (wire shape); shares are fractions, amounts per period. */
export type ProposedTier = {
  price: number;
  current_price: number;
  change_pct: number;
  expected: Outcome;
  current: Outcome;
  demand_model: DemandModelReport;
  binding: string[];
};

export type ItemProposal = { item_id: string; tiers: Record<string, ProposedTier> };

/**
 * The optimizer's answer for one item: `optimizeItem` in the wire shape. Amounts are rounded to what money means (six decimals, or
 * nine digits below 1), which keeps answers for large catalogues small; prices are exact.
 * @throws PricingError as `optimizeItem`.
 */
export function proposeItem(item: ResolvedItem, settings: OptimizeSettings): ItemProposal {
  const optimum = optimizeItem(item, settings);
  const tiers: Record<string, ProposedTier> = {};
  for (const name in optimum.tiers) {
    const tier = optimum.tiers[name];
    if (tier === undefined) continue;
    tiers[name] = {
      price: tier.price,
      current_price: tier.current_price,
      change_pct: tidy(tier.change_pct),
      expected: tidyOutcome(tier.expected),
      current: tidyOutcome(tier.current),
      demand_model: modelReport(tierOf(item, name), tier),
      binding: tier.binding,
    };
  }
  return { item_id: item.item_id, tiers };
}

/** Sums over proposals: what sells now, what is expected, and the relative change of each (null from nothing). */
export type ProposalTotals = {
  current: Outcome;
  expected: Outcome;
  change: { demand: number | null; revenue: number | null; profit: number | null };
};

export function totalProposals(proposals: readonly ItemProposal[]): ProposalTotals {
  const current = { demand: 0, revenue: 0, profit: 0 };
  const expected = { demand: 0, revenue: 0, profit: 0 };
  for (const { tiers } of proposals) {
    for (const tier of Object.values(tiers)) {
      add(current, tier.current);
      add(expected, tier.expected);
    }
  }
  return {
    current: tidyOutcome(current),
    expected: tidyOutcome(expected),
    change: {
      demand: relative(current.demand, expected.demand),
      revenue: relative(current.revenue, expected.revenue),
      profit: relative(current.profit, expected.profit),
    },
  };
}

/** Six decimals for amounts from 1 up, nine digits below: beyond what any input supports. */
export function tidy(value: number): number {
  const size = Math.abs(value);
  if (size >= 1 && size < 1e9) return Math.round(value * 1e6) / 1e6;
  return size === 0 ? 0 : Number(value.toPrecision(size >= 1e9 ? 15 : 9));
}

function tidyOutcome(outcome: Outcome): Outcome {
  return { demand: tidy(outcome.demand), revenue: tidy(outcome.revenue), profit: tidy(outcome.profit) };
}

function modelReport(tier: ResolvedTier, optimum: TierOptimum): DemandModelReport {
  if (tier.fit !== undefined) return { model: "fit", ...tier.fit };
  return { model: tier.demand.model, elasticity: tidy(optimum.elasticity) };
}

function add(total: Outcome, more: Outcome): void {
  total.demand += more.demand;
  total.revenue += more.revenue;
  total.profit += more.profit;
}

function relative(from: number, to: number): number | null {
  return from === 0 ? null : tidy((to - from) / Math.abs(from));
}
