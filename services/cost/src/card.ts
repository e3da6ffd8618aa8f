import { constraintsSchema, filterSchema, periodSchema, querySchema } from "@interlock/finops";

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
    description: "The words that the query and the constraints were read from: not read again",
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
