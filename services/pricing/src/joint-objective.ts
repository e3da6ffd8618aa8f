import { at } from "./at.ts";
import type { CrossBelief } from "./cross-belief.ts";
import type { JointBelief } from "./joint-belief.ts";
import type { Problem } from "./problem.ts";
import { costFor } from "./terms.ts";
import type { ConstantElasticity, Logit } from "./types.ts";
import type { Scenario } from "./uncertainty.ts";

/** Money per period. */
export type Value = { readonly objective: number; readonly profit: number };

/**
 * Objective and profit of tiers that take sales from each other, in one scenario at a time: a simulation evaluates
 * millions of prices, so nothing here makes objects on the way. Prices are from high to low.
 */
export type JointObjective = {
  /** Takes over the parameters of a scenario, for all that follows. */
  enter(scenario: Scenario): void;
  valueAt(prices: Float64Array): Value;
  /** Fills in the first and second derivatives (row by row) of the objective by the prices, per unit of demand. */
  derive(prices: Float64Array, gradient: Float64Array, hessian: Float64Array): void;
  /** Whether a stationary point of tied groups is the best of all; `tied` is as in `Ascent`. */
  certifies(prices: Float64Array, tied: Uint8Array): boolean;
};

/**
 * Constant elasticities with cross-price effects: ln q_i = k_i + Σ_j e_ij·ln p_j. With x = ln p, margins m and
 * objective π, ∂π/∂x_k = Σ_i q_i·m_i·e_ik + q_k·p_k, and once more for the second derivatives.
 */
export function crossedObjective(
  problem: Problem,
  positions: readonly number[],
  cross?: CrossBelief,
): JointObjective {
  /** Positions among the tiers of a joint fit. */
  const fitted = Int32Array.from(problem.names, (name) => cross?.names.indexOf(name) ?? -1);
  const size = cross?.names.length ?? 0;
  const count = problem.tiers.length;
  const models = problem.tiers.map(({ demand }) => elasticOf(demand));
  const elasticities = new Float64Array(count * count);
  /** Logarithms of the prices that the elasticities are relative to, by tier and by price. */
  const references = new Float64Array(count * count);
  const levels = Float64Array.from(models, ({ reference_quantity }) => Math.log(reference_quantity));
  models.forEach((model, i) => {
    problem.names.forEach((name, j) => {
      elasticities[i * count + j] = i === j ? model.elasticity : (model.cross?.[name] ?? 0);
      const reference = i === j ? model.reference_price : at(problem.tiers, j).current_price;
      references[i * count + j] = Math.log(reference);
    });
  });
  const unitCosts = Float64Array.from(problem.tiers, ({ unit_cost }) => unit_cost);
  const charged = Float64Array.from(unitCosts, (cost) => costFor(problem.objective, cost));
  const constants = new Float64Array(count);
  const logs = new Float64Array(count);
  const sold = new Float64Array(count);
  /** Sales times margin. */
  const earned = new Float64Array(count);
  let costs = 1;
  let demand = 1;

  const sell = (prices: Float64Array) => {
    for (let i = 0; i < count; i++) logs[i] = Math.log(number(prices, i));
    for (let i = 0; i < count; i++) {
      let log = number(constants, i);
      for (let j = 0; j < count; j++) log += number(elasticities, i * count + j) * number(logs, j);
      sold[i] = Math.exp(log);
    }
  };
  return {
    enter(scenario) {
      costs = scenario.cost;
      demand = scenario.demand;
      const matrix = scenario.cross;
      for (let i = 0; i < count; i++) {
        const row = fitted[i] ?? -1;
        if (matrix !== undefined && row >= 0) {
          for (let j = 0; j < count; j++)
            elasticities[i * count + j] = matrix[row * size + (fitted[j] ?? -1)] ?? Number.NaN;
        }
        const drawn = scenario.elasticities[positions[i] ?? -1];
        if (drawn !== undefined) elasticities[i * count + i] = drawn;
        let log = number(levels, i);
        for (let j = 0; j < count; j++)
          log -= number(elasticities, i * count + j) * number(references, i * count + j);
        constants[i] = log;
      }
    },
    valueAt(prices) {
      sell(prices);
      let revenue = 0;
      let cost = 0;
      for (let i = 0; i < count; i++) {
        revenue += number(sold, i) * number(prices, i);
        cost += number(sold, i) * number(unitCosts, i);
      }
      const profit = demand * (revenue - costs * cost);
      return { objective: problem.objective === "profit" ? profit : demand * revenue, profit };
    },
    derive(prices, gradient, hessian) {
      sell(prices);
      for (let i = 0; i < count; i++)
        earned[i] = number(sold, i) * (number(prices, i) - costs * number(charged, i));
      for (let k = 0; k < count; k++) {
        const own = number(sold, k) * number(prices, k);
        let slope = own;
        for (let i = 0; i < count; i++) slope += number(earned, i) * number(elasticities, i * count + k);
        for (let l = 0; l <= k; l++) {
          let bend = own * number(elasticities, k * count + l);
          bend += number(sold, l) * number(prices, l) * number(elasticities, l * count + k);
          if (l === k) bend += own - slope;
          for (let i = 0; i < count; i++)
            bend +=
              number(earned, i) * number(elasticities, i * count + k) * number(elasticities, i * count + l);
          bend /= number(prices, k) * number(prices, l);
          hessian[k * count + l] = bend;
          hessian[l * count + k] = bend;
        }
        gradient[k] = slope / number(prices, k);
      }
    },
    // As for the optimizer, the first-order conditions are all that is asked for.
    certifies: () => true,
  };
}

/**
 * Logit: with shares s, margins m and θ = Σ s_i·m_i, the objective per buyer has the slopes s_k·A_k,
 * A_k = 1 − b_k·(m_k − θ).
 */
export function logitObjective(
  problem: Problem,
  positions: readonly number[],
  joint?: JointBelief,
): JointObjective {
  /** Positions among the parameters of a joint logit. */
  const own = Int32Array.from(problem.names, (name) => joint?.names.indexOf(name) ?? -1);
  const count = problem.tiers.length;
  const models = problem.tiers.map(({ demand }) => logitOf(demand));
  const intercepts = new Float64Array(count);
  const slopes = new Float64Array(count);
  const unitCosts = Float64Array.from(problem.tiers, ({ unit_cost }) => unit_cost);
  const charged = Float64Array.from(unitCosts, (cost) => costFor(problem.objective, cost));
  const shares = new Float64Array(count);
  let market = 1;
  let costs = 1;
  let demand = 1;

  /** The objective per buyer. */
  const sell = (prices: Float64Array): number => {
    let top = 0;
    for (let i = 0; i < count; i++) {
      const utility = number(intercepts, i) - number(slopes, i) * number(prices, i);
      shares[i] = utility;
      if (utility > top) top = utility;
    }
    let total = Math.exp(-top);
    for (let i = 0; i < count; i++) {
      const weight = Math.exp(number(shares, i) - top);
      shares[i] = weight;
      total += weight;
    }
    let ratio = 0;
    for (let i = 0; i < count; i++) {
      const share = number(shares, i) / total;
      shares[i] = share;
      ratio += share * (number(prices, i) - costs * number(charged, i));
    }
    return ratio;
  };
  return {
    enter(scenario) {
      costs = scenario.cost;
      demand = scenario.demand;
      const parameters = scenario.joint;
      if (parameters !== undefined) {
        market = Math.exp(parameters[parameters.length - 1] ?? Number.NaN);
        for (let i = 0; i < count; i++) {
          slopes[i] = parameters[parameters.length - 2] ?? Number.NaN;
          intercepts[i] = parameters[own[i] ?? -1] ?? Number.NaN;
        }
        return;
      }
      for (let i = 0; i < count; i++) {
        const { intercept, price_coefficient, market_size } = at(models, i);
        market = market_size;
        const scale = -(scenario.elasticities[positions[i] ?? -1] ?? -1);
        slopes[i] = price_coefficient * scale;
        // The utility at the current price stays as it is.
        intercepts[i] = intercept + price_coefficient * (scale - 1) * at(problem.tiers, i).current_price;
      }
    },
    valueAt(prices) {
      sell(prices);
      let revenue = 0;
      let cost = 0;
      for (let i = 0; i < count; i++) {
        revenue += number(shares, i) * number(prices, i);
        cost += number(shares, i) * number(unitCosts, i);
      }
      const profit = demand * market * (revenue - costs * cost);
      return { objective: problem.objective === "profit" ? profit : demand * market * revenue, profit };
    },
    derive(prices, gradient, hessian) {
      const ratio = sell(prices);
      for (let k = 0; k < count; k++) {
        const margin = number(prices, k) - costs * number(charged, k);
        gradient[k] = number(shares, k) * (1 - number(slopes, k) * (margin - ratio));
      }
      for (let k = 0; k < count; k++) {
        const own = number(shares, k);
        const slope = number(slopes, k);
        for (let l = 0; l < count; l++) {
          let bend = number(slopes, l) * number(shares, l) * number(gradient, k);
          bend += slope * own * number(gradient, l);
          if (l === k) bend -= slope * (number(gradient, k) + own);
          hessian[k * count + l] = bend;
        }
      }
    },
    /*
     * At fixed θ the objective is a sum of unimodal terms, and a maximum of that sum at its own θ is one of the ratio
     * (Dinkelbach 1967). A tier of its own is at its term's maximum. A tied group is, if all its terms are concave
     * up to the highest price that any member's own maximum asks for.
     */
    certifies(prices, tied) {
      if (tied.every((link) => link === 0)) return true;
      const ratio = sell(prices);
      let first = 0;
      for (let last = 0; last < count; last++) {
        if (tied[last] !== 0 && last + 1 < count) continue;
        if (last > first) {
          let highest = 0;
          let room = Number.POSITIVE_INFINITY;
          for (let i = first; i <= last; i++) {
            const least = costs * number(charged, i) + ratio;
            const share = number(prices, first) / number(prices, i);
            highest = Math.max(highest, (least + 1 / number(slopes, i)) * share);
            room = Math.min(room, (least + 2 / number(slopes, i)) * share);
          }
          if (Math.max(highest, number(prices, first)) > room) return false;
        }
        first = last + 1;
      }
      return true;
    },
  };
}

/** Only for this array type: the engine compiles helpers that see arrays of every kind to slow code. */
function number(values: Float64Array, i: number): number {
  return values[i] ?? Number.NaN;
}

function elasticOf(demand: ConstantElasticity | Logit): ConstantElasticity {
  if (demand.model !== "constant_elasticity") throw new TypeError("not a constant-elasticity tier");
  return demand;
}

function logitOf(demand: ConstantElasticity | Logit): Logit {
  if (demand.model !== "logit") throw new TypeError("not a logit tier");
  return demand;
}
