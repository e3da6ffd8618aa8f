import { at } from "./at.ts";
import { certifiedSearch } from "./certified-search.ts";
import { assertBounded, chainsOf, feasibleRanges, type Ranges } from "./chain.ts";
import { pool } from "./pooling.ts";
import type { Problem } from "./problem.ts";
import { ConstantElasticityTerm, costFor, LogitTerm, type Term } from "./terms.ts";
import type { ConstantElasticity, Logit, ResolvedTier } from "./types.ts";

/** The constrained optimum of an item before rounding. */
export type Optimum = {
  /** From high to low, in the order of `problem.names`. */
  readonly prices: number[];
  /** Profit or revenue, money per period. */
  readonly objective: number;
  readonly ranges: Ranges;
};

/**
 * Maximises profit or revenue of an item under all its rules jointly, before rounding.
 *
 * Independent demand: the objective is a sum of unimodal terms on chains. Pooling solves it if its result is
 * provably optimal, else the certified search does; within 5e-6 relative of the global optimum.
 *
 * Logit demand: the objective M·Σ(p−c)w / (1 + Σw) is a fractional programme. By Dinkelbach (1967) its
 * maximum θ per buyer is the root of max Σ(p − c − θ)·w − θ = 0, and for fixed θ that inner maximum is again
 * a sum of unimodal terms on the same chains. Each iteration sets θ to the ratio at the last solution.
 * @throws PricingError INFEASIBLE, UNBOUNDED
 */
export function solveProblem(problem: Problem): Optimum {
  if (problem.system === "logit") return solveLogit(problem);
  const terms = independentTerms(problem);
  assertBounded(problem, terms);
  const ranges = feasibleRanges(problem);
  const prices = solveSeparable(problem, terms, ranges);
  return { prices, objective: objectiveAt(problem, prices), ranges };
}

/** Profit or revenue at the given prices (from high to low), money per period. */
export function objectiveAt(problem: Problem, prices: readonly number[]): number {
  if (problem.system === "logit") {
    const nest = nestOf(problem);
    return nest.market * ratioAt(problem, nest, prices);
  }
  let total = 0;
  for (let i = 0; i < prices.length; i++) {
    const tier = at(problem.tiers, i);
    const { reference_price, reference_quantity, elasticity } = constantElasticityOf(tier);
    const price = at(prices, i);
    const quantity = reference_quantity * (price / reference_price) ** elasticity;
    total += quantity * (price - costFor(problem.objective, tier.unit_cost));
  }
  return total;
}

export function independentTerms(problem: Problem): Term[] {
  return problem.tiers.map(
    (tier) =>
      new ConstantElasticityTerm(
        constantElasticityOf(tier),
        costFor(problem.objective, tier.unit_cost),
        tier.current_price,
      ),
  );
}

/**
 * Logit terms for a given θ, the objective per buyer of the market.
 * Utilities are shifted so that none overflows.
 */
export function logitTerms(problem: Problem, theta: number): Term[] {
  const nest = nestOf(problem);
  return problem.tiers.map((tier, i) => {
    const model = logitOf(tier);
    return new LogitTerm(model, model.intercept - nest.shift, at(nest.costs, i) + theta);
  });
}

/** θ at the given prices: the objective per buyer of the market. */
export function logitRatio(problem: Problem, prices: readonly number[]): number {
  return ratioAt(problem, nestOf(problem), prices);
}

function solveLogit(problem: Problem): Optimum {
  const nest = nestOf(problem);
  const ranges = feasibleRanges(problem);
  let theta = 0;
  let prices: number[] = [];
  for (let round = 0; round < 60; round++) {
    prices = solveSeparable(problem, logitTerms(problem, theta), ranges);
    const ratio = ratioAt(problem, nest, prices);
    const done = Math.abs(ratio - theta) <= 1e-13 * Math.abs(ratio);
    theta = ratio;
    if (done) break;
  }
  return { prices, objective: nest.market * theta, ranges };
}

function solveSeparable(problem: Problem, terms: readonly Term[], ranges: Ranges): number[] {
  const prices: number[] = [];
  for (const { chain } of chainsOf(problem, terms, ranges)) {
    const pooled = pool(chain);
    prices.push(...(pooled.optimal ? pooled.prices : certifiedSearch(chain, pooled.prices)));
  }
  return prices;
}

/** Narrows the type; `stateProblem` has already checked that all tiers share one demand system. */
function constantElasticityOf(tier: ResolvedTier): ConstantElasticity {
  if (tier.demand.model !== "constant_elasticity") throw new TypeError("not a constant-elasticity tier");
  return tier.demand;
}

function logitOf(tier: ResolvedTier): Logit {
  if (tier.demand.model !== "logit") throw new TypeError("not a logit tier");
  return tier.demand;
}

type Nest = { readonly market: number; readonly shift: number; readonly costs: readonly number[] };

function nestOf(problem: Problem): Nest {
  let shift = 0;
  let market = 0;
  for (const tier of problem.tiers) {
    const model = logitOf(tier);
    market = model.market_size;
    shift = Math.max(shift, model.intercept - model.price_coefficient * tier.current_price);
  }
  return { market, shift, costs: problem.tiers.map((tier) => costFor(problem.objective, tier.unit_cost)) };
}

function ratioAt(problem: Problem, nest: Nest, prices: readonly number[]): number {
  let margin = 0;
  let weight = Math.exp(-nest.shift);
  for (let i = 0; i < prices.length; i++) {
    const model = logitOf(at(problem.tiers, i));
    const price = at(prices, i);
    const share = Math.exp(model.intercept - nest.shift - model.price_coefficient * price);
    margin += (price - at(nest.costs, i)) * share;
    weight += share;
  }
  return margin / weight;
}
