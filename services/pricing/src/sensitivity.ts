import { at } from "./at.ts";
import { drawElasticities } from "./cross-belief.ts";
import { beliefAt, beliefQuantile, type SignedBelief } from "./distribution.ts";
import { drawParameters } from "./joint-belief.ts";
import { normalQuantile } from "./normal.ts";
import {
  type Band,
  bandOf,
  type OpenBand,
  openBandOf,
  orderStatistic,
  selectedQuantile,
} from "./quantiles.ts";
import type { Rng } from "./rng.ts";
import { type Robustness, robustness } from "./robustness.ts";
import { scenarioSolver } from "./scenario-solver.ts";
import type { OptimizeSettings } from "./settings.ts";
import { type TornadoBar, tornado } from "./tornado.ts";
import type { ResolvedItem } from "./types.ts";
import type { Belief, Scenario } from "./uncertainty.ts";

/**
 * The draw at a quantile of the difference from today's prices. Elasticities are by tier; for logit, minus the price
 * coefficient relative to its estimate.
 */
export type ScenarioReport = {
  /** Of the draws, ordered by `difference`. */
  readonly quantile: number;
  /** The objective at the recommended prices minus that at today's prices in the same draw. */
  readonly difference: number;
  readonly profit: number;
  readonly profit_change: number;
  readonly cost_change: number;
  readonly demand_change: number;
  readonly elasticities: Record<string, number>;
};

export type ItemSensitivity = {
  readonly item_id: string;
  /** Of the optimal price before rounding; null: +∞, as no rule limits the price in that share of the draws. */
  readonly tiers: Record<
    string,
    { readonly recommended_price: number; readonly price_band: OpenBand | null }
  >;
  readonly profit_band: Band;
  readonly current_profit_band: Band;
  /** The objective at the recommended prices minus that at today's. */
  readonly difference_band: Band;
  readonly robustness: Robustness;
  readonly regret: Regret;
  /**
   * Draws without an optimum. Unbounded: no rule limits a rising price, so price and regret count as +∞ (a falling
   * one counts as 0). Infeasible: with the drawn cost, no prices satisfy the rules; bands and regret leave these out.
   */
  readonly unsolved: { readonly unbounded: number; readonly infeasible: number };
  /** By tier, the probability that truncating the elasticity's normal distribution at 0 removes, if above 0.001. */
  readonly truncated: Record<string, number>;
} & Partial<SensitivityDetails>;

/** What is told of the least certain items alone where there are many. */
export type SensitivityDetails = {
  readonly tornado: readonly TornadoBar[];
  /** The draws at the 5% and 95% quantile of the difference from today's prices. */
  readonly worst: ScenarioReport;
  readonly best: ScenarioReport;
};

/** The optimal objective of a draw minus that of the recommendation. */
export type Regret = {
  /** Mean over the draws that have an optimum. */
  readonly expected: number;
  /** The 95% quantile; null: +∞, as that share of the draws has no largest objective. */
  readonly p95: number | null;
  /** Expected regret as a share of the expected optimal objective; null if that is not positive. */
  readonly expected_share: number | null;
  /** Draws that have an optimum. */
  readonly draws: number;
};

/** Objective and profit of every draw, for totals across items. */
export type DrawTotals = {
  readonly profit: Float64Array;
  readonly currentProfit: Float64Array;
  readonly objective: Float64Array;
  readonly currentObjective: Float64Array;
};

/** Over all items together (wire shape). */
export type SensitivityTotals = {
  profit_band: Band;
  current_profit_band: Band;
  /** The objective at the recommended prices minus that at today's. */
  difference_band: Band;
  robustness: Robustness;
};

/** Standard normal numbers, one for each draw, that all items share. */
export type CommonShocks = {
  /** The share of variance that an item's own number has in common with the others: 0 to 1. */
  readonly share: number;
  readonly cost: Float64Array;
  readonly demand: Float64Array;
};

const BATCH = 200;
const WORST = 0.05;
const BEST = 0.95;

export function emptyTotals(draws: number): DrawTotals {
  return {
    profit: new Float64Array(draws),
    currentProfit: new Float64Array(draws),
    objective: new Float64Array(draws),
    currentObjective: new Float64Array(draws),
  };
}

/**
 * Monte Carlo simulation of an item's uncertain parameters. For each drawn scenario, solves for the optimum
 * (before rounding) under the same rules, and evaluates the recommended and the current prices. With constant
 * elasticity, no binding rule and fixed cost, the band of a price is the image of the elasticity's quantiles
 * under c·e/(1+e).
 *
 * Factors of cost and demand are drawn by a one-factor Gaussian copula: √s·Z + √(1 − s)·own, with Z common to all
 * items and s the common share. It leaves each item's own distribution as it is (Vasicek 2002; Li 2000).
 *
 * Yields the number of draws done, so that a server can pause and check for cancellation.
 * @param recommended price by tier; tiers without one keep their current price
 * @param rng source of the item's own numbers, consumed in a fixed order: the same stream gives the same result
 * @throws PricingError INVALID_ITEM
 */
export function* analyseItem(
  item: ResolvedItem,
  recommended: ReadonlyMap<string, number>,
  settings: OptimizeSettings,
  belief: Belief,
  common: CommonShocks,
  rng: Rng,
): Generator<number, { report: ItemSensitivity & SensitivityDetails; totals: DrawTotals }, void> {
  const solver = scenarioSolver(item, settings, belief);
  const { names, tiers } = solver;
  const current = tiers.map((tier) => tier.current_price);
  const proposal = names.map((name, i) => recommended.get(name) ?? at(current, i));
  const [proposed, today] = [solver.valueAt(proposal), solver.valueAt(current)];
  const draws = common.cost.length;
  const totals = emptyTotals(draws);
  const optimal = names.map(() => new Float64Array(draws));
  const regrets = new Float64Array(draws);
  const scenarios = scenarioTable(belief, common, rng);
  const unsolved = { unbounded: 0, infeasible: 0 };
  let solved = 0;
  let bestTotal = 0;
  let regretTotal = 0;
  for (let draw = 0; draw < draws; draw++) {
    if (draw > 0 && draw % BATCH === 0) yield draw;
    const scenario = scenarios.draw(draw);
    const next = proposed(scenario);
    const now = today(scenario);
    totals.objective[draw] = next.objective;
    totals.profit[draw] = next.profit;
    totals.currentObjective[draw] = now.objective;
    totals.currentProfit[draw] = now.profit;
    const optimum = solver.solve(scenario);
    if (optimum === undefined) {
      unsolved.infeasible += 1;
      continue;
    }
    let tier = 0;
    for (const column of optimal) column[solved] = optimum.prices[tier++] ?? Number.NaN;
    regrets[solved] = optimum.objective - next.objective;
    solved += 1;
    if (optimum.objective === Number.POSITIVE_INFINITY) {
      unsolved.unbounded += 1;
      continue;
    }
    bestTotal += optimum.objective;
    regretTotal += optimum.objective - next.objective;
  }

  const bands: ItemSensitivity["tiers"] = {};
  names.forEach((name, i) => {
    const band = openBandOf(at(optimal, i).subarray(0, solved));
    bands[name] = { recommended_price: at(proposal, i), price_band: band ?? null };
  });
  const differences = differencesOf(totals);
  const ordered = differences.slice();
  const scenarioAt = (share: number) => {
    const draw = differences.indexOf(orderStatistic(ordered, Math.round(share * (draws - 1))));
    return scenarioReport(share, draw, totals, scenarios.read(draw), belief);
  };
  const report: ItemSensitivity & SensitivityDetails = {
    item_id: item.item_id,
    tiers: bands,
    ...profitBands(totals),
    tornado: tornado(solver, belief, proposal, current),
    robustness: robustness(totals.objective, totals.currentObjective),
    regret: regretOf(regrets.subarray(0, solved), regretTotal, bestTotal, solved - unsolved.unbounded),
    worst: scenarioAt(WORST),
    best: scenarioAt(BEST),
    unsolved,
    truncated: Object.fromEntries(truncations(belief).filter(([, mass]) => mass > 1e-3)),
  };
  return { report, totals };
}

/** Adds an item's draws to the totals, draw by draw: the draws of all items share their common shocks. */
export function addTotals(sum: DrawTotals, more: DrawTotals): void {
  for (const key of ["profit", "currentProfit", "objective", "currentObjective"] as const) {
    const [into, from] = [sum[key], more[key]];
    for (let draw = 0; draw < into.length; draw++) into[draw] = (into[draw] ?? 0) + (from[draw] ?? 0);
  }
}

/** The 5%, 50% and 95% quantiles of profit at recommended and today's prices, and of the objective's difference. */
export function profitBands(totals: DrawTotals): {
  profit_band: Band;
  current_profit_band: Band;
  difference_band: Band;
} {
  const band = (values: Float64Array) => bandOf(values) ?? { p5: 0, p50: 0, p95: 0 };
  return {
    profit_band: band(totals.profit.slice()),
    current_profit_band: band(totals.currentProfit.slice()),
    difference_band: band(differencesOf(totals)),
  };
}

function differencesOf({ objective, currentObjective }: DrawTotals): Float64Array {
  const differences = new Float64Array(objective.length);
  for (let draw = 0; draw < differences.length; draw++)
    differences[draw] = (objective[draw] ?? 0) - (currentObjective[draw] ?? 0);
  return differences;
}

/** An item's scenarios in one array: objects for each draw would keep the garbage collector busy. */
function scenarioTable(belief: Belief, common: CommonShocks, rng: Rng) {
  const count = belief.elasticities.length;
  const { joint, cross } = belief;
  const parameters = (joint ?? cross)?.mean.length ?? 0;
  const positions = belief.elasticities.map(({ tier, source }) => {
    const position = source === "given" ? -1 : (cross?.names.indexOf(tier) ?? -1);
    return cross === undefined || position < 0 ? -1 : position * (cross.names.length + 1);
  });
  const width = count + parameters + 2;
  const table = new Float64Array(width * common.cost.length);
  const [shared, own] = [Math.sqrt(common.share), Math.sqrt(1 - common.share)];
  const factor = (of: SignedBelief, z: number) =>
    common.share === 0 ? beliefQuantile(of, rng()) : beliefAt(of, shared * z + own * normalQuantile(rng()));
  const values = new Float64Array(parameters);
  const scenario = {
    elasticities: belief.elasticities.map(() => 0),
    ...(joint && { joint: values }),
    ...(cross && { cross: values }),
    cost: 1,
    demand: 1,
  };
  /** The object is the same at every call. */
  const read = (draw: number): Scenario => {
    const from = draw * width;
    for (let i = 0; i < count; i++) scenario.elasticities[i] = table[from + i] ?? 0;
    for (let k = 0; k < parameters; k++) values[k] = table[from + count + k] ?? 0;
    scenario.cost = table[from + width - 2] ?? 1;
    scenario.demand = table[from + width - 1] ?? 1;
    return scenario;
  };
  return {
    read,
    draw(draw: number): Scenario {
      let next = draw * width;
      if (cross) drawElasticities(cross, rng, table, next + count);
      for (let i = 0; i < count; i++) {
        const position = at(positions, i);
        table[next] =
          position < 0
            ? beliefQuantile(at(belief.elasticities, i), rng())
            : (table[draw * width + count + position] ?? Number.NaN);
        next += 1;
      }
      if (joint) drawParameters(joint, rng, table, next);
      next += parameters;
      table[next++] = factor(belief.cost, common.cost[draw] ?? 0);
      table[next] = factor(belief.demand, common.demand[draw] ?? 0);
      return read(draw);
    },
  };
}

function regretOf(regrets: Float64Array, total: number, bestTotal: number, draws: number): Regret {
  if (draws === 0) return { expected: 0, p95: null, expected_share: null, draws };
  const p95 = selectedQuantile(regrets, 0.95);
  return {
    expected: total / draws,
    p95: p95 === Number.POSITIVE_INFINITY ? null : p95,
    expected_share: bestTotal > 0 ? total / bestTotal : null,
    draws,
  };
}

function scenarioReport(
  share: number,
  draw: number,
  totals: DrawTotals,
  scenario: Scenario,
  belief: Belief,
): ScenarioReport {
  return {
    quantile: share,
    difference: at(totals.objective, draw) - at(totals.currentObjective, draw),
    profit: at(totals.profit, draw),
    profit_change: at(totals.profit, draw) - at(totals.currentProfit, draw),
    cost_change: scenario.cost - 1,
    demand_change: scenario.demand - 1,
    elasticities: Object.fromEntries([
      ...belief.elasticities.map((one, i) => [one.tier, at(scenario.elasticities, i)]),
      ...(belief.joint?.names ?? []).map((name) => [name, -slopeRatio(belief, scenario)]),
    ]),
  };
}

function truncations({ elasticities, joint }: Belief): [tier: string, mass: number][] {
  return [
    ...elasticities.map(({ tier, truncated }): [string, number] => [tier, truncated]),
    ...(joint?.names ?? []).map((name): [string, number] => [name, joint?.slope.truncated ?? 0]),
  ];
}

/** The price coefficient of a joint logit relative to its estimate. */
function slopeRatio({ joint }: Belief, scenario: Scenario): number {
  if (joint === undefined || scenario.joint === undefined) return 1;
  return at(scenario.joint, joint.names.length) / at(joint.mean, joint.names.length);
}
