import type { ShadowPrice } from "./shadow-prices.ts";

/** What contributes to the difference between the current and the proposed price. */
export type Factor =
  | "unit_cost"
  | "objective"
  | "elasticity"
  | "demand_level"
  | "bounds"
  | "max_change"
  | "ordering"
  | "gaps"
  | "observed_range"
  | "substitution"
  | "caution"
  | "rounding"
  | "policy_repair"
  | "proposal";

export type Attribution = {
  factor: Factor;
  /** Money (a price) or money per period (profit). The values of one list sum to `to − from`. */
  value: number;
  /**
   * The parameter value under which today's prices would be optimal, and the actual one; only for factors
   * that have such a value per tier.
   */
  baseline?: number;
  actual?: number;
};

/** A change of a quantity, attributed to factors. */
export type Move = { from: number; to: number; attributions: Attribution[] };

export type TierExplanation = {
  price: Move;
  narrative: string;
  /** Rules that hold with equality at the optimum, with their shadow prices. */
  binding: ShadowPrice[];
  /** The price was kept, because the data do not identify the elasticity of demand. */
  held?: true;
  /** Why they do not. */
  held_reason?: string;
};

/**
 * The convention that an attribution rests on. A hypothetical case may have no best price, because it leaves out the
 * rules that limit it: the price is then taken to stop at these multiples of today's and the proposed price.
 */
export type Convention = {
  /** Hypothetical cases in which a price stops there, of all that were solved. */
  cases: number;
  of: number;
  /** The highest price is the higher of the two times this, the lowest the lower divided by it. */
  multiple: number;
  /** Where the objective rises without end. */
  open_multiple: number;
};

export type ItemExplanation = {
  item_id: string;
  tiers: Record<string, TierExplanation>;
  /** Money per period, at actual costs and demand. */
  profit: Move;
  /** Present if revenue is the objective. */
  revenue?: Move;
  /** Present if the attribution rests on it. */
  convention?: Convention;
};

export type TraceStep = { step: string; detail: string };

export type Explanation = {
  items: ItemExplanation[];
  summary: string;
  trace: TraceStep[];
  /** Items that were optimized but not explained, because `max_items` was reached. */
  omitted: number;
};
