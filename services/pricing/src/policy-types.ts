import type { PricingInputs, ProposedItem } from "./types.ts";

/** What the policy needs to know of a tier. A current price that is no price is a finding, not an error. */
export type PolicyTier = {
  current_price: number;
  unit_cost?: number;
  bounds?: { min?: number; max?: number };
};

export type PolicyItem = {
  item_id: string;
  segment?: string;
  region?: string;
  tiers: Record<string, PolicyTier>;
};

/** Items as the other tasks take them (demand is not read), or bare prices of one item. */
export type PolicyInputs = Pick<
  PricingInputs,
  "tier_order" | "thresholds" | "max_change_pct" | "price_increment" | "enforce"
> & {
  items?: PolicyItem[];
  /** Price by tier; judged like an item's current prices. */
  prices?: Record<string, number>;
  /** Name of `prices` in the findings; default `prices`. */
  item_id?: string;
  /** For `prices`, and for items that name none. */
  segment?: string;
  region?: string;
  /** Prices to judge beside the current ones. Tiers that a proposal leaves out stay at their current price. */
  proposed?: ProposedItem[];
  /** Tiers whose prices fixes leave alone where possible. */
  anchor?: string | string[];
  /** How much a relative change of a tier counts when a fix is chosen; > 0, default 1. */
  weights?: Record<string, number>;
};

export type ViolationType =
  | "hierarchy_inversion"
  | "insufficient_tier_margin"
  | "invalid_price"
  | "out_of_bounds"
  | "below_minimum_margin"
  | "above_maximum_change";

export type Violation = {
  type: ViolationType;
  item_id: string;
  /** [higher, lower] for a rule between two tiers, else the one tier. */
  tiers: string[];
  /** The prices that were judged, by tier. */
  current: Record<string, number>;
  /** Share of the higher price; negative when inverted. For rules between tiers. */
  actual_gap_pct?: number;
  required_gap_pct?: number;
  /** The least or greatest price that the rule allows; money. For rules on one tier. */
  limit?: number;
  message: string;
};

export type Suggestion = {
  item_id: string;
  /** The tier whose price changes. */
  field: string;
  action: "increase" | "decrease" | "set";
  current: number;
  new_value: number;
  reason: string;
};

/** A rule as conflicts name it. */
export type RuleName =
  | "ordering"
  | "gaps"
  | "bounds"
  | "minimum_margin"
  | "max_change"
  | "anchor"
  | "price_increment"
  | "invalid_price";

export type Conflict = {
  item_id: string;
  /** The rules that cannot hold together. */
  rules: RuleName[];
  tiers: string[];
  /** True: an anchor gave way and the fix is complete. False: the item has no fix and keeps its prices. */
  resolved: boolean;
  message: string;
};

/** `fixed_prices` has the shape that came in: items for items and proposals, price by tier for `prices`. */
export type PolicyVerdict = {
  passed: boolean;
  violations: Violation[];
  suggestions: Suggestion[];
  fixed_prices: ProposedItem[] | Record<string, number>;
  conflicts: Conflict[];
};

/** The verdict at the top is the proposal's if there is one, else that of the current prices. */
export type PolicyResult = PolicyVerdict & {
  current: PolicyVerdict;
  proposed?: PolicyVerdict;
  rule_pack: { name: string; version: string };
  /** The findings in two or three sentences. */
  summary: string;
};
