import type { Failure } from "./failures.ts";
import type { PricingInputs, ProposedItem } from "./types.ts";

/** The fields of a tier that the policy reads. An invalid current price is a violation, not an error. */
export type PolicyTier = {
  current_price: number;
  unit_cost?: number;
  bounds?: { min?: number; max?: number };
  /** As in `Tier`. */
  frozen?: true;
};

export type PolicyItem = {
  item_id: string;
  name?: string;
  segment?: string;
  region?: string;
  tiers: Record<string, PolicyTier>;
};

/** Items in the shape of the other pricing tasks (demand is ignored), or only the prices of one item. */
export type PolicyInputs = Pick<
  PricingInputs,
  | "tier_order"
  | "min_gap"
  | "thresholds"
  | "max_change_pct"
  | "price_increment"
  | "enforce"
  | "currency"
  | "locale"
  | "catalogue"
  | "language"
  | "constraints"
> & {
  items?: PolicyItem[];
  /** Price by tier of one item, checked like an item's current prices. */
  prices?: Record<string, number>;
  /** The item id that results report for `prices`; default `prices`. */
  item_id?: string;
  /** Segment and region of `prices`, and of items that have none. */
  segment?: string;
  region?: string;
  /**
   * Prices to check in addition to the current ones. Tiers without a proposed price keep their current price.
   */
  proposed?: ProposedItem[];
  /** Tiers whose prices fixes keep if possible. */
  anchor?: string | string[];
  /** Weight by tier of a relative price change when a fix is chosen; > 0, default 1. */
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
  /** [higher, lower] for a rule between two tiers, else the single tier. */
  tiers: string[];
  /** The checked prices, by tier. */
  current: Record<string, number>;
  /** Only for rules between tiers: share of the higher price; negative if the pair is inverted. */
  actual_gap_pct?: number;
  /** What share and amount of the gap come to at the higher price. */
  required_gap_pct?: number;
  /** Only for gaps with an amount; money. */
  actual_gap_amount?: number;
  required_gap_amount?: number;
  /** Only for rules on one tier: the lowest or highest price that the rule allows; money. */
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

/** The rules that a conflict can name. */
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
  /** The rules that contradict each other. */
  rules: RuleName[];
  tiers: string[];
  /**
   * True: an anchor was released and the fix satisfies all rules.
   * False: the item has no fix and keeps its prices.
   */
  resolved: boolean;
  message: string;
};

/**
 * The result of one check. `fixed_prices` has the shape of the input: items for `items` and `proposed`, price
 * by tier for `prices`.
 */
export type PolicyVerdict = {
  passed: boolean;
  violations: Violation[];
  suggestions: Suggestion[];
  fixed_prices: ProposedItem[] | Record<string, number>;
  conflicts: Conflict[];
};

/** The top-level verdict is on the proposed prices if there are any, else on the current prices. */
export type PolicyResult = PolicyVerdict & {
  current: PolicyVerdict;
  proposed?: PolicyVerdict;
  /** Items that could not be checked; the verdicts are on the others. */
  failures: Failure[];
  rule_pack: { name: string; version: string };
  /** A summary in two or three sentences, and the violations. */
  summary: string;
};
