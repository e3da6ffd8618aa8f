import type {
  Action,
  Evidence,
  Grade,
  NotJudged,
  RecommendationKind,
  Resource,
  ResourceUsage,
  SavingsRules,
  Size,
  StorageTier,
  Transfer,
} from "./types.ts";

/** A recommendation before it is known what it saves. */
export type Finding = {
  readonly kind: RecommendationKind;
  readonly resource: string;
  /** The share of its cost that is left. */
  readonly factor: number;
  readonly confidence: Grade;
  readonly effort: Grade;
  readonly risk: Grade;
  readonly evidence: readonly Evidence[];
  readonly action: Action;
};

export type Judged = { readonly finding: Finding } | { readonly notJudged: NotJudged } | undefined;

/** Kinds of which one that nothing is attached to serves nobody. */
const ATTACHED: readonly Resource["kind"][] = ["disk", "snapshot", "address", "load_balancer"];

export function judgeOrphaned({ resource_id, kind, attached, monthly_cost }: Resource): Judged {
  if (!ATTACHED.includes(kind) || attached === true) return undefined;
  if (attached === undefined) return notJudged(resource_id, "orphaned", "ATTACHMENT_UNKNOWN");
  // A load balancer or an address is made again in a minute; data are gone for good.
  const data = kind === "disk" || kind === "snapshot";
  return found("orphaned", resource_id, 0, {
    confidence: "high",
    effort: "low",
    risk: data ? "medium" : "low",
    evidence: [
      { measure: "attached", value: "no" },
      { measure: "monthly_cost", value: monthly_cost },
    ],
    action: action("delete", resource_id, { snapshot_first: kind === "disk" ? "yes" : "no" }, false),
  });
}

/** Idle if every activity that was measured is below its limit; the peak of the CPU or requests must have been. */
export function judgeIdle({ resource_id, kind, usage }: Resource, rules: SavingsRules): Judged {
  if (kind !== "compute" && kind !== "database" && kind !== "load_balancer") return undefined;
  const measured = usage === undefined ? [] : activity(usage, rules);
  if (usage === undefined || !measured.some(({ measure }) => measure !== "network_mb_per_day"))
    return notJudged(resource_id, "idle", "NO_USAGE_DATA");
  if (usage.days < rules.least_days) return notJudged(resource_id, "idle", "TOO_FEW_DAYS");
  if (measured.some(({ value, threshold }) => value >= threshold)) return undefined;
  return found("idle", resource_id, 0, {
    confidence: measured.length > 1 ? "high" : "medium",
    effort: "low",
    risk: kind === "database" ? "high" : "medium",
    evidence: [{ measure: "days", value: usage.days, threshold: rules.least_days }, ...measured],
    action: action(kind === "load_balancer" ? "delete" : "stop", resource_id, {}, kind !== "load_balancer"),
  });
}

function activity(usage: ResourceUsage, rules: SavingsRules) {
  const limits = [
    ["cpu_peak", rules.idle_cpu_peak],
    ["network_mb_per_day", rules.idle_network_mb_per_day],
    ["requests_per_day", rules.idle_requests_per_day],
  ] as const;
  return limits.flatMap(([measure, threshold]) => {
    const value = usage[measure];
    return value === undefined ? [] : [{ measure, value, threshold }];
  });
}

/** The cheapest size that the usage fits. Where memory was not measured, none with less of it. */
export function judgeSize(
  { resource_id, kind, usage, sizes, monthly_cost }: Resource,
  rules: SavingsRules,
): Judged {
  if (kind !== "compute" && kind !== "database") return undefined;
  if (usage?.cpu_p95 === undefined) return notJudged(resource_id, "rightsizing", "NO_USAGE_DATA");
  if (usage.days < rules.least_days) return notJudged(resource_id, "rightsizing", "TOO_FEW_DAYS");
  if (sizes === undefined || sizes.length === 0) return notJudged(resource_id, "rightsizing", "NO_SIZES");
  const { cpu_p95: cpu, memory_p95: memory, days } = usage;
  const fits = (size: Size) =>
    cpu <= rules.most_cpu * size.cpu &&
    (memory === undefined ? size.memory >= 1 : memory <= rules.most_memory * size.memory);
  const [size] = sizes
    .filter((one) => one.monthly_cost < monthly_cost && fits(one))
    .sort((a, b) => a.monthly_cost - b.monthly_cost);
  if (size === undefined) return undefined;
  return found("rightsizing", resource_id, size.monthly_cost / monthly_cost, {
    confidence: memory === undefined ? "medium" : "high",
    effort: "medium",
    risk: kind === "database" ? "high" : "medium",
    evidence: [
      { measure: "days", value: days, threshold: rules.least_days },
      { measure: "cpu_p95", value: cpu, threshold: rules.most_cpu * size.cpu },
      ...(memory === undefined
        ? []
        : [{ measure: "memory_p95", value: memory, threshold: rules.most_memory * size.memory }]),
    ],
    action: action("resize", resource_id, { size: size.name }, true),
  });
}

/** The tier where storing and reading cost least. */
export function judgeTier({ resource_id, storage }: Resource, tiers: readonly StorageTier[]): Judged {
  if (storage === undefined || tiers.length === 0) return undefined;
  const { gb, read_gb_per_month: read } = storage;
  const now = tiers.find(({ name }) => name === storage.tier);
  if (now === undefined) return notJudged(resource_id, "storage_tier", "UNKNOWN_TIER");
  if (read === undefined) return notJudged(resource_id, "storage_tier", "NO_READ_DATA");
  const cost = ({ gb_month, gb_read }: StorageTier) => gb * gb_month + read * gb_read;
  const best = tiers.reduce((a, b) => (cost(b) < cost(a) ? b : a), now);
  if (best === now) return undefined;
  return found("storage_tier", resource_id, cost(best) / cost(now), {
    confidence: "high",
    effort: "low",
    risk: "low",
    evidence: [
      { measure: "gb", value: gb },
      { measure: "read_gb_per_month", value: read },
      { measure: "tier", value: now.name },
    ],
    action: action("change_tier", resource_id, { tier: best.name }, true),
  });
}

export function judgeTransfer({ transfer_id, gb_per_month, monthly_cost, alternative }: Transfer): Judged {
  if (alternative === undefined) return undefined;
  const cost = gb_per_month * alternative.per_gb + alternative.monthly_fee;
  if (!(cost < monthly_cost)) return undefined;
  return found("data_transfer", transfer_id, cost / monthly_cost, {
    confidence: "high",
    effort: "medium",
    risk: "medium",
    evidence: [
      { measure: "gb_per_month", value: gb_per_month },
      { measure: "monthly_cost", value: monthly_cost, threshold: cost },
    ],
    action: action("reroute", transfer_id, { route: alternative.name }, true),
  });
}

function found(
  kind: RecommendationKind,
  resource: string,
  factor: number,
  rest: Omit<Finding, "kind" | "resource" | "factor">,
): Judged {
  return { finding: { kind, resource, factor, ...rest } };
}

function notJudged(subject: string, about: RecommendationKind, reason: NotJudged["reason"]): Judged {
  return { notJudged: { subject, about, reason } };
}

export function action(
  type: Action["type"],
  target: string,
  parameters: Action["parameters"],
  reversible: boolean,
): Action {
  return { type, target, parameters, reversible, requires_approval: true };
}
