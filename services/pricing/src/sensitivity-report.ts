import { alongArc } from "./arc-elasticity.ts";
import { type Assumptions, assumptionsOf, countBeliefs } from "./assumptions.ts";
import { PricingError } from "./errors.ts";
import { type Format, formatFor } from "./format.ts";
import { normalQuantile } from "./normal.ts";
import { optimizeItem } from "./optimize-item.ts";
import { makeRng } from "./rng.ts";
import { robustness } from "./robustness.ts";
import {
  addTotals,
  analyseItem,
  type CommonShocks,
  emptyTotals,
  type ItemSensitivity,
  profitBands,
  type SensitivityDetails,
  type SensitivityTotals,
} from "./sensitivity.ts";
import { MOST_DETAILED, withDetails } from "./sensitivity-details.ts";
import { sensitivitySummary } from "./sensitivity-text.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { Objective, ProposedItem, ResolvedItem } from "./types.ts";
import { beliefOf, DEFAULT_UNCERTAINTY, type UncertaintyInputs } from "./uncertainty.ts";

/** The answer of a sensitivity analysis (wire shape). Totals are sums over all items within each draw. */
export type SensitivityReport = {
  items: ItemSensitivity[];
  /** Of how many items, the least certain ones, there are a tornado and scenarios. */
  detailed_items: number;
  totals: SensitivityTotals;
  objective: Objective;
  seed: number;
  draws: number;
  assumptions: Assumptions;
  summary: string;
};

/** Item ids have no control characters, so no item's stream has this name. */
const COMMON_STREAM = "\u0000common";

/**
 * Runs `analyseItem` for every item, at its proposed prices or, without a proposal, at its optimum. Each item
 * has its own random stream, named by its id, beside the common shocks, which depend on the seed alone: its results
 * do not depend on the other items of the request.
 *
 * Yields the number of draws done so far, of items × draws.
 * @throws PricingError INVALID_ITEM for proposals or beliefs of unknown items or tiers; INFEASIBLE or
 *   UNBOUNDED for an item that has neither a proposal nor an optimum
 */
export function* analyseItems(
  items: readonly ResolvedItem[],
  proposed: readonly ProposedItem[] | undefined,
  settings: OptimizeSettings,
  uncertainty: UncertaintyInputs = {},
  format: Format = formatFor(),
): Generator<number, SensitivityReport, void> {
  const draws = uncertainty.draws ?? DEFAULT_UNCERTAINTY.draws;
  const seed = uncertainty.seed ?? DEFAULT_UNCERTAINTY.seed;
  const proposals = proposalsByItem(items, proposed ?? []);
  checkBeliefs(items, uncertainty);
  const common = commonShocks(uncertainty, draws, seed);
  const assumptions = assumptionsOf(uncertainty);
  const totals = emptyTotals(draws);
  const reports: (ItemSensitivity & SensitivityDetails)[] = [];
  for (const [done, fitted] of items.entries()) {
    const recommended = proposals.get(fitted.item_id) ?? optimalPrices(fitted, settings);
    const item = alongArc(fitted, recommended);
    const belief = beliefOf(item, uncertainty);
    countBeliefs(belief, assumptions);
    const run = analyseItem(item, recommended, settings, belief, common, makeRng(seed, item.item_id));
    let next = run.next();
    for (; !next.done; next = run.next()) yield done * draws + next.value;
    addTotals(totals, next.value.totals);
    reports.push(next.value.report);
    yield (done + 1) * draws;
  }
  const whole = {
    ...profitBands(totals),
    robustness: robustness(totals.objective, totals.currentObjective),
  };
  const about = { draws, objective: settings.objective };
  const summary = sensitivitySummary(reports, whole, assumptions, about, format);
  return {
    items: withDetails(reports),
    detailed_items: Math.min(reports.length, MOST_DETAILED),
    totals: whole,
    objective: settings.objective,
    seed,
    draws,
    assumptions,
    summary,
  };
}

function commonShocks(uncertainty: UncertaintyInputs, draws: number, seed: number): CommonShocks {
  const rng = makeRng(seed, COMMON_STREAM);
  const cost = new Float64Array(draws);
  const demand = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    cost[draw] = normalQuantile(rng());
    demand[draw] = normalQuantile(rng());
  }
  return { share: uncertainty.common_share ?? DEFAULT_UNCERTAINTY.common_share, cost, demand };
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

function checkBeliefs(items: readonly ResolvedItem[], given: UncertaintyInputs): void {
  const known = new Map(items.map((item) => [item.item_id, item]));
  const tierOf = (itemId: string, tier: string) => {
    const item = known.get(itemId);
    if (item === undefined || !Object.hasOwn(item.tiers, tier))
      throw invalid(itemId, "has a belief about an elasticity but is not among the items with that tier");
    return item.tiers[tier];
  };
  for (const { item_id, tier, low, high } of given.elasticity_intervals ?? []) {
    const found = tierOf(item_id, tier);
    if (low > high)
      throw invalid(item_id, `has an elasticity interval of tier ${tier} that ends before it begins`);
    if (found?.demand.model === "logit") throw logitBelief(item_id, tier);
  }
  for (const { item_id, tier, belief } of given.elasticity_beliefs ?? []) {
    const found = tierOf(item_id, tier);
    if (belief.distribution === "uniform" && belief.low > belief.high)
      throw invalid(item_id, `has a belief about the elasticity of tier ${tier} that ends before it begins`);
    if (found?.demand.model === "logit") throw logitBelief(item_id, tier);
  }
  for (const name of ["cost", "demand"] as const) {
    const belief = given[name];
    if (belief?.distribution === "uniform" && belief.low > belief.high)
      throw new PricingError("INVALID_ITEM", `The belief about ${name} ends before it begins.`, {
        constraint: "uncertainty",
      });
  }
}

function logitBelief(itemId: string, tier: string): PricingError {
  return invalid(
    itemId,
    `has a belief about the elasticity of tier ${tier}, which follows from its logit model`,
  );
}

function invalid(itemId: string, text: string): PricingError {
  return new PricingError("INVALID_ITEM", `Item ${itemId} ${text}.`, { item_id: itemId });
}
