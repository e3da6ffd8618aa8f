import { constraintsSchema, filterSchema, periodSchema } from "@interlock/finops";
import { RECOMMENDATION_KINDS } from "@interlock/finops/savings";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "savings",
  version: "0.1.0",
  description: "Says what to change about cloud spend, what each change saves, and what they save together.",
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

const name = { type: "string", minLength: 1, maxLength: 500 } as const;
const amount = { type: "number", minimum: 0, maximum: 1e15 } as const;
const share = { type: "number", minimum: 0, maximum: 1 } as const;
const discounts = {
  type: "object",
  maxProperties: 1000,
  additionalProperties: { type: "number", minimum: 0, exclusiveMaximum: 1 },
  description: "By group of usage: the share that the commitment takes off on-demand rates",
} as const;

const resourceSchema = {
  type: "object",
  required: ["resource_id", "kind", "monthly_cost"],
  properties: {
    resource_id: name,
    kind: {
      enum: [
        ...["compute", "database", "disk", "snapshot", "address", "load_balancer", "object_storage", "other"],
      ],
    },
    monthly_cost: { ...amount, description: "As billed; at on-demand rates for usage of a pool" },
    tags: { type: "object", maxProperties: 200, additionalProperties: { type: "string" } },
    usage: {
      type: "object",
      required: ["days"],
      properties: {
        days: amount,
        cpu_peak: share,
        cpu_p95: share,
        memory_p95: share,
        network_mb_per_day: amount,
        requests_per_day: amount,
      },
      additionalProperties: false,
      description: "What was measured. What is absent is not known, which is not idle",
    },
    attached: { type: "boolean" },
    storage: {
      type: "object",
      required: ["gb", "tier"],
      properties: { gb: amount, tier: name, read_gb_per_month: amount },
      additionalProperties: false,
    },
    sizes: {
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        required: ["name", "cpu", "memory", "monthly_cost"],
        properties: { name, cpu: amount, memory: amount, monthly_cost: amount },
        additionalProperties: false,
      },
      description: "What it could be instead; capacities are multiples of today's",
    },
  },
  additionalProperties: false,
} as const;

const poolSchema = {
  type: "object",
  required: ["name", "grain", "usage", "options"],
  properties: {
    name,
    grain: { enum: ["hour", "day"] },
    usage: {
      type: "array",
      minItems: 1,
      maxItems: 10_000,
      items: {
        type: "object",
        required: ["group", "on_demand"],
        properties: {
          group: name,
          resource_id: name,
          on_demand: {
            type: "array",
            maxItems: 9000,
            items: { type: ["number", "null"], minimum: 0, maximum: 1e15 },
            description: "Cost per period at on-demand rates, whatever covers it today; null: no data",
          },
        },
        additionalProperties: false,
      },
    },
    existing: {
      type: "object",
      required: ["per_period", "discounts"],
      properties: { per_period: amount, discounts },
      additionalProperties: false,
    },
    options: {
      type: "array",
      maxItems: 20,
      items: {
        type: "object",
        required: ["name", "term_months", "discounts"],
        properties: { name, term_months: { type: "integer", minimum: 1, maximum: 120 }, discounts },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

const ofInputs = {
  type: "object",
  required: ["resources"],
  properties: {
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "Of all amounts; by default USD" },
    language: { type: "string", maxLength: 35, description: "Of the summary, as in BCP 47" },
    resources: { type: "array", maxItems: 20_000, items: resourceSchema },
    pools: { type: "array", maxItems: 50, items: poolSchema },
    transfers: {
      type: "array",
      maxItems: 10_000,
      items: {
        type: "object",
        required: ["transfer_id", "gb_per_month", "monthly_cost"],
        properties: {
          transfer_id: name,
          gb_per_month: amount,
          monthly_cost: amount,
          alternative: {
            type: "object",
            required: ["name", "per_gb", "monthly_fee"],
            properties: { name, per_gb: amount, monthly_fee: amount },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
    tiers: {
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        required: ["name", "gb_month", "gb_read"],
        properties: { name, gb_month: amount, gb_read: amount },
        additionalProperties: false,
      },
    },
    rules: {
      type: "object",
      properties: {
        least_days: amount,
        idle_cpu_peak: share,
        idle_network_mb_per_day: amount,
        idle_requests_per_day: amount,
        most_cpu: share,
        most_memory: share,
        required_tags: { type: "array", maxItems: 100, items: name },
        level_deviation: share,
      },
      additionalProperties: false,
    },
    kinds: { type: "array", items: { enum: RECOMMENDATION_KINDS } },
    seed: { type: "integer", minimum: 0, maximum: 2 ** 31 },
  },
  additionalProperties: false,
} as const;

const ofBills = {
  type: "object",
  properties: {
    query: {
      type: "object",
      properties: {
        period: periodSchema,
        filter: filterSchema,
        kinds: { type: "array", minItems: 1, items: { enum: RECOMMENDATION_KINDS } },
        top: { type: "integer", minimum: 1, maximum: 1000 },
        required_tags: { type: "array", maxItems: 100, items: { ...name, maxLength: 128 } },
        offers: {
          type: "array",
          maxItems: 100,
          items: {
            type: "object",
            required: ["provider", "name", "term_months", "discount"],
            properties: {
              provider: name,
              name,
              term_months: { type: "integer", minimum: 1, maximum: 120 },
              discount: {
                type: "number",
                minimum: 0,
                exclusiveMaximum: 1,
                description: "Off on-demand rates",
              },
            },
            additionalProperties: false,
          },
          description:
            "Commitments that can be bought. Absent: more of what there is, at the discount that the bills show",
        },
      },
      additionalProperties: false,
    },
    constraints: constraintsSchema,
    question: { type: "string", maxLength: 20_000 },
  },
  additionalProperties: false,
} as const;

/** What is to be judged, or a question about the bills. */
export const inputsSchema = { type: "object", anyOf: [ofInputs, ofBills] } as const;

const grade = { enum: ["low", "medium", "high"] } as const;
const number = { type: "number" } as const;
const text = { type: "string" } as const;

const recommendationSchema = {
  type: "object",
  required: [
    ...[
      "id",
      "kind",
      "monthly_saving",
      "joint_saving",
      "overlaps",
      "confidence",
      "effort",
      "risk",
      "evidence",
      "action",
    ],
  ],
  properties: {
    id: text,
    kind: {
      enum: [
        ...["commitment", "rightsizing", "idle", "orphaned", "storage_tier", "data_transfer", "untagged"],
      ],
    },
    monthly_saving: { ...number, description: "Alone, with all else as it is" },
    joint_saving: { ...number, description: "The part of the joint saving that it adds to those before it" },
    overlaps: { type: "array", items: text },
    confidence: grade,
    range: { type: "array", items: number, minItems: 2, maxItems: 2 },
    effort: grade,
    risk: grade,
    evidence: {
      type: "array",
      items: {
        type: "object",
        required: ["measure", "value"],
        properties: { measure: text, value: { type: ["number", "string"] }, threshold: number },
      },
    },
    action: {
      type: "object",
      required: ["type", "target", "parameters", "reversible", "requires_approval"],
      properties: {
        type: text,
        target: text,
        parameters: { type: "object" },
        reversible: { type: "boolean" },
        requires_approval: { const: true },
      },
    },
  },
} as const;

export const outputsSchema = {
  type: "object",
  required: [
    "summary",
    "currency",
    "recommendations",
    "sum",
    "joint",
    "joint_commitments",
    "not_judged",
    "untagged",
    "actions",
  ],
  properties: {
    summary: text,
    actions: {
      type: "array",
      items: { type: "object", required: ["id", "type", "target", "parameters", "monthly_saving"] },
      description: "What an approval is asked for",
    },
    period: { type: "object", required: ["name", "from", "to", "days"] },
    filter: filterSchema,
    restricted: { type: "boolean" },
    rows: { type: "integer", minimum: 0 },
    monthly_cost: { ...number, description: "Effective cost of what was judged" },
    coverage: {
      type: "array",
      items: { type: "object", required: ["provider", "coverable", "covered", "committed", "unused"] },
      description: "Of what commitments can cover, what they do cover, a month",
    },
    applied: constraintsSchema,
    not_applied: constraintsSchema,
    currency: text,
    recommendations: { type: "array", items: recommendationSchema },
    sum: { ...number, description: "What each would save alone, added up" },
    joint: { ...number, description: "What all of them save together" },
    joint_commitments: {
      type: "array",
      items: {
        type: "object",
        required: ["pool", "option", "per_period", "monthly_saving"],
        properties: { pool: text, option: text, per_period: number, monthly_saving: number },
      },
      description: "The best commitments for what the other changes leave",
    },
    not_judged: {
      type: "array",
      items: {
        type: "object",
        required: ["subject", "about", "reason"],
        properties: { subject: text, about: text, reason: text },
      },
    },
    untagged: {
      type: "object",
      required: ["monthly_cost", "share"],
      properties: { monthly_cost: number, share: number },
    },
  },
} as const;
