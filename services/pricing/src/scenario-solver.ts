import { at } from "./at.ts";
import { assertBounded, feasibleRanges, type Ranges } from "./chain.ts";
import { PricingError } from "./errors.ts";
import {
  independentTerms,
  isCrossed,
  objectiveAt,
  separableSolver,
  solveCrossed,
  solveLogit,
} from "./optimum.ts";
import { type Problem, stateProblem } from "./problem.ts";
import type { OptimizeSettings } from "./settings.ts";
import { ConstantElasticityTerm, costFor } from "./terms.ts";
import type { ConstantElasticity, Logit, ResolvedItem, ResolvedTier } from "./types.ts";
import type { Belief, Scenario } from "./uncertainty.ts";

/** Money per period. */
export type Value = { readonly objective: number; readonly profit: number };

/**
 * An optimum of a scenario: prices from high to low. `Infinity`: nothing limits the rising price. 0: nothing limits
 * the falling one. The objective is `Infinity` if the optimum is not reached.
 */
export type ScenarioOptimum = { readonly prices: readonly number[]; readonly objective: number };

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
    tiers.map((tier, i) => tierIn(tier, scenario, elasticityOf(i, scenario)));
  const logit = stated.system === "logit";
  /** Tiers that take sales from each other: the objective is no sum over tiers. */
  const joint = logit || isCrossed(stated);
  const elastic = joint
    ? []
    : tiers.map((tier, i) => ({
        model: elasticModel(tier),
        position: at(position, i),
        unitCost: tier.unit_cost,
        current: tier.current_price,
      }));

  const valueAt = (prices: readonly number[]) => {
    if (joint)
      return (scenario: Scenario) => {
        const problem = { ...stated, tiers: scaled(scenario) };
        const objective = objectiveAt(problem, prices);
        const profit =
          problem.objective === "profit"
            ? objective
            : objectiveAt({ ...problem, objective: "profit" }, prices);
        return { objective, profit };
      };
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

  const termsIn = (scenario: Scenario) =>
    elastic.map(({ model, position, unitCost, current }) => {
      const { reference_price, reference_quantity } = model;
      const elasticity = scenario.elasticities[position] ?? model.elasticity;
      const own = {
        model: "constant_elasticity" as const,
        reference_price,
        reference_quantity: reference_quantity * scenario.demand,
        elasticity,
      };
      return new ConstantElasticityTerm(own, costFor(stated.objective, unitCost * scenario.cost), current);
    });
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
    const runs = prices.map((price, i) => {
      if (price > far / 1e3) return Number.POSITIVE_INFINITY;
      return price < 1e3 * at(least, i) && at(problem.low, i) === 0 ? 0 : price;
    });
    return { prices: runs, objective: Number.POSITIVE_INFINITY };
  };

  // Only a minimum margin makes the limits depend on the scenario's costs.
  const fixedLimits = settings.minimumMargin === undefined || !settings.enforce.has("bounds");
  const fixed = fixedLimits ? attempt(() => feasibleRanges(stated)) : undefined;
  const solver = fixed && separableSolver(stated, fixed);
  return {
    names,
    tiers,
    valueAt,
    solve(scenario) {
      const problem = fixedLimits
        ? stated
        : attempt(() => stateProblem(itemAt(item, scaled(scenario), names), settings));
      const ranges = fixed ?? (problem && attempt(() => feasibleRanges(problem)));
      if (problem === undefined || ranges === undefined) return undefined;
      try {
        return best(problem, scenario, ranges, solver);
      } catch (error) {
        if (!(error instanceof PricingError && error.code === "UNBOUNDED")) throw error;
        return runaway(problem, scenario);
      }
    },
  };
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

function itemAt(item: ResolvedItem, tiers: readonly ResolvedTier[], names: readonly string[]): ResolvedItem {
  return { ...item, tiers: Object.fromEntries(names.map((name, i) => [name, at(tiers, i)])) };
}

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
