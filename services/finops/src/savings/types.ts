/** A resource as billing and inventory know it. What is absent is not known, which is never taken for 0. */
export type Resource = {
  readonly resource_id: string;
  readonly kind: ResourceKind;
  /** As billed; at on-demand rates for usage of a pool, whose cost is counted there alone. */
  readonly monthly_cost: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly usage?: ResourceUsage;
  /** Whether anything uses it: a disk or address is attached, a load balancer has targets, a snapshot its disk. */
  readonly attached?: boolean;
  readonly storage?: StoredData;
  /** What it could be instead. */
  readonly sizes?: readonly Size[];
};

export type ResourceKind =
  | "compute"
  | "database"
  | "disk"
  | "snapshot"
  | "address"
  | "load_balancer"
  | "object_storage"
  | "other";

/** Measured over `days` days. Shares are of today's capacity, 0 to 1. */
export type ResourceUsage = {
  readonly days: number;
  readonly cpu_peak?: number;
  readonly cpu_p95?: number;
  readonly memory_p95?: number;
  readonly network_mb_per_day?: number;
  readonly requests_per_day?: number;
};

/** Capacities are multiples of today's: 0.5 is half of it. */
export type Size = {
  readonly name: string;
  readonly cpu: number;
  readonly memory: number;
  readonly monthly_cost: number;
};

export type StoredData = {
  readonly gb: number;
  readonly tier: string;
  readonly read_gb_per_month?: number;
};

/** Rates per GB and month, and per GB read. */
export type StorageTier = {
  readonly name: string;
  readonly gb_month: number;
  readonly gb_read: number;
};

/** A flow of data, and another way for it where there is one: at a rate per GB and a fee. */
export type Transfer = {
  readonly transfer_id: string;
  readonly gb_per_month: number;
  readonly monthly_cost: number;
  readonly alternative?: { readonly name: string; readonly per_gb: number; readonly monthly_fee: number };
};

/** Usage that one kind of commitment can cover. */
export type CommitmentPool = {
  readonly name: string;
  readonly grain: "hour" | "day";
  /** Cost per period at on-demand rates, whatever covers it today; null: no data. The same periods for all. */
  readonly usage: readonly PoolUsage[];
  /** Commitments of this kind that go on, per period at committed rates. */
  readonly existing?: { readonly per_period: number; readonly discounts: Discounts };
  /** What can be bought: the alternatives. */
  readonly options: readonly CommitmentOption[];
};

export type PoolUsage = {
  readonly group: string;
  /** So that what changes a resource changes the usage. */
  readonly resource_id?: string;
  readonly on_demand: readonly (number | null)[];
};

/** By group of usage: the share that it takes off on-demand rates, 0 ≤ d < 1. A group that it has not is not covered. */
export type Discounts = Readonly<Record<string, number>>;

export type CommitmentOption = {
  readonly name: string;
  readonly term_months: number;
  readonly discounts: Discounts;
};

/** What counts as idle or too large, and what must be tagged. */
export type SavingsRules = {
  /** Days that usage was measured over, at least. */
  readonly least_days: number;
  readonly idle_cpu_peak: number;
  readonly idle_network_mb_per_day: number;
  readonly idle_requests_per_day: number;
  /** The shares of capacity that a smaller size may use at the 95th percentile. */
  readonly most_cpu: number;
  readonly most_memory: number;
  readonly required_tags: readonly string[];
  /** See `RiskOptions`. */
  readonly level_deviation: number;
};

export type SavingsRequest = {
  readonly resources: readonly Resource[];
  readonly pools?: readonly CommitmentPool[];
  readonly transfers?: readonly Transfer[];
  readonly tiers?: readonly StorageTier[];
  readonly rules?: Partial<SavingsRules>;
  /** Kinds that are recommended; absent: all. */
  readonly kinds?: readonly RecommendationKind[];
  readonly seed?: number;
};

export type RecommendationKind =
  | "commitment"
  | "rightsizing"
  | "idle"
  | "orphaned"
  | "storage_tier"
  | "data_transfer"
  | "untagged";

export type Grade = "low" | "medium" | "high";

/** What was measured, and what it was held against. */
export type Evidence = {
  readonly measure: string;
  readonly value: number | string;
  readonly threshold?: number;
};

/** A proposal to whoever carries it out, behind an approval. */
export type Action = {
  readonly type: "buy_commitment" | "resize" | "stop" | "delete" | "change_tier" | "reroute" | "tag";
  readonly target: string;
  readonly parameters: Readonly<Record<string, string | number | readonly string[]>>;
  readonly reversible: boolean;
  readonly requires_approval: true;
};

export type Recommendation = {
  /** The kind and what it is about. */
  readonly id: string;
  readonly kind: RecommendationKind;
  /** Alone, with all else as it is. */
  readonly monthly_saving: number;
  /** The part of the joint saving that it adds to those before it. */
  readonly joint_saving: number;
  /** Others about the same resource or the same usage: together they save less than their sum. */
  readonly overlaps: readonly string[];
  readonly confidence: Grade;
  /** 5 and 95 % of the monthly saving if usage varies as it has; where it could be drawn. */
  readonly range?: readonly [number, number];
  readonly effort: Grade;
  readonly risk: Grade;
  readonly evidence: readonly Evidence[];
  readonly action: Action;
};

/** "No usage data" is not "idle". `subject` is a resource, a pool, or a provider of which no commitment is known. */
export type NotJudged = {
  readonly subject: string;
  readonly about: RecommendationKind;
  readonly reason:
    | "NO_USAGE_DATA"
    | "TOO_FEW_DAYS"
    | "NO_SIZES"
    | "NO_OFFERS"
    | "UNKNOWN_TIER"
    | "NO_READ_DATA"
    | "ATTACHMENT_UNKNOWN";
};

export type SavingsPlan = {
  /** In the order in which they are best carried out: what lowers usage first, commitments last. */
  readonly recommendations: readonly Recommendation[];
  /** The sum of what each would save alone. */
  readonly sum: number;
  /** What all of them save together. */
  readonly joint: number;
  /** The commitments of the joint saving, for the usage that is left then. */
  readonly joint_commitments: readonly {
    readonly pool: string;
    readonly option: string;
    readonly per_period: number;
    readonly monthly_saving: number;
  }[];
  readonly not_judged: readonly NotJudged[];
  /** Untagged spend is no saving. */
  readonly untagged: { readonly monthly_cost: number; readonly share: number };
};
