/**
 * Wire shapes of the pricing domain (snake_case, as agents receive and send them).
 * Prices and costs are money per unit.
 */

/** q(p) = reference_quantity · (p / reference_price)^elasticity; elasticity < 0. */
export type ConstantElasticity = {
  model: "constant_elasticity";
  reference_price: number;
  /** Units sold per period at the reference price. */
  reference_quantity: number;
  elasticity: number;
  /** Standard error of the elasticity estimate. */
  elasticity_se?: number;
};

/**
 * Multinomial logit across the item's tiers with an outside option: q_i = M·exp(a_i − b_i·p_i) / (1 + Σ_j
 * exp(a_j − b_j·p_j)).
 */
export type Logit = {
  model: "logit";
  /** M, units per period; equal in all tiers of an item. */
  market_size: number;
  intercept: number;
  /** b > 0, per unit of money. */
  price_coefficient: number;
};

/** Log-log least squares on a named dataset: ln(quantity) = a + elasticity·ln(price) + Σ controls. */
export type Fit = {
  model: "fit";
  /** An id, never a path. */
  dataset: string;
  /** Rows to use: column equals value. */
  where?: Record<string, string | number>;
  price: string;
  quantity: string;
  /** Numeric columns that enter linearly. */
  controls?: string[];
};

export type DemandSpec = ConstantElasticity | Logit | Fit;

export type Tier = {
  current_price: number;
  unit_cost: number;
  demand: DemandSpec;
  bounds?: { min?: number; max?: number };
};

export type Item = {
  item_id: string;
  segment?: string;
  region?: string;
  tiers: Record<string, Tier>;
};

/** The result of a `fit`. The estimates are absent if the price never varied. */
export type FitReport = {
  elasticity?: number;
  /** HC1, robust to heteroskedasticity. */
  elasticity_se?: number;
  /** 95%, Student t. */
  interval?: { low: number; high: number };
  r2?: number;
  /** Rows used. */
  n: number;
  /** Rows that matched but had a non-positive or unreadable price, quantity or control. */
  dropped_rows: number;
  /** False if the interval includes 0, demand rises with the price, n < 30, or the price never varied. */
  identified: boolean;
  /** Controls that entered (constant and collinear ones are left out, with a warning). */
  controls: string[];
};

export type ResolvedTier = {
  current_price: number;
  unit_cost: number;
  demand: ConstantElasticity | Logit;
  bounds?: { min?: number; max?: number };
  fit?: FitReport;
  /** The price is kept, because the data do not identify the elasticity. */
  held?: true;
};

/** An item with every `fit` replaced by the fitted model. */
export type ResolvedItem = {
  item_id: string;
  segment?: string;
  region?: string;
  tiers: Record<string, ResolvedTier>;
};

export type ProposedItem = { item_id: string; tiers: Record<string, { price: number }> };

export type ConstraintFamily = "bounds" | "max_change" | "ordering" | "gaps";

export type Objective = "profit" | "revenue";

export type PricingInputs = {
  items: Item[];
  /** High to low; default new, exchange, repair, usm. */
  tier_order?: string[];
  /** Minimum gaps as shares of the higher price: `default` or `<higher>_<lower>`. */
  thresholds?: Record<string, number>;
  objective?: Objective;
  /** Share of the current price. */
  max_change_pct?: number;
  /** Money; 0 means no rounding. */
  price_increment?: number;
  enforce?: ConstraintFamily[];
};
