import type { ShadowPrice } from "./shadow-prices.ts";

/** What moves a price from where it is to where it is proposed. */
export type Factor =
  | "unit_cost"
  | "objective"
  | "elasticity"
  | "demand_level"
  | "bounds"
  | "max_change"
  | "ordering"
  | "gaps"
  | "rounding"
  | "policy_repair"
  | "proposal";

export type Attribution = {
  factor: Factor;
  /** Money (a price) or money per period (profit). The values of one list sum to `to − from`. */
  value: number;
  /** The factor's value under which today's prices would be best, and its actual one; where it has one for the tier. */
  baseline?: number;
  actual?: number;
};

/** A quantity, where it comes from and goes to, and what takes it there. */
export type Move = { from: number; to: number; attributions: Attribution[] };

export type TierExplanation = {
  price: Move;
  narrative: string;
  /** Rules that hold with equality at the optimum, with what relaxing them is worth. */
  binding: ShadowPrice[];
  /** The price was not up for change: the data do not tell how demand answers to it. */
  held?: true;
};

export type ItemExplanation = {
  item_id: string;
  tiers: Record<string, TierExplanation>;
  /** Money per period, at actual costs and demand. */
  profit: Move;
  /** Where revenue is the objective. */
  revenue?: Move;
};

export type TraceStep = { step: string; detail: string };

export type Explanation = {
  items: ItemExplanation[];
  summary: string;
  trace: TraceStep[];
  /** Items that were optimized but not explained, because `max_items` was reached. */
  omitted: number;
};
