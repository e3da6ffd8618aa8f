import { at } from "./at.ts";
import { evaluateItem, type Outcome, ownElasticity, totalOutcome } from "./demand.ts";
import { PricingError } from "./errors.ts";
import { limitMoves } from "./limit-moves.ts";
import { type Optimum, solveProblem } from "./optimum.ts";
import { type Link, observedLimits, type Problem, stateProblem } from "./problem.ts";
import { roundOptimum } from "./rounding.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

export type TierOptimum = {
  /** The recommended price: a multiple of the increment that satisfies every enforced rule. */
  readonly price: number;
  /** The optimum before rounding. */
  readonly unrounded: number;
  readonly current_price: number;
  /** (price − current) / current; a share. */
  readonly change_pct: number;
  /** At the recommended price; units and money per period. */
  readonly expected: Outcome;
  readonly current: Outcome;
  /** Own-price elasticity at the recommended price. */
  readonly elasticity: number;
  /**
   * Rules that hold with equality at the unrounded optimum: `bounds_min`, `bounds_max`, `minimum_margin`,
   * `max_change_down`, `max_change_up`, `observed_range_min`, `observed_range_max`, `substitution`, `caution`, `ordering:<higher>><lower>`, `gap:<higher>><lower>`, `gap_amount:<higher>><lower>`, `held`, `frozen`.
   */
  readonly binding: string[];
};

export type ItemOptimum = {
  readonly item_id: string;
  /** In tier order, high to low. */
  readonly tiers: Record<string, TierOptimum>;
  /**
   * Profit or revenue, money per period:
   * at current prices, at recommended prices, and at the unrounded optimum.
   */
  readonly objective: { readonly current: number; readonly expected: number; readonly unrounded: number };
};

/**
 * The optimal prices of one item: the exact optimum under bounds, maximum change, strict ordering and minimum
 * gaps jointly, then the best multiples of the increment that satisfy every rule. Pure and synchronous, so it
 * is cheap to solve again with other costs, demand or settings (`enforce` selects constraint families;
 * `increment: 0` turns rounding off).
 *
 * Units: prices and costs in money per unit, demand in units per period.
 * @throws PricingError INFEASIBLE (no prices satisfy the rules), UNBOUNDED (the objective has no maximum),
 *   INVALID_ITEM (a tier outside the tier order; mixed demand systems). Each has item, tiers and constraint.
 */
export function optimizeItem(given: ResolvedItem, settings: OptimizeSettings): ItemOptimum {
  const item = limitMoves(given, settings);
  const problem = stateProblem(item, settings);
  const optimum = solveProblem(problem);
  if (!Number.isFinite(optimum.objective)) throw overflow(problem);
  const prices = roundOptimum(problem, optimum);
  return describe(item, settings, problem, optimum, prices);
}

/** Names of the rules that hold with equality for tier `i` at the given prices. */
export function bindingAt(
  problem: Problem,
  prices: readonly number[],
  i: number,
  settings: OptimizeSettings,
): string[] {
  const tier = at(problem.tiers, i);
  const price = at(prices, i);
  const names: string[] = [];
  if (tier.held) {
    names.push(tier.move_limits?.by ?? "held");
  } else if (tier.frozen) {
    names.push("frozen");
  } else {
    if (settings.enforce.has("bounds")) {
      if (tier.bounds?.min !== undefined && meets(price, tier.bounds.min)) names.push("bounds_min");
      if (tier.bounds?.max !== undefined && meets(price, tier.bounds.max)) names.push("bounds_max");
      if (
        settings.minimumMargin !== undefined &&
        meets(price, tier.unit_cost * (1 + settings.minimumMargin))
      ) {
        names.push("minimum_margin");
      }
    }
    if (settings.maxChange !== undefined && settings.enforce.has("max_change")) {
      if (meets(price, tier.current_price * (1 - settings.maxChange))) names.push("max_change_down");
      if (meets(price, tier.current_price * (1 + settings.maxChange))) names.push("max_change_up");
    }
    const moves = tier.move_limits;
    if (moves && (meets(price, moves.min) || meets(price, moves.max))) names.push(moves.by);
    const observed = observedLimits(tier, settings);
    if (observed && meets(price, observed.min)) names.push("observed_range_min");
    if (observed && meets(price, observed.max)) names.push("observed_range_max");
  }
  addLink(names, problem, prices, i - 1);
  addLink(names, problem, prices, i);
  return names;
}

function addLink(names: string[], problem: Problem, prices: readonly number[], i: number): void {
  const link: Link | undefined = problem.links[i];
  if (link === undefined) return;
  const higher = at(prices, i);
  const lower = at(prices, i + 1);
  const shareLimit = higher * link.keep;
  const amountLimit = higher - link.amount;
  const orderLimit = higher - link.increment;
  const pair = `${problem.names[i]}>${problem.names[i + 1]}`;
  // Of several rules for the pair only the tightest one binds.
  if (link.gapped && shareLimit <= Math.min(amountLimit, orderLimit)) {
    if (meets(lower, shareLimit)) names.push(`gap:${pair}`);
  } else if (link.amount > 0 && amountLimit <= orderLimit) {
    if (meets(lower, amountLimit)) names.push(`gap_amount:${pair}`);
  } else if (link.ordered && meets(lower, orderLimit)) names.push(`ordering:${pair}`);
}

function meets(price: number, limit: number): boolean {
  return Math.abs(price - limit) <= 1e-9 * Math.abs(limit);
}

function describe(
  item: ResolvedItem,
  settings: OptimizeSettings,
  problem: Problem,
  optimum: Optimum,
  prices: readonly number[],
): ItemOptimum {
  const proposal: Record<string, number> = {};
  for (let i = 0; i < prices.length; i++) proposal[at(problem.names, i)] = at(prices, i);
  const expected = evaluateItem(item, proposal);
  const current = evaluateItem(item, {});
  const tiers: Record<string, TierOptimum> = {};
  for (let i = 0; i < prices.length; i++) {
    const name = at(problem.names, i);
    const tier = at(problem.tiers, i);
    const price = at(prices, i);
    const outcome = outcomeOf(expected, name);
    tiers[name] = {
      price,
      unrounded: at(optimum.prices, i),
      current_price: tier.current_price,
      change_pct: price / tier.current_price - 1,
      expected: outcome,
      current: outcomeOf(current, name),
      elasticity: ownElasticity(tier, price, outcome.demand),
      binding: bindingAt(problem, optimum.prices, i, settings),
    };
  }
  return {
    item_id: item.item_id,
    tiers,
    objective: {
      current: totalOutcome(current)[settings.objective],
      expected: totalOutcome(expected)[settings.objective],
      unrounded: optimum.objective,
    },
  };
}

function outcomeOf(outcomes: Readonly<Record<string, Outcome>>, name: string): Outcome {
  const outcome = outcomes[name];
  if (outcome === undefined) throw new RangeError("no such tier");
  return outcome;
}

function overflow(problem: Problem): PricingError {
  return new PricingError(
    "INVALID_ITEM",
    `Item ${problem.itemId}: its demand exceeds what numbers can hold.`,
    {
      item_id: problem.itemId,
      constraint: "demand",
    },
  );
}
