import { at } from "./at.ts";
import { PricingError } from "./errors.ts";
import { objectiveAt, solveProblem } from "./optimum.ts";
import { type Problem, stateProblem } from "./problem.ts";
import { type Band, bandOf } from "./quantiles.ts";
import type { Rng } from "./rng.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";
import {
  type Belief,
  centralScenario,
  drawScenario,
  elasticityQuantile,
  itemIn,
  type Scenario,
  uniformQuantile,
} from "./uncertainty.ts";

/**
 * The objective at the recommended prices with one factor at its 5%
 * and 95% quantile and all others at their means.
 */
export type TornadoBar = {
  /** `elasticity:<tier>`, `cost` or `demand`. */
  readonly factor: string;
  readonly low: { readonly value: number; readonly objective: number };
  readonly high: { readonly value: number; readonly objective: number };
  /** |high − low| of the objective. */
  readonly swing: number;
};

/** One draw. Elasticities are by tier; for logit, minus the price coefficient relative to its estimate. */
export type ScenarioReport = {
  readonly profit: number;
  readonly profit_change: number;
  readonly cost_change: number;
  readonly demand_change: number;
  readonly elasticities: Record<string, number>;
};

export type ItemSensitivity = {
  readonly item_id: string;
  readonly tiers: Record<string, { readonly recommended_price: number; readonly price_band: Band | null }>;
  readonly profit_band: Band;
  readonly current_profit_band: Band;
  readonly tornado: readonly TornadoBar[];
  readonly robustness: Robustness;
  readonly regret: Regret;
  readonly worst: ScenarioReport;
  readonly best: ScenarioReport;
  /**
   * Draws without an optimum, which price bands and regret leave out. Unbounded: no rule limits a rising
   * price. Infeasible: with the drawn cost, no prices satisfy the rules.
   */
  readonly unsolved: { readonly unbounded: number; readonly infeasible: number };
  /**
   * By tier, the probability that truncating the elasticity's normal
   * distribution at 0 removes, if above 0.001.
   */
  readonly truncated: Record<string, number>;
};

/** The share of draws in which the objective is higher at the recommended than at today's prices. */
export type Robustness = {
  readonly score: number;
  /** √(s(1 − s)/draws). */
  readonly standard_error: number;
  readonly draws: number;
  /**
   * Draws in which both are equal, which do not count for the score.
   * All draws tie if the recommendation is today's prices.
   */
  readonly ties: number;
};

/** The optimal objective of a draw minus that of the recommendation, over the draws that have an optimum. */
export type Regret = {
  readonly expected: number;
  readonly max: number;
  /** Expected regret as a share of the expected optimal objective; null if that is not positive. */
  readonly expected_share: number | null;
  readonly draws: number;
};

/** Objective and profit of every draw, for totals across items. */
export type DrawTotals = {
  readonly profit: Float64Array;
  readonly currentProfit: Float64Array;
  readonly objective: Float64Array;
  readonly currentObjective: Float64Array;
};

const BATCH = 200;

/**
 * Monte Carlo simulation of an item's uncertain parameters. For each drawn scenario, solves for the optimum
 * (before rounding) under the same rules, and evaluates the recommended and the current prices. With constant
 * elasticity, no binding rule and fixed cost, the band of a price is the image of the elasticity's quantiles
 * under c·e/(1+e).
 *
 * Yields the number of draws done, so that a server can pause and check for cancellation.
 * @param recommended price by tier; tiers without one keep their current price
 * @param rng source of all draws, consumed in a fixed order: the same stream gives the same result
 * @throws PricingError INVALID_ITEM
 */
export function* analyseItem(
  item: ResolvedItem,
  recommended: ReadonlyMap<string, number>,
  settings: OptimizeSettings,
  belief: Belief,
  draws: number,
  rng: Rng,
): Generator<number, { report: ItemSensitivity; totals: DrawTotals }, void> {
  const central = problemOf(item, settings, belief, centralScenario(belief));
  const names = central.names;
  const proposal = names.map((name, i) => recommended.get(name) ?? at(central.tiers, i).current_price);
  const current = central.tiers.map((tier) => tier.current_price);
  const totals: DrawTotals = {
    profit: new Float64Array(draws),
    currentProfit: new Float64Array(draws),
    objective: new Float64Array(draws),
    currentObjective: new Float64Array(draws),
  };
  const optimal = names.map(() => new Float64Array(draws));
  const regrets = new Float64Array(draws);
  const scenarios: Scenario[] = [];
  const unsolved = { unbounded: 0, infeasible: 0 };
  let solved = 0;
  let bestTotal = 0;
  for (let draw = 0; draw < draws; draw++) {
    if (draw > 0 && draw % BATCH === 0) yield draw;
    const scenario = drawScenario(belief, rng);
    scenarios.push(scenario);
    const problem = problemOf(item, settings, belief, scenario);
    totals.objective[draw] = objectiveAt(problem, proposal);
    totals.currentObjective[draw] = objectiveAt(problem, current);
    const profits = problem.objective === "profit" ? problem : { ...problem, objective: "profit" as const };
    totals.profit[draw] = objectiveAt(profits, proposal);
    totals.currentProfit[draw] = objectiveAt(profits, current);
    const optimum = solveOrCount(problem, unsolved);
    if (optimum === undefined) continue;
    optimum.prices.forEach((price, i) => {
      at(optimal, i)[solved] = price;
    });
    regrets[solved] = optimum.objective - at(totals.objective, draw);
    bestTotal += optimum.objective;
    solved += 1;
  }

  const tiers: ItemSensitivity["tiers"] = {};
  names.forEach((name, i) => {
    const band = bandOf(at(optimal, i).subarray(0, solved));
    tiers[name] = { recommended_price: at(proposal, i), price_band: band ?? null };
  });
  const report: ItemSensitivity = {
    item_id: item.item_id,
    tiers,
    profit_band: bandOf(totals.profit.slice()) ?? { p5: 0, p50: 0, p95: 0 },
    current_profit_band: bandOf(totals.currentProfit.slice()) ?? { p5: 0, p50: 0, p95: 0 },
    tornado: tornado(item, settings, belief, proposal),
    robustness: robustness(totals),
    regret: regretOf(regrets.subarray(0, solved), bestTotal),
    worst: scenarioAt(extreme(totals.profit, -1), totals, scenarios, belief),
    best: scenarioAt(extreme(totals.profit, 1), totals, scenarios, belief),
    unsolved,
    truncated: Object.fromEntries(
      belief.elasticities.filter((one) => one.truncated > 1e-3).map((one) => [one.tier, one.truncated]),
    ),
  };
  return { report, totals };
}

/** Adds an item's draws to the totals, draw by draw. Items are drawn independently. */
export function addTotals(sum: DrawTotals, more: DrawTotals): void {
  for (const key of ["profit", "currentProfit", "objective", "currentObjective"] as const) {
    more[key].forEach((value, draw) => {
      sum[key][draw] = (sum[key][draw] ?? 0) + value;
    });
  }
}

/** The share of draws in which the recommendation beats today's prices, with its standard error. */
export function robustness(totals: DrawTotals): Robustness {
  let wins = 0;
  let ties = 0;
  totals.objective.forEach((value, draw) => {
    const current = at(totals.currentObjective, draw);
    if (value === current) ties += 1;
    else if (value > current) wins += 1;
  });
  const draws = totals.objective.length;
  const score = wins / draws;
  return { score, standard_error: Math.sqrt((score * (1 - score)) / draws), draws, ties };
}

function problemOf(
  item: ResolvedItem,
  settings: OptimizeSettings,
  belief: Belief,
  scenario: Scenario,
): Problem {
  return stateProblem(itemIn(item, belief, scenario), settings);
}

function solveOrCount(problem: Problem, unsolved: { unbounded: number; infeasible: number }) {
  try {
    return solveProblem(problem);
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    if (error.code === "UNBOUNDED") unsolved.unbounded += 1;
    else if (error.code === "INFEASIBLE") unsolved.infeasible += 1;
    else throw error;
    return undefined;
  }
}

function tornado(
  item: ResolvedItem,
  settings: OptimizeSettings,
  belief: Belief,
  proposal: readonly number[],
): TornadoBar[] {
  const centre = centralScenario(belief);
  const bar = (
    factor: string,
    ends: readonly [number, number],
    change: (value: number) => Partial<Scenario>,
  ) => {
    const [low, high] = ends.map((value) => {
      const problem = problemOf(item, settings, belief, { ...centre, ...change(value) });
      return { value, objective: objectiveAt(problem, proposal) };
    });
    return low && high ? [{ factor, low, high, swing: Math.abs(high.objective - low.objective) }] : [];
  };
  return [
    ...belief.elasticities.flatMap((one, i) =>
      bar(
        `elasticity:${one.tier}`,
        [elasticityQuantile(one, 0.05), elasticityQuantile(one, 0.95)],
        (value) => ({
          elasticities: centre.elasticities.with(i, value),
        }),
      ),
    ),
    ...bar("cost", ends(belief.costShare), (cost) => ({ cost })),
    ...bar("demand", ends(belief.demandShare), (demand) => ({ demand })),
  ].sort((a, b) => b.swing - a.swing);
}

function ends(share: number): [number, number] {
  return [uniformQuantile(share, 0.05), uniformQuantile(share, 0.95)];
}

function regretOf(regrets: Float64Array, bestTotal: number): Regret {
  const draws = regrets.length;
  if (draws === 0) return { expected: 0, max: 0, expected_share: null, draws };
  const total = regrets.reduce((sum, regret) => sum + regret, 0);
  return {
    expected: total / draws,
    max: regrets.reduce((most, regret) => Math.max(most, regret), Number.NEGATIVE_INFINITY),
    expected_share: bestTotal > 0 ? total / bestTotal : null,
    draws,
  };
}

function extreme(values: Float64Array, sign: 1 | -1): number {
  let found = 0;
  values.forEach((value, draw) => {
    if (sign * value > sign * at(values, found)) found = draw;
  });
  return found;
}

function scenarioAt(
  draw: number,
  totals: DrawTotals,
  scenarios: readonly Scenario[],
  belief: Belief,
): ScenarioReport {
  const scenario = at(scenarios, draw);
  return {
    profit: at(totals.profit, draw),
    profit_change: at(totals.profit, draw) - at(totals.currentProfit, draw),
    cost_change: scenario.cost,
    demand_change: scenario.demand,
    elasticities: Object.fromEntries(
      belief.elasticities.map((one, i) => [one.tier, at(scenario.elasticities, i)]),
    ),
  };
}
