import {
  alertsSchema,
  constraintsSchema,
  filterSchema,
  GRAINS,
  periodSchema,
  querySchema,
  thresholdsSchema,
} from "@interlock/finops";

export const card = {
  name: "cost",
  version: "0.1.0",
  description:
    "Answers questions about what the cloud costs, from bills in the FOCUS format, with numbers that tie out to them.",
} as const;

const number = { type: "number" } as const;
const count = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;
const amountOrNull = { type: ["number", "null"] } as const;

const topSchema = { type: "integer", minimum: 1, maximum: 1000 } as const;

const said = {
  constraints: constraintsSchema,
  question: {
    type: "string",
    maxLength: 20_000,
    description:
      "The message that the constraints were read from. Times with numbers in it count: on August 11, in 2026-03",
  },
} as const;

export const queryInputs = {
  type: "object",
  properties: { query: querySchema, ...said },
  additionalProperties: false,
} as const;

/** What the other tasks take of a question. */
const scopeSchema = {
  type: "object",
  properties: { period: periodSchema, filter: filterSchema, top: topSchema },
  additionalProperties: false,
} as const;

export const inventoryInputs = {
  type: "object",
  properties: { query: scopeSchema, ...said },
  additionalProperties: false,
} as const;

export const reportInputs = inventoryInputs;

export const anomalyInputs = {
  type: "object",
  properties: {
    query: {
      ...scopeSchema,
      properties: { ...scopeSchema.properties, group_by: querySchema.properties.group_by },
    },
    sensitivity: {
      type: "object",
      properties: {
        deviations: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: 100,
          description: "Robust standard deviations",
        },
        share: { type: "number", minimum: 0, maximum: 10, description: "Of what is expected, at least" },
        amount: { type: "number", minimum: 0, description: "In the currency, at least" },
      },
      additionalProperties: false,
    },
    ...said,
  },
  additionalProperties: false,
} as const;

const amountSchema = {
  type: "object",
  required: ["amount"],
  properties: {
    amount: { type: "number", minimum: 0, maximum: 1e15 },
    currency: { type: "string", pattern: "^[A-Z]{3}$" },
  },
  additionalProperties: false,
} as const;

export const forecastInputs = {
  type: "object",
  properties: {
    ahead: {
      const: true,
      description:
        "A period that is said is what was asked beside this: this month and the two after it are forecast",
    },
    query: {
      type: "object",
      properties: {
        period: periodSchema,
        filter: filterSchema,
        budget: { ...amountSchema, description: "Of the period" },
        changes: {
          type: "array",
          maxItems: 50,
          items: {
            type: "object",
            required: ["name", "from"],
            properties: {
              name: { type: "string", minLength: 1, maxLength: 200 },
              from: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" },
              effect: {
                type: "number",
                minimum: -1e12,
                maximum: 1e12,
                description: "Cost a day that it adds",
              },
            },
            additionalProperties: false,
          },
          description: "Levels of usage that are known to differ from a day on",
        },
      },
      additionalProperties: false,
    },
    ...said,
  },
  additionalProperties: false,
} as const;

export const alertInputs = {
  type: "object",
  properties: {
    query: {
      type: "object",
      properties: {
        period: periodSchema,
        filter: filterSchema,
        every: {
          enum: GRAINS,
          description: "What it repeats by; by default each month, or once in `period`",
        },
        amount: {
          ...amountSchema,
          description: "Of each such period; by default the upper end of the 80 % band of its forecast",
        },
        thresholds: thresholdsSchema,
      },
      additionalProperties: false,
    },
    ...said,
  },
  additionalProperties: false,
} as const;

const periodOutput = {
  type: "object",
  required: ["name", "from", "to", "days"],
  properties: {
    name: text,
    from: text,
    to: text,
    days: count,
    relative_to: { ...text, description: "The data's last day, which the name is relative to" },
    to_date: { const: true, description: "The data end before the period does" },
    begins_late: { const: true, description: "The data begin after the period does" },
  },
} as const;

/** The members that every answer has. */
const common = {
  summary: { type: "string", minLength: 1 },
  restricted: { type: "boolean", description: "Whether the caller sees only some of the charges" },
  applied: constraintsSchema,
  not_applied: constraintsSchema,
} as const;
const COMMON = ["summary", "restricted", "applied", "not_applied"] as const;

const changeProperties = { previous: number, change: number, change_share: amountOrNull } as const;

const keysSchema = { type: "object", additionalProperties: { type: ["string", "null"] } } as const;

const groupProperties = {
  value: number,
  share: { ...amountOrNull, description: "Of the total" },
  percent: {
    ...amountOrNull,
    description: "With one decimal; those of a part and its `other` add up to 100.0",
  },
  rows: count,
  quantity: number,
  ...changeProperties,
} as const;

const partSchema = {
  type: "object",
  required: ["total", "rows", "groups", "tie_out"],
  properties: {
    currency: text,
    unit: text,
    total: number,
    rows: count,
    gross: { ...number, description: "The total is this with `credits` and `refunds`, which are negative" },
    credits: number,
    refunds: number,
    rows_without_value: count,
    quantity: number,
    ...changeProperties,
    groups: {
      type: "array",
      items: {
        type: "object",
        required: ["keys", "value", "share", "percent", "rows"],
        properties: { keys: keysSchema, names: keysSchema, ...groupProperties },
      },
    },
    other: {
      type: "object",
      required: ["groups", "value"],
      properties: { groups: count, ...groupProperties },
    },
    tie_out: {
      type: "object",
      required: ["groups", "groups_total", "difference"],
      properties: { groups: count, groups_total: number, difference: { const: 0 } },
      description: "The sum of all groups, shown or not, against the total, which is asked for on its own",
    },
  },
} as const;

export const queryOutputs = {
  type: "object",
  required: [...COMMON, "query", "period", "rows", "parts", "more_parts", "data"],
  properties: {
    ...common,
    query: {
      type: "object",
      description: "What was answered: the question with what was said and what nobody said",
    },
    period: periodOutput,
    compared_with: periodOutput,
    rows: count,
    parts: {
      type: "array",
      items: partSchema,
      description: "One a currency or unit, which are never summed",
    },
    more_parts: count,
    data: {
      type: "object",
      required: ["first_day", "last_day", "warnings"],
      properties: { first_day: text, last_day: text, warnings: { type: "array", items: text } },
    },
  },
} as const;

const someSchema = {
  type: "object",
  required: ["resources", "cost"],
  properties: { resources: count, cost: number },
} as const;

export const inventoryOutputs = {
  type: "object",
  required: [...COMMON, "period", "rows", "parts"],
  properties: {
    ...common,
    period: periodOutput,
    rows: count,
    parts: {
      type: "array",
      items: {
        type: "object",
        required: [
          "currency",
          "resources",
          "cost",
          "types",
          "listed",
          "untagged",
          "untagged_by_key",
          "idle",
          "without_usage_data",
        ],
        properties: {
          currency: text,
          resources: count,
          cost: number,
          types: { type: "array" },
          listed: { type: "array" },
          untagged: someSchema,
          untagged_by_key: { type: "array" },
          idle: { ...someSchema, description: "Charged for, with usage data that say that nothing was used" },
          without_usage_data: { ...someSchema, description: "Nothing tells whether they are idle" },
          charges_without_resource: { type: "object" },
        },
      },
    },
  },
} as const;

export const anomalyOutputs = {
  type: "object",
  required: [...COMMON, "period", "group_by", "looked_at", "anomalies", "more"],
  properties: {
    ...common,
    period: periodOutput,
    group_by: { type: "array", items: text },
    looked_at: { type: "object", required: ["groups", "days", "rows"] },
    anomalies: {
      type: "array",
      items: {
        type: "object",
        required: [
          "keys",
          "currency",
          "kind",
          "first_day",
          "last_day",
          "actual",
          "expected",
          "band",
          "impact",
          "drivers",
          "main_driver",
        ],
        properties: {
          keys: keysSchema,
          currency: text,
          kind: { enum: ["spike", "dip", "ramp", "step", "fall"] },
          direction: { enum: ["up", "down"] },
          lasting: { type: "boolean" },
          first_day: text,
          last_day: text,
          days: count,
          actual: number,
          expected: number,
          band: {
            type: "object",
            properties: { low: number, high: number },
            description: "Of the first day",
          },
          impact: number,
          change_per_day: {
            ...number,
            description: "Against days like it of the four weeks before; the sum of the drivers",
          },
          drivers: {
            type: "object",
            properties: { quantity: number, mix: number, price: number, other: number },
          },
          main_driver: { enum: ["quantity", "mix", "price", "other"] },
          contributors: { type: "array" },
        },
      },
    },
    more: count,
  },
} as const;

const intervalSchema = { type: "array", items: number, minItems: 2, maxItems: 2 } as const;
const bands = { p80: intervalSchema, p95: intervalSchema } as const;

const totalSchema = {
  type: "object",
  required: ["period", "actual", "estimated_periods", "expected", "p80", "p95"],
  properties: {
    period: text,
    actual: { ...number, description: "What was spent in it so far" },
    estimated_periods: count,
    expected: { ...number, description: "Spent and forecast together" },
    ...bands,
    budget: number,
    chance_exceeded: { ...amountOrNull, description: "null: too few such periods could be tested" },
  },
} as const;

export const forecastOutputs = {
  type: "object",
  required: [...COMMON, "period", "filter", "rows", "parts", "data"],
  properties: {
    ...common,
    period: { type: "object", required: ["name", "from", "to"] },
    filter: filterSchema,
    rows: count,
    parts: {
      type: "array",
      items: {
        type: "object",
        required: ["currency", "total", "totals", "points", "components", "accuracy", "left_out", "warnings"],
        properties: {
          currency: text,
          total: totalSchema,
          totals: { type: "array", items: totalSchema, description: "Of the months whose end is forecast" },
          points: {
            type: "array",
            items: {
              type: "object",
              required: ["period", "cost", "p80", "p95"],
              properties: { period: text, cost: number, ...bands },
            },
          },
          components: {
            type: "array",
            items: {
              type: "object",
              required: ["name", "method", "mase", "compared", "costs"],
              properties: {
                name: { enum: ["usage", "commitments", "fees", "credits"] },
                method: text,
                mase: amountOrNull,
              },
            },
            description: "What follows rules of its own is forecast by itself",
          },
          accuracy: { type: "object", required: ["origins", "tested_horizon", "coverage"] },
          left_out: { ...number, description: "Corrections, which happen once" },
          last_month: amountOrNull,
          warnings: { type: "array", items: text },
        },
      },
    },
    data: { type: "object", required: ["first_day", "last_day", "warnings"] },
  },
} as const;

export const alertOutputs = {
  type: "object",
  required: [...COMMON, "proposed", "review", "rows", "data"],
  properties: {
    ...common,
    proposed: { ...alertsSchema, description: "What an approval is asked for" },
    review: {
      type: "object",
      required: ["amount_from", "from", "to", "expected", "p80", "p95", "chance_exceeded"],
      properties: {
        amount_from: { enum: ["said", "forecast"] },
        from: { ...text, description: "The first days that it would be of" },
        to: text,
        expected: number,
        ...bands,
        chance_exceeded: amountOrNull,
        past: {
          type: "object",
          required: ["periods", "exceeded", "most"],
          properties: { periods: count, exceeded: count, most: number },
        },
      },
    },
    rows: count,
    data: { type: "object", required: ["first_day", "last_day", "warnings"] },
  },
} as const;

export const reportOutputs = {
  type: "object",
  required: [...COMMON, "title", "sections", "rows"],
  properties: {
    ...common,
    title: text,
    rows: count,
    sections: {
      type: "array",
      items: {
        type: "object",
        required: ["title", "text"],
        properties: {
          title: text,
          text,
          table: {
            type: "object",
            required: ["columns", "rows"],
            properties: {
              columns: { type: "array", items: text },
              rows: {
                type: "array",
                items: { type: "array", items: { type: ["string", "number", "null"] } },
              },
            },
          },
        },
      },
    },
  },
} as const;
