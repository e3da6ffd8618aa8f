import { PricingError } from "./errors.ts";
import { optimizeItem } from "./optimize-item.ts";
import { tidy } from "./proposal.ts";
import { type Band, bandOf } from "./quantiles.ts";
import { makeRng } from "./rng.ts";
import {
  addTotals,
  analyseItem,
  type DrawTotals,
  type ItemSensitivity,
  type Robustness,
  robustness,
} from "./sensitivity.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { Objective, ProposedItem, ResolvedItem } from "./types.ts";
import { beliefOf, DEFAULT_UNCERTAINTY, type UncertaintyInputs } from "./uncertainty.ts";

/** The answer of a sensitivity analysis (wire shape). Totals are sums over all items within each draw. */
export type SensitivityReport = {
  items: ItemSensitivity[];
  totals: { profit_band: Band; current_profit_band: Band; robustness: Robustness };
  objective: Objective;
  seed: number;
  draws: number;
  summary: string;
};

const EMPTY: Band = { p5: 0, p50: 0, p95: 0 };

/**
 * Runs `analyseItem` for every item, at its proposed prices or, without a proposal, at its optimum. Each item
 * has its own random stream, named by its id, so its results do not depend on the other items of the request.
 *
 * Yields the number of draws done so far, of items × draws.
 * @throws PricingError INVALID_ITEM for proposals or intervals of unknown items or tiers; INFEASIBLE or
 *   UNBOUNDED for an item that has neither a proposal nor an optimum
 */
export function* analyseItems(
  items: readonly ResolvedItem[],
  proposed: readonly ProposedItem[] | undefined,
  settings: OptimizeSettings,
  uncertainty: UncertaintyInputs = {},
): Generator<number, SensitivityReport, void> {
  const draws = uncertainty.draws ?? DEFAULT_UNCERTAINTY.draws;
  const seed = uncertainty.seed ?? DEFAULT_UNCERTAINTY.seed;
  const proposals = proposalsByItem(items, proposed ?? []);
  checkIntervals(items, uncertainty);
  const totals: DrawTotals = {
    profit: new Float64Array(draws),
    currentProfit: new Float64Array(draws),
    objective: new Float64Array(draws),
    currentObjective: new Float64Array(draws),
  };
  const reports: ItemSensitivity[] = [];
  for (const [done, item] of items.entries()) {
    const recommended = proposals.get(item.item_id) ?? optimalPrices(item, settings);
    const belief = beliefOf(item, uncertainty);
    const run = analyseItem(item, recommended, settings, belief, draws, makeRng(seed, item.item_id));
    let next = run.next();
    for (; !next.done; next = run.next()) yield done * draws + next.value;
    addTotals(totals, next.value.totals);
    reports.push(next.value.report);
    yield (done + 1) * draws;
  }
  const whole = {
    profit_band: bandOf(totals.profit.slice()) ?? EMPTY,
    current_profit_band: bandOf(totals.currentProfit.slice()) ?? EMPTY,
    robustness: robustness(totals),
  };
  return {
    items: reports,
    totals: whole,
    objective: settings.objective,
    seed,
    draws,
    summary: summaryOf(reports, whole, draws),
  };
}

function optimalPrices(item: ResolvedItem, settings: OptimizeSettings): Map<string, number> {
  return new Map(
    Object.entries(optimizeItem(item, settings).tiers).map(([name, { price }]) => [name, price]),
  );
}

function proposalsByItem(
  items: readonly ResolvedItem[],
  proposed: readonly ProposedItem[],
): Map<string, Map<string, number>> {
  const known = new Map(items.map((item) => [item.item_id, item]));
  const found = new Map<string, Map<string, number>>();
  for (const { item_id, tiers } of proposed) {
    const item = known.get(item_id);
    if (item === undefined) throw invalid(item_id, "is proposed but not among the items");
    if (found.has(item_id)) throw invalid(item_id, "is proposed twice");
    const prices = new Map(Object.entries(tiers).map(([name, { price }]) => [name, price]));
    for (const name of prices.keys()) {
      if (!Object.hasOwn(item.tiers, name))
        throw invalid(item_id, `is proposed with the tier ${name}, which it does not have`);
    }
    found.set(item_id, prices);
  }
  return found;
}

function checkIntervals(items: readonly ResolvedItem[], uncertainty: UncertaintyInputs): void {
  const known = new Map(items.map((item) => [item.item_id, item]));
  for (const { item_id, tier, low, high } of uncertainty.elasticity_intervals ?? []) {
    const item = known.get(item_id);
    if (item === undefined || !Object.hasOwn(item.tiers, tier)) {
      throw invalid(item_id, "has an elasticity interval but is not among the items with that tier");
    }
    if (low > high)
      throw invalid(item_id, `has an elasticity interval of tier ${tier} that ends before it begins`);
    if (item.tiers[tier]?.demand.model === "logit") {
      throw invalid(
        item_id,
        `has an elasticity interval of tier ${tier}, whose elasticity follows from its logit model`,
      );
    }
  }
}

function invalid(itemId: string, text: string): PricingError {
  return new PricingError("INVALID_ITEM", `Item ${itemId} ${text}.`, { item_id: itemId });
}

function summaryOf(
  reports: readonly ItemSensitivity[],
  totals: SensitivityReport["totals"],
  draws: number,
): string {
  const { score, standard_error } = totals.robustness;
  const band = totals.profit_band;
  const weakest = reports.reduce((least, next) =>
    next.robustness.score < least.robustness.score ? next : least,
  );
  const unsolved = reports.reduce(
    (sum, { unsolved: { unbounded, infeasible } }) => sum + unbounded + infeasible,
    0,
  );
  return [
    `In ${percent(score)} of ${draws} draws (± ${percent(standard_error)}) the recommended prices beat today's.`,
    `Profit lies between ${tidy(Math.round(band.p5))} and ${tidy(Math.round(band.p95))} in nine draws of ten, ${tidy(Math.round(band.p50))} in the middle.`,
    `Least certain is ${weakest.item_id} (${percent(weakest.robustness.score)}), which depends most on ${weakest.tornado[0]?.factor ?? "nothing"}.`,
    ...(unsolved > 0 ? [`${unsolved} draws had no optimum and are left out of price bands and regret.`] : []),
  ].join(" ");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
