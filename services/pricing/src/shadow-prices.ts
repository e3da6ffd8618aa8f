import { at } from "./at.ts";
import { limitMoves } from "./limit-moves.ts";
import { bindingAt } from "./optimize-item.ts";
import { solveProblem } from "./optimum.ts";
import { type Link, type Problem, stateProblem } from "./problem.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

export type ShadowPrice = {
  /** As in `TierOptimum.binding`. A rule between two tiers is listed for both. */
  readonly constraint: string;
  /**
   * Marginal gain of the objective, in money per period, per unit by which the rule is relaxed: per unit of
   * money for price limits, ordering and amounts of gaps, per unit of share for gaps (multiply by 0.01 for one
   * percentage point). Never negative.
   */
  readonly shadow_price: number;
};

/**
 * Step of the finite difference: a share of the price, or for a gap an absolute share. Small enough for the
 * curvature, large enough for rounding errors.
 */
const STEP = 1e-4;

/**
 * The shadow price of every binding rule, by tier: the one-sided derivative of the optimal objective (before
 * rounding) as that rule alone is relaxed, by Richardson extrapolation of two re-solved optima (2·D(h/2) −
 * D(h), error O(h²)). If several limits stop the price at the same point, relaxing one of them gains nothing,
 * so its shadow price is 0. `held` and
 * `substitution` have no shadow price, because the effect of moving that price is unknown; `frozen` is no limit.
 * @throws PricingError as `optimizeItem`
 */
export function shadowPrices(given: ResolvedItem, settings: OptimizeSettings): Record<string, ShadowPrice[]> {
  const problem = stateProblem(limitMoves(given, settings), settings);
  const optimum = solveProblem(problem);
  const result: Record<string, ShadowPrice[]> = {};
  problem.names.forEach((name, i) => {
    const binding = bindingAt(problem, optimum.prices, i, settings).filter(
      (constraint) =>
        constraint !== "held" &&
        constraint !== "frozen" &&
        constraint !== "substitution" &&
        constraint !== "caution",
    );
    result[name] = binding.map((constraint) => {
      const rivals = binding.filter((other) => sideOf(other) === sideOf(constraint));
      if (sideOf(constraint) !== "link" && rivals.length > 1) return { constraint, shadow_price: 0 };
      const step = constraint.startsWith("gap:") ? STEP : STEP * at(optimum.prices, i);
      const gain = (size: number) =>
        (solveProblem(relaxed(problem, i, constraint, size)).objective - optimum.objective) / size;
      return { constraint, shadow_price: Math.max(0, 2 * gain(step / 2) - gain(step)) };
    });
  });
  return result;
}

function sideOf(constraint: string): "low" | "high" | "link" {
  if (constraint.includes(":")) return "link";
  return constraint.endsWith("_max") || constraint.endsWith("_up") ? "high" : "low";
}

function relaxed(problem: Problem, i: number, constraint: string, by: number): Problem {
  const side = sideOf(constraint);
  if (side === "low") return { ...problem, low: problem.low.with(i, Math.max(0, at(problem.low, i) - by)) };
  if (side === "high") return { ...problem, high: problem.high.with(i, at(problem.high, i) + by) };
  // The constraint reads `<rule>:<higher>><lower>`, and tier i is one of the two.
  const link = constraint.endsWith(`>${at(problem.names, i)}`) ? i - 1 : i;
  const looser = (old: Link): Link => {
    if (constraint.startsWith("gap:")) return { ...old, keep: old.keep + by };
    const loosened = constraint.startsWith("gap_amount:")
      ? { ...old, amount: old.amount - by }
      : { ...old, increment: old.increment - by };
    const offset = old.amount > 0 ? Math.max(loosened.increment, loosened.amount) : loosened.increment;
    return { ...loosened, offset };
  };
  return {
    ...problem,
    links: problem.links.map((old, position) => (position === link && old ? looser(old) : old)),
  };
}
