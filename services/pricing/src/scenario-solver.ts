import { type Ascent, ascentOf } from "./ascent.ts";
import { at } from "./at.ts";
import { assertBounded, feasibleRanges, type Ranges } from "./chain.ts";
import { PricingError } from "./errors.ts";
import { logitAt } from "./joint-belief.ts";
import { crossedObjective, type JointObjective, logitObjective, type Value } from "./joint-objective.ts";
import { independentTerms, isCrossed, separableSolver, solveCrossed, solveLogit } from "./optimum.ts";
import { isFixed, type Problem, stateProblem } from "./problem.ts";
import type { OptimizeSettings } from "./settings.ts";
import { costFor } from "./terms.ts";
import type { ConstantElasticity, Logit, ResolvedItem, ResolvedTier } from "./types.ts";
import { type Belief, centralScenario, type Scenario } from "./uncertainty.ts";

/**
 * An optimum of a scenario: prices from high to low. `Infinity`: nothing limits the rising price. 0: nothing limits
 * the falling one. The objective is `Infinity` if the optimum is not reached.
 */
export type ScenarioOptimum = { readonly prices: ArrayLike<number>; readonly objective: number };

/** One item under many scenarios. What the scenarios do not change is worked out once. */
export type ScenarioSolver = {
  /** From high to low. */
  readonly names: readonly string[];
  readonly tiers: readonly ResolvedTier[];
  /** Evaluates the prices (from high to low) in any scenario. */
  valueAt(prices: readonly number[]): (scenario: Scenario) => Value;
  /** Undefined if no prices satisfy the rules in the scenario. */
  solve(scenario: Scenario): ScenarioOptimum | undefined;
};

/** Stands for no limit: this many times the highest current price. */
const FAR = 1e9;

/**
 * @throws PricingError INVALID_ITEM; INFEASIBLE if the limits of one tier contradict each other at today's costs
 */
export function scenarioSolver(
  item: ResolvedItem,
  settings: OptimizeSettings,
  belief: Belief,
): ScenarioSolver {
  const stated = stateProblem(item, settings);
  const { names, tiers } = stated;
  const position = names.map((name) => belief.elasticities.findIndex(({ tier }) => tier === name));
  const elasticityOf = (i: number, { elasticities }: Scenario) => elasticities[at(position, i)];
  const scaled = (scenario: Scenario) =>
    tiers.map((tier, i) => {
      const own = belief.joint?.names.indexOf(at(names, i)) ?? -1;
      const fitted = scenario.joint === undefined ? tier : { ...tier, demand: logitAt(scenario.joint, own) };
      return tierIn(crossedIn(fitted, at(names, i), scenario), scenario, elasticityOf(i, scenario));
    });
  /** The tier with the cross-price elasticities of the scenario. */
  const crossedIn = (tier: ResolvedTier, name: string, { cross: matrix }: Scenario): ResolvedTier => {
    const { demand } = tier;
    const fitted = belief.cross?.names ?? [];
    const row = fitted.indexOf(name);
    if (matrix === undefined || row < 0 || demand.model !== "constant_elasticity") return tier;
    const cross = fitted.flatMap((other, j) =>
      j === row ? [] : [[other, matrix[row * fitted.length + j] ?? 0] as const],
    );
    const elasticity = matrix[row * fitted.length + row] ?? demand.elasticity;
    return { ...tier, demand: { ...demand, elasticity, cross: Object.fromEntries(cross) } };
  };
  const logit = stated.system === "logit";
  /** Of tiers that take sales from each other: their objective is no sum over tiers. */
  const joint = logit
    ? logitObjective(stated, position, belief.joint)
    : isCrossed(stated)
      ? crossedObjective(stated, position, belief.cross)
      : undefined;
  const elastic = joint
    ? []
    : tiers.map((tier, i) => ({
        model: elasticModel(tier),
        position: at(position, i),
        unitCost: tier.unit_cost,
      }));

  const valueAt = (prices: readonly number[]) => {
    if (joint) {
      const all = Float64Array.from(prices);
      return (scenario: Scenario) => {
        joint.enter(scenario);
        return joint.valueAt(all);
      };
    }
    // Logarithms once, exponentials per scenario: a power costs several times as much.
    const rows = elastic.map((row, i) => {
      const price = at(prices, i);
      return { ...row, price, log: Math.log(price / row.model.reference_price) };
    });
    return (scenario: Scenario) => {
      let revenue = 0;
      let cost = 0;
      for (const { model, position, unitCost, price, log } of rows) {
        const elasticity = scenario.elasticities[position] ?? model.elasticity;
        const quantity = model.reference_quantity * Math.exp(elasticity * log);
        revenue += quantity * price;
        cost += quantity * unitCost;
      }
      const profit = scenario.demand * (revenue - scenario.cost * cost);
      return { objective: stated.objective === "profit" ? profit : scenario.demand * revenue, profit };
    };
  };

  const terms = joint ? [] : independentTerms(stated);
  const termsIn = (scenario: Scenario) => {
    for (let i = 0; i < elastic.length; i++) {
      const { model, position, unitCost } = at(elastic, i);
      const cost = costFor(stated.objective, unitCost * scenario.cost);
      const elasticity = scenario.elasticities[position] ?? model.elasticity;
      at(terms, i).change(elasticity, model.reference_quantity * scenario.demand, cost);
    }
    return terms;
  };
  const best = (
    problem: Problem,
    scenario: Scenario,
    ranges: Ranges,
    solver?: Separable,
  ): ScenarioOptimum => {
    if (joint) {
      const own = { ...problem, tiers: scaled(scenario) };
      if (logit) return solveLogit(own, ranges);
      const start = independentTerms(own);
      assertBounded(own, start);
      return solveCrossed(own, start, ranges);
    }
    const terms = termsIn(scenario);
    assertBounded(problem, terms);
    const prices = (solver ?? separableSolver(problem, ranges))(terms);
    let objective = 0;
    terms.forEach((term, i) => {
      objective += term.value(prices[i] ?? Number.NaN);
    });
    return { prices, objective };
  };
  /** The optimum within far limits: prices that run away to them have no limit of their own. */
  const runaway = (problem: Problem, scenario: Scenario): ScenarioOptimum => {
    const far = FAR * Math.max(...tiers.map((tier) => tier.current_price));
    const least = tiers.map((tier) => tier.current_price / FAR);
    const capped = {
      ...problem,
      low: problem.low.map((low, i) => Math.max(low, at(least, i))),
      high: problem.high.map((high) => Math.min(high, far)),
    };
    const { prices } = best(capped, scenario, feasibleRanges(capped));
    const runs = Array.from(prices, (price, i) => {
      if (price > far / 1e3) return Number.POSITIVE_INFINITY;
      return price < 1e3 * at(least, i) && at(problem.low, i) === 0 ? 0 : price;
    });
    return { prices: runs, objective: Number.POSITIVE_INFINITY };
  };

  const limits = limitsOf(item, stated, settings);
  const solver = limits.fixed && separableSolver(stated, limits.fixed);
  const centre = centralScenario(belief);
  const near =
    joint && nearbySolver(stated, joint, position, centre, (ranges) => best(stated, centre, ranges));
  return {
    names,
    tiers,
    valueAt,
    solve(scenario) {
      const problem = limits.in(scenario);
      const ranges = limits.fixed ?? (problem && attempt(() => feasibleRanges(problem)));
      if (problem === undefined || ranges === undefined) return undefined;
      try {
        return near?.(scenario, ranges) ?? best(problem, scenario, ranges, solver);
      } catch (error) {
        if (!(error instanceof PricingError && error.code === "UNBOUNDED")) throw error;
        return runaway(problem, scenario);
      }
    },
  };
}

/** The problem with the limits of a scenario; undefined if those of a tier contradict each other. */
function limitsOf(item: ResolvedItem, stated: Problem, settings: OptimizeSettings) {
  // Only a minimum margin makes the limits depend on the scenario, through its costs.
  const margin = settings.enforce.has("bounds") ? settings.minimumMargin : undefined;
  if (margin === undefined)
    return { fixed: attempt(() => feasibleRanges(stated)), in: (): Problem | undefined => stated };
  const others = stateProblem(item, { ...settings, minimumMargin: undefined });
  return {
    fixed: undefined,
    in({ cost }: Scenario): Problem | undefined {
      const low = others.low.map((limit, i) => {
        const tier = at(others.tiers, i);
        return isFixed(tier) ? limit : Math.max(limit, tier.unit_cost * cost * (1 + margin));
      });
      return low.some((limit, i) => limit > at(others.high, i)) ? undefined : { ...others, low };
    },
  };
}

/** An elasticity above this may leave a price without a largest objective. */
const CERTAINLY_ELASTIC = -1.001;

/**
 * Solves scenarios from the optimum of the central one; undefined where that fails.
 * @param centre gives the optimum of the central scenario
 */
function nearbySolver(
  problem: Problem,
  objective: JointObjective,
  position: readonly number[],
  central: Scenario,
  centre: (ranges: Ranges) => ScenarioOptimum,
) {
  const closed = problem.high.every((high) => high < Number.POSITIVE_INFINITY) && !problem.low.includes(0);
  const costly = problem.tiers.every(({ unit_cost }) => costFor(problem.objective, unit_cost) > 0);
  const bounded = ({ elasticities }: Scenario) =>
    problem.system === "logit" ||
    closed ||
    (costly && position.every((i) => (elasticities[i] ?? 0) < CERTAINLY_ELASTIC));
  let ascent: Ascent | undefined;
  return (scenario: Scenario, ranges: Ranges): ScenarioOptimum | undefined => {
    if (!bounded(central) || !bounded(scenario)) return undefined;
    ascent ??= ascentFrom(centre(ranges).prices, problem, objective, ranges, central);
    objective.enter(scenario);
    const prices = ascent.climb(ranges);
    return prices && { prices, objective: objective.valueAt(prices).objective };
  };
}

/**
 * An ascent from the optimum of the central scenario and, where tiers with cross-price effects have several maxima,
 * from others of that scenario.
 */
function ascentFrom(
  optimum: ArrayLike<number>,
  problem: Problem,
  objective: JointObjective,
  ranges: Ranges,
  central: Scenario,
): Ascent {
  const count = problem.tiers.length;
  const ascent = ascentOf(objective, problem.links, count);
  ascent.beginAt(optimum, ranges);
  if (problem.system === "logit") return ascent;
  objective.enter(central);
  const known = [Array.from(optimum)];
  for (const end of [ranges.low, ranges.high]) {
    if (end.includes(Number.POSITIVE_INFINITY)) continue;
    const probe = ascentOf(objective, problem.links, count);
    probe.beginAt(end, ranges);
    const found = probe.climb(ranges);
    const other =
      found && known.every((prices) => prices.some((price, i) => Math.abs(price / at(found, i) - 1) > 1e-4));
    if (!other) continue;
    known.push(Array.from(found));
    ascent.beginAt(found, ranges);
  }
  return ascent;
}

/** The value, or undefined where no prices satisfy the rules. */
function attempt<T>(value: () => T): T | undefined {
  try {
    return value();
  } catch (error) {
    if (error instanceof PricingError && error.code === "INFEASIBLE") return undefined;
    throw error;
  }
}

type Separable = ReturnType<typeof separableSolver>;

/** The tier with the costs and demand of a scenario. Its current price and bounds do not change. */
function tierIn(tier: ResolvedTier, scenario: Scenario, elasticity: number | undefined): ResolvedTier {
  const unit_cost = tier.unit_cost * scenario.cost;
  if (tier.demand.model === "constant_elasticity") {
    const demand: ConstantElasticity = {
      ...tier.demand,
      reference_quantity: tier.demand.reference_quantity * scenario.demand,
      elasticity: elasticity ?? tier.demand.elasticity,
    };
    return { ...tier, unit_cost, demand };
  }
  const { market_size, intercept, price_coefficient } = tier.demand;
  const coefficient = price_coefficient * -(elasticity ?? -1);
  const demand: Logit = {
    model: "logit",
    market_size: market_size * scenario.demand,
    intercept: intercept + (coefficient - price_coefficient) * tier.current_price,
    price_coefficient: coefficient,
  };
  return { ...tier, unit_cost, demand };
}

function elasticModel({ demand }: ResolvedTier): ConstantElasticity {
  if (demand.model !== "constant_elasticity") throw new TypeError("not a constant-elasticity tier");
  return demand;
}
