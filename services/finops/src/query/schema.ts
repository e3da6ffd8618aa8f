import { PERIOD_NAMES, PERIOD_PATTERN } from "../periods/period.ts";
import { DIMENSION_PATTERN } from "./dimensions.ts";
import { METRIC_NAMES } from "./metrics.ts";
import { ORDERS } from "./types.ts";

const daySchema = { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" } as const;
const fieldSchema = { type: "string", maxLength: 132, pattern: DIMENSION_PATTERN } as const;

export const periodSchema = {
  anyOf: [
    { enum: PERIOD_NAMES },
    { type: "string", pattern: PERIOD_PATTERN },
    {
      type: "object",
      required: ["from", "to"],
      properties: { from: daySchema, to: daySchema },
      additionalProperties: false,
    },
  ],
  description:
    "A name, last_30_days, last_3_months, 2026, 2026-Q3, 2026-09, a day, or two days. Names are relative to the data's last day",
} as const;

export const filterSchema = {
  type: "array",
  maxItems: 50,
  items: {
    type: "object",
    required: ["field", "op", "values"],
    properties: {
      field: fieldSchema,
      op: { enum: ["only", "except"] },
      values: {
        type: "array",
        minItems: 1,
        maxItems: 1000,
        items: { type: ["string", "null"], maxLength: 2048 },
        description: "In any case; null: charges without one",
      },
    },
    additionalProperties: false,
  },
} as const;

/** The schema of a question: what a program, or a model, may ask. There is no way to ask for SQL. */
export const querySchema = {
  type: "object",
  properties: {
    metric: { enum: METRIC_NAMES },
    group_by: { type: "array", maxItems: 3, items: fieldSchema },
    filter: filterSchema,
    period: periodSchema,
    compare_to: { anyOf: [{ enum: ["previous", "year_ago"] }, ...periodSchema.anyOf] },
    top: { type: "integer", minimum: 1, maximum: 1000 },
    order: { enum: ORDERS },
  },
  additionalProperties: false,
} as const;
