import { type Outcome, tierOf } from "./demand.ts";
import { evaluatePrices } from "./evaluate-prices.ts";
import { type FormsReport, formsReport } from "./form-report.ts";
import { limitMoves } from "./limit-moves.ts";
import { optimizeItem, type TierOptimum } from "./optimize-item.ts";
import { proposalWarnings } from "./proposal-warnings.ts";
import { type SafeStep, safeStep } from "./safe-step.ts";
import type { OptimizeSettings } from "./settings.ts";
import { shadowPrices } from "./shadow-prices.ts";
import type { FitReport, ProposedItem, ResolvedItem, ResolvedTier, SubstitutionReport } from "./types.ts";

/**
 * The tier's demand model. `fit` has the estimates;
 * otherwise `elasticity` is the one at the recommended price.
 */
export type DemandModelReport = {
  model: "constant_elasticity" | "logit" | "fit";
  elasticity?: number;
} & Partial<Omit<FitReport, "elasticity">>;

/** One tier of the optimizer's answer (wire shape). Shares are fractions; outcomes are per period. */
export type ProposedTier = {
  price: number;
  current_price: number;
  change_pct: number;
  expected: Outcome;
  current: Outcome;
  demand_model: DemandModelReport;
  /** Of a fit: what the forms of demand say of the move, and by how much they differ. */
  forms?: FormsReport;
  binding: string[];
  /** Objective per period gained per unit by which each binding rule is relaxed; if the observed range binds. */
  shadow_prices?: Record<string, number>;
};

export type ItemProposal = {
  item_id: string;
  name?: string;
  tiers: Record<string, ProposedTier>;
  /** How the tiers take sales from each other, if several have fitted demand. */
  substitution?: Pick<SubstitutionReport, "model" | "basis"> & Partial<SubstitutionReport>;
  /** What a reader must know before the prices are used. */
  warnings?: string[];
  /** Where the data do not show that the best prices beat today's: the step that is recommended instead, and what to test. */
  safe_step?: SafeStep;
};

/**
 * The optimizer's answer for one item: the result of `optimizeItem` in the wire shape. Outcomes are rounded
 * (`tidy`), which keeps the answers for large catalogues small; prices are not.
 * @param known warnings about the item's fits
 * @param given prices to look at in place of the best ones
 * @throws PricingError as `optimizeItem`
 */
export function proposeItem(
  item: ResolvedItem,
  settings: OptimizeSettings,
  known: readonly string[] = [],
  given?: ProposedItem,
): ItemProposal {
  const limited = given ? item : limitMoves(item, settings);
  const optimum = given ? evaluatePrices(item, given, settings) : optimizeItem(limited, settings);
  const capped = Object.values(optimum.tiers).some((tier) => tier.binding.some(isObserved));
  const shadows = capped ? shadowPrices(item, settings) : {};
  const tiers: Record<string, ProposedTier> = {};
  for (const name in optimum.tiers) {
    const tier = optimum.tiers[name];
    if (tier === undefined) continue;
    const forms = formsReport(item, name, tier.price, settings.objective);
    tiers[name] = {
      price: tier.price,
      current_price: tier.current_price,
      change_pct: tidy(tier.change_pct),
      expected: tidyOutcome(tier.expected),
      current: tidyOutcome(tier.current),
      demand_model: modelReport(tierOf(item, name), tier),
      ...(forms && { forms: tidyForms(forms) }),
      binding: tier.binding,
      ...(capped && {
        shadow_prices: Object.fromEntries(
          (shadows[name] ?? []).map(({ constraint, shadow_price }) => [constraint, tidy(shadow_price)]),
        ),
      }),
    };
  }
  const prices = Object.fromEntries(Object.entries(tiers).map(([name, { price }]) => [name, price]));
  const safe = safeStep(item, limited, prices, settings);
  const warnings = [...known, ...proposalWarnings(limited, optimum, settings, given !== undefined)];
  return {
    item_id: item.item_id,
    ...(item.name !== undefined && { name: item.name }),
    tiers,
    ...(item.substitution && { substitution: item.substitution }),
    ...(warnings.length > 0 && { warnings }),
    ...(safe && { safe_step: tidyStep(safe) }),
  };
}

function isObserved(constraint: string): boolean {
  return constraint.startsWith("observed_range");
}

/**
 * Sums over proposals: current and expected outcome, and the relative change of each figure (null if the
 * current one is 0).
 */
export type ProposalTotals = {
  current: Outcome;
  expected: Outcome;
  change: { demand: number | null; revenue: number | null; profit: number | null };
  /** What today's prices earn at today's unit costs, where other costs are supposed. */
  at_todays_costs?: Outcome;
};

/** What today's prices earn at the unit costs of these items; `proposals` may suppose others. */
export function outcomeAtCosts(
  proposals: readonly ItemProposal[],
  items: readonly { item_id: string; tiers: Readonly<Record<string, { unit_cost?: number }>> }[],
): Outcome {
  const costs = new Map(items.map(({ item_id, tiers }) => [item_id, tiers]));
  const total = { demand: 0, revenue: 0, profit: 0 };
  for (const { item_id, tiers } of proposals) {
    for (const [name, { current }] of Object.entries(tiers)) {
      const cost = costs.get(item_id)?.[name]?.unit_cost ?? 0;
      add(total, { ...current, profit: current.revenue - cost * current.demand });
    }
  }
  return tidyOutcome(total);
}

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

/** Rounds to six decimals (below 1: nine significant digits), which is more precise than any input. */
export function tidy(value: number): number {
  const size = Math.abs(value);
  if (size >= 1 && size < 1e9) return Math.round(value * 1e6) / 1e6;
  return size === 0 ? 0 : Number(value.toPrecision(size >= 1e9 ? 15 : 9));
}

function tidyForms({ tested, gain }: FormsReport): FormsReport {
  return {
    tested: tested.map((one) => ({ ...one, elasticity: tidy(one.elasticity), gain: tidy(one.gain) })),
    gain: { low: tidy(gain.low), high: tidy(gain.high) },
  };
}

function tidyStep({ expected_gain, cautious_gain, full_move, to_test, ...rest }: SafeStep): SafeStep {
  return {
    ...rest,
    expected_gain: tidy(expected_gain),
    cautious_gain: tidy(cautious_gain),
    full_move: {
      prices: full_move.prices,
      expected_gain: tidy(full_move.expected_gain),
      cautious_gain: tidy(full_move.cautious_gain),
    },
    ...(to_test && {
      to_test: to_test.map((test) => ({ ...test, break_even_elasticity: tidy(test.break_even_elasticity) })),
    }),
  };
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
