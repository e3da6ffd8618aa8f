import type { OrderConstraint } from "./constraints/constraint.ts";
import type { Finding } from "./data/findings.ts";
import type { Language } from "./texts/language.ts";

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
  /** Degrees of freedom of the standard error; absent: a normal distribution. Only fits set it. */
  elasticity_df?: number;
  /**
   * Elasticities with respect to the prices of other tiers of the item, relative to their current prices. Only
   * fits set it.
   */
  cross?: Record<string, number>;
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

/** Demand with constant elasticity, estimated on rows of a named dataset. Columns are named, never indexed. */
export type Fit = {
  model: "fit";
  /** An id, never a path. */
  dataset: string;
  /** Rows to use: column equals value. */
  where?: Record<string, string | number>;
  price: string;
  quantity: string;
  /** Numeric columns enter linearly, columns of names as categories. */
  controls?: string[];
  /** `auto`: log-log least squares (ols) if every row has sales, else Poisson pseudo-maximum likelihood (ppml). */
  estimator?: "auto" | Exclude<Estimator, "tobit">;
  /** Errors of rows with the same value depend on each other, say those of one store. */
  cluster?: string;
  /** Errors depend on each other along this column, say the week. */
  time?: string;
  /** Columns with an effect of their own for each value. */
  fixed_effects?: string[];
  /** `auto`: a yearly sine and cosine if the time column spans two years. */
  seasonality?: "auto" | "none";
  /** `auto`: elasticities of other values of the `where` columns are used too, as far as they resemble each other. */
  pooling?: "auto" | "none";
  /** What the prices of the rows were moved by, as far as somebody knows: `[]` for neither; absent: nobody said. */
  prices_follow?: PriceCause[];
  /** How the item's tiers take sales from each other. */
  substitution?: "auto" | Substitution;
};

export type PriceCause = "demand" | "rivals";

/** ln q by least squares, or q by Poisson pseudo-maximum likelihood. */
export type Estimator = "ols" | "ppml" | "tobit";

export type Substitution = "logit" | "cross_price" | "none";

export type DemandSpec = ConstantElasticity | Logit | Fit;

export type Tier = {
  current_price: number;
  unit_cost: number;
  demand: DemandSpec;
  bounds?: { min?: number; max?: number };
  /** The price stays, whatever the other rules are. Only constraints set it; requests cannot. */
  frozen?: true;
};

export type Item = {
  item_id: string;
  /** What people call the item. */
  name?: string;
  segment?: string;
  region?: string;
  tiers: Record<string, Tier>;
};

/** How demand depends on the price. `log_quadratic`: the elasticity falls in size as the price rises. */
export type DemandForm = "constant_elasticity" | "semi_log" | "linear" | "logit" | "log_quadratic" | "kinked";

/** A form of demand, fitted on the rows of a fit. Elasticities are at the `centre`, a price. */
export type FormFit = {
  readonly form: DemandForm;
  /** False if the rows reject it. */
  readonly plausible: boolean;
  /** Of a kink: not ruled out for sure. */
  readonly doubtful?: true;
  readonly centre: number;
  readonly elasticity: number;
  readonly elasticity_se?: number;
  readonly degrees_of_freedom: number;
  /** Of a form with one parameter: the t statistic of a free curvature beside it. */
  readonly misfit_t?: number;
  /** 1 − loss on held-out blocks / that without a price. */
  readonly held_out?: number;
  /** Of logit and log_quadratic: the coefficient of ln² p, and variance, covariance and variance of both. */
  readonly curvature?: number;
  readonly covariance?: readonly [number, number, number];
  /** Of a kink: the elasticity above the centre; `elasticity` is the one below. */
  readonly elasticity_above?: number;
  readonly elasticity_above_se?: number;
};

/** The result of a `fit`. The estimates are absent if the price never varied or the estimator did not converge. */
export type FitReport = {
  elasticity?: number;
  elasticity_se?: number;
  /** 95%, Student t. */
  interval?: { low: number; high: number };
  /** Of the tier's demand with respect to the prices of other tiers, if they were fitted together. */
  cross?: Record<
    string,
    { elasticity: number; elasticity_se: number; interval: { low: number; high: number } }
  >;
  /** What it was drawn towards: the elasticities of other items. `weight` is their share, `own` what its rows alone say. */
  pooling?: {
    items: number;
    mean: number;
    between_sd: number;
    weight: number;
    own: { elasticity: number; elasticity_se: number };
  };
  r2?: number;
  /** Standard deviation of a row's error in ln quantity; for ppml relative to the mean quantity. */
  residual_sd?: number;
  /** Standard error of the mean quantity at one price, relative to it. */
  demand_se?: number;
  /** Rows used. */
  n: number;
  /** Rows that matched but could not be used. */
  dropped_rows: number;
  /** False if the estimate cannot carry a price: see `reason`. */
  identified: boolean;
  /** Why it is not identified. */
  reason?: string;
  /** Controls that entered (constant and collinear ones are left out, with a warning), those of the season too. */
  controls: string[];
  estimator: Estimator;
  estimator_reason: string;
  /** Rows without sales: used by ppml, dropped by ols. */
  zero_rows: number;
  /** How the standard error was computed. */
  inference?: {
    method: "hc1" | "hc3" | "cluster" | "hac" | "cluster_or_hac";
    cluster?: string;
    clusters?: number;
    time?: string;
    periods?: number;
    degrees_of_freedom: number;
  };
  fixed_effects: string[];
  /** Prediction of held-out blocks against the same model without the price. */
  validation?: { folds: number; blocks: "time" | "rows"; predictive_r2: number; calibration: number };
  /** Lowest and highest price that several of the rows used support. */
  observed_range: { low: number; high: number };
  /** What the data gate found. */
  findings?: Finding[];
  /** What prices followed, as the request says; absent: it is asked. */
  prices_follow?: PriceCause[];
};

/** How the tiers of an item with fitted demand take sales from each other (wire shape). */
export type SubstitutionReport = {
  model: Substitution;
  /** `held_out`: predicts best; `requested`; `assumed`: the data cannot tell. */
  basis: "held_out" | "requested" | "assumed";
  reason: string;
  /** Occasions with sales data of every tier. */
  occasions?: number;
  /** 1 − loss on held-out occasions / that of each tier's mean, by model. */
  held_out?: Partial<Record<Substitution, number>>;
  /** Where it is assumed: the largest share of lost buyers that may go to the item's other tiers. */
  diversion?: number;
};

/** Demand of n tiers with cross-price effects, ln q_i = levels_i + Σ_j elasticities[i][j]·ln p_j, with its errors. */
export type CrossFit = {
  readonly elasticities: readonly (readonly number[])[];
  /** ln of the expected quantity of each tier if all prices were 1 (money), the controls as in the data. */
  readonly levels: readonly number[];
  /**
   * The covariance of all n² elasticities, row by row, is Σ_k factors[k]·factors[k]ᵀ. Tiers share their shocks, so
   * errors of different rows are correlated.
   */
  readonly factors: readonly (readonly number[])[];
  /** Of the t distribution that any sum of the elasticities has. */
  readonly degreesOfFreedom: number;
  readonly method: "cluster" | "hac";
};

/**
 * Demand of n tiers with elasticities that change with all prices: ln q_i is quadratic in the z_j = ln p_j − centres[j].
 * Coefficients of each tier: of z_1 … z_n, then of the products z_a·z_b, a ≤ b, by a and then b.
 */
export type CurvedFit = {
  readonly centres: readonly number[];
  readonly coefficients: readonly (readonly number[])[];
  /** As of a `CrossFit`. */
  readonly factors: readonly (readonly number[])[];
  readonly degreesOfFreedom: number;
  /** Whether the rows reject constant elasticities, and the logit's shares that do not depend on third prices (IIA). */
  readonly rejectsConstant: boolean;
  readonly rejectsLogit: boolean;
};

/** A joint fit of an item's tiers. */
export type JointDemand = {
  readonly names: readonly string[];
  /** What the model is tested against; absent with too few occasions for it. */
  readonly curved?: CurvedFit;
} & (
  | {
      readonly model: "logit";
      /** Parameters a_i, b, ln M in the order of `names`, with their covariance. */
      readonly logit: {
        readonly parameters: readonly number[];
        readonly covariance: readonly (readonly number[])[];
        readonly degreesOfFreedom: number;
      };
    }
  | { readonly model: "cross_price"; readonly cross: CrossFit }
);

export type ResolvedTier = {
  current_price: number;
  unit_cost: number;
  demand: ConstantElasticity | Logit;
  bounds?: { min?: number; max?: number };
  fit?: FitReport;
  /** Forms of the fitted demand, those that the rows reject among them; absent if they could not be compared. */
  forms?: readonly FormFit[];
  frozen?: true;
  /** The price is kept, because the data do not identify the elasticity. */
  held?: true;
  /** The price stays in this range, because more could lose: by what the data leave open, or under plausible substitution. */
  move_limits?: { min: number; max: number; by: MoveLimit };
};

export type MoveLimit = "caution" | "substitution";

/** An item with every `fit` replaced by the fitted model. */
export type ResolvedItem = {
  item_id: string;
  name?: string;
  segment?: string;
  region?: string;
  tiers: Record<string, ResolvedTier>;
  /** Present if several tiers have fitted demand. */
  substitution?: SubstitutionReport;
  joint?: JointDemand;
  /** Why and how far its prices are limited, and the prices that it stops short of, with their gains; by `limitMoves`. */
  limited?: {
    by: MoveLimit;
    share: number;
    full: Readonly<Record<string, number>>;
    expected_gain: number;
    cautious_gain: number;
  };
};

export type ProposedItem = { item_id: string; tiers: Record<string, { price: number }> };

export type ConstraintFamily = "bounds" | "max_change" | "ordering" | "gaps";

export type Objective = "profit" | "revenue";

export type PricingInputs = {
  /** The name of the catalogue that the items are from, for those who print the answer. */
  catalogue?: string;
  items: Item[];
  /** High to low; default new, exchange, repair, usm. */
  tier_order?: string[];
  /** The minimum gap of all pairs of adjacent tiers: a share of the higher price, an amount of money, or both. */
  min_gap?: { share?: number; amount?: number };
  /** Minimum gaps by pair, `<higher>_<lower>`, or `default`: a share of the higher price, or as `min_gap`. */
  thresholds?: Record<string, number | { share?: number; amount?: number }>;
  objective?: Objective;
  /** Share of the current price. */
  max_change_pct?: number;
  /** Money; 0 means no rounding. */
  price_increment?: number;
  enforce?: ConstraintFamily[];
  /** Allows prices outside the range that the data of a `fit` have. */
  extrapolate?: boolean;
  /** How far recommended prices may leave that range: a share of its ends, default 0. */
  observed_margin?: number;
  /** ISO 4217 and BCP 47, for those who print the answer. */
  currency?: string;
  locale?: string;
  /** The language of the texts in the answer; default en. */
  language?: Language;
  /** Region and segment of items that have none. */
  region?: string;
  segment?: string;
  /** What was said; see `applyConstraints`. */
  constraints?: OrderConstraint[];
};
