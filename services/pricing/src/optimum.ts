import { at } from "./at.ts";
import { certifiedSearch } from "./certified-search.ts";
import { assertBounded, chainsOf, feasibleRanges, type Part, type Ranges } from "./chain.ts";
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
  /** The terms that the prices maximise, where they depend on the prices: demand with cross-price effects. */
  readonly terms?: readonly Term[];
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
  if (problem.system === "logit") return solveLogit(problem, feasibleRanges(problem));
  const terms = independentTerms(problem);
  assertBounded(problem, terms);
  const ranges = feasibleRanges(problem);
  if (isCrossed(problem)) return solveCrossed(problem, terms, ranges);
  const prices = separableSolver(problem, ranges)(terms);
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
    const quantity =
      reference_quantity * (price / reference_price) ** elasticity * crossFactorAt(problem, i, prices);
    total += quantity * (price - costFor(problem.objective, tier.unit_cost));
  }
  return total;
}

export function independentTerms(problem: Problem): ConstantElasticityTerm[] {
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

const MOST_LOGIT_ROUNDS = 200;

/**
 * Maximises the objective of a logit item within ranges.
 *
 * The best θ is the root of S(θ) = θ·w₀, where S(θ) = max Σ (p − c − θ)·w and w₀ weighs buying nothing. Dinkelbach's step from θ, to the
 * ratio at its solution, never passes the root, but while hardly any buyer buys nothing (w₀ ≪ Σw) it gains no more than 1/b. S falls
 * about exponentially there, so that Newton's step for ln S(θ) = ln(θ·w₀), with S′ = −Σw, goes nearly all the way. It may pass the root;
 * a bracket that is halved now and then keeps it from doing so for ever.
 */
export function solveLogit(problem: Problem, ranges: Ranges): Optimum {
  const nest = nestOf(problem);
  const solve = separableSolver(problem, ranges);
  // Near enough to the root that no weight overflows.
  let theta = ratioAt(
    problem,
    nest,
    problem.tiers.map(({ current_price }) => current_price),
  );
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  let prices: number[] = [];
  for (let round = 1; round <= MOST_LOGIT_ROUNDS; round++) {
    prices = solve(logitTerms(problem, theta));
    const { ratio, margin, sold, outside } = salesAt(problem, nest, prices);
    const done = Math.abs(ratio - theta) <= 1e-13 * Math.abs(ratio);
    below = Math.max(below, ratio);
    if (done) break;
    if (ratio < theta) above = theta;
    const inner = margin - theta * sold;
    const newton = theta + Math.log(inner / (theta * outside)) / (sold / inner + 1 / theta);
    if (round % 3 === 0 && above < Number.POSITIVE_INFINITY) theta = (below + above) / 2;
    else theta = round % 3 !== 2 && newton > below && newton < above ? newton : below;
  }
  return { prices, objective: nest.market * below, ranges };
}

/** Maximises a sum of terms under the rules and ranges of a problem. Many sums can share one solver. */
export function separableSolver(problem: Problem, ranges: Ranges): (terms: readonly Term[]) => number[] {
  const solve = (part: Part, terms: readonly Term[]) => {
    const chain = { terms, links: part.links, low: part.low, high: part.high };
    const pooled = pool(chain);
    return pooled.optimal ? pooled.prices : certifiedSearch(chain, pooled.prices);
  };
  const [first, ...others] = chainsOf(problem, ranges);
  if (first === undefined) return () => [];
  if (others.length === 0) return (terms) => solve(first, terms);
  return (terms) => [first, ...others].flatMap((part) => solve(part, terms.slice(part.from, part.to)));
}

const MOST_CROSSED_ROUNDS = 200;

/**
 * Cross-price effects make a tier's price matter to the others' sales. At a maximum, moving p_i gains as much
 * at i as it costs there and gains elsewhere, which is the condition of a separable problem with the unit cost
 * c_i + Σ_j D_ij·(p_j − c_j), where D_ij = −(∂q_j/∂p_i)/(∂q_i/∂p_i) is the diversion ratio (Farrell and
 * Shapiro 2010). Solves that problem and updates the costs and demands, half a step at a time, until the prices
 * rest. The result satisfies the first-order conditions.
 */
export function solveCrossed(problem: Problem, start: readonly Term[], ranges: Ranges): Optimum {
  const solve = separableSolver(problem, ranges);
  let prices = solve(start);
  let terms: readonly Term[] = start;
  for (let round = 0; round < MOST_CROSSED_ROUNDS; round++) {
    const before = prices;
    terms = crossedTerms(problem, before);
    const next = solve(terms);
    prices = next.map((price, i) => Math.sqrt(price * at(before, i)));
    // Geometric means keep price limits and, up to rounding, the links; the last step is a whole one.
    const moved = next.some((price, i) => Math.abs(price - at(before, i)) > 1e-10 * price);
    if (!moved) {
      prices = next;
      break;
    }
  }
  prices = solve(terms);
  return { prices, objective: objectiveAt(problem, prices), ranges, terms };
}

/** The terms whose slopes at these prices are the derivatives of the joint objective. */
function crossedTerms(problem: Problem, prices: readonly number[]): Term[] {
  const models = problem.tiers.map(constantElasticityOf);
  const costs = problem.tiers.map((tier) => costFor(problem.objective, tier.unit_cost));
  const demands = models.map(
    (model, i) =>
      model.reference_quantity *
      (at(prices, i) / model.reference_price) ** model.elasticity *
      crossFactorAt(problem, i, prices),
  );
  return models.map((model, i) => {
    const name = at(problem.names, i);
    let cost = at(costs, i);
    models.forEach((other, j) => {
      const cross = other.cross?.[name];
      if (j === i || cross === undefined) return;
      const diverted = -(cross * at(demands, j)) / (model.elasticity * at(demands, i));
      cost += diverted * (at(prices, j) - at(costs, j));
    });
    const local = { ...model, reference_price: at(prices, i), reference_quantity: at(demands, i) };
    return new ConstantElasticityTerm(local, Math.max(0, cost), at(prices, i));
  });
}

export function isCrossed({ tiers }: Problem): boolean {
  return tiers.some(({ demand }) => demand.model === "constant_elasticity" && demand.cross !== undefined);
}

function crossFactorAt(problem: Problem, i: number, prices: readonly number[]): number {
  const { cross } = constantElasticityOf(at(problem.tiers, i));
  if (cross === undefined) return 1;
  return problem.names.reduce((factor, name, j) => {
    const elasticity = cross[name];
    if (elasticity === undefined) return factor;
    return factor * (at(prices, j) / at(problem.tiers, j).current_price) ** elasticity;
  }, 1);
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

type Nest = {
  readonly market: number;
  readonly shift: number;
  /** The weight of buying nothing. */
  readonly outside: number;
  readonly costs: readonly number[];
};

function nestOf(problem: Problem): Nest {
  let shift = 0;
  let market = 0;
  for (const tier of problem.tiers) {
    const model = logitOf(tier);
    market = model.market_size;
    shift = Math.max(shift, model.intercept - model.price_coefficient * tier.current_price);
  }
  const costs = problem.tiers.map((tier) => costFor(problem.objective, tier.unit_cost));
  return { market, shift, outside: Math.exp(-shift), costs };
}

function ratioAt(problem: Problem, nest: Nest, prices: readonly number[]): number {
  return salesAt(problem, nest, prices).ratio;
}

/** A larger exponent comes near to what overflows. */
const MOST_EXPONENT = 500;

/**
 * What prices sell and earn, as weights, and what buying nothing weighs beside them. Prices far below the current ones, where demand is steep,
 * have weights that would overflow: all of them are divided by the largest then.
 */
function salesAt(problem: Problem, nest: Nest, prices: readonly number[]) {
  const utilities = prices.map((price, i) => {
    const model = logitOf(at(problem.tiers, i));
    return model.intercept - nest.shift - model.price_coefficient * price;
  });
  const highest = Math.max(...utilities);
  const isLarge = highest > MOST_EXPONENT;
  const outside = isLarge ? Math.exp(-nest.shift - highest) : nest.outside;
  let margin = 0;
  let sold = 0;
  for (let i = 0; i < prices.length; i++) {
    const share = Math.exp(at(utilities, i) - (isLarge ? highest : 0));
    margin += (at(prices, i) - at(nest.costs, i)) * share;
    sold += share;
  }
  return { margin, sold, outside, ratio: margin / (sold + outside) };
}
