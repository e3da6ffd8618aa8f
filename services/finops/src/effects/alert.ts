import type { Day } from "../periods/days.ts";
import type { Filter } from "../query/types.ts";

/** What a budget repeats by. */
export const GRAINS = ["day", "week", "month", "quarter"] as const;
export type Grain = (typeof GRAINS)[number];

/** Which days a budget is of: each day, week, month or quarter, within days or for good; or once, of the days themselves. */
export type AlertPeriod = { readonly every?: Grain; readonly from?: Day; readonly to?: Day };

/** When somebody is told: once the share of the amount is spent, or forecast to be. */
export type Threshold = { readonly share: number; readonly of: "actual" | "forecast" };

/** What takes effect once it is approved (wire shape): whoever watches costs reads these from the book. */
export type Alert = {
  /** Of its kind, scope and period, so that an approver's edit can name it. */
  readonly id: string;
  /** A budget is planned for and told of on the way; an alert is about the limit of a day alone. */
  readonly kind: "budget" | "alert";
  readonly metric: "effective";
  readonly filter: readonly Filter[];
  readonly amount: number;
  readonly currency: string;
  readonly period: AlertPeriod;
  readonly thresholds: readonly Threshold[];
};

const daySchema = { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" } as const;

export const thresholdsSchema = {
  type: "array",
  minItems: 1,
  maxItems: 10,
  items: {
    type: "object",
    required: ["share", "of"],
    properties: {
      share: { type: "number", exclusiveMinimum: 0, maximum: 10 },
      of: { enum: ["actual", "forecast"] },
    },
    additionalProperties: false,
  },
} as const;

/** As filters of a question, with those that the caller is held to marked: they go by ids alone. */
const alertFilterSchema = {
  type: "array",
  maxItems: 60,
  items: {
    type: "object",
    required: ["field", "op", "values"],
    properties: {
      field: { type: "string", maxLength: 132 },
      op: { enum: ["only", "except"] },
      values: { type: "array", minItems: 1, maxItems: 1000, items: { type: ["string", "null"] } },
      exactly: { const: true },
    },
    additionalProperties: false,
  },
} as const;

export const alertsSchema = {
  type: "array",
  minItems: 1,
  maxItems: 1,
  items: {
    type: "object",
    required: ["id", "kind", "metric", "filter", "amount", "currency", "period", "thresholds"],
    properties: {
      id: { type: "string", minLength: 1, maxLength: 64 },
      kind: { enum: ["budget", "alert"] },
      metric: { const: "effective" },
      filter: alertFilterSchema,
      amount: { type: "number", exclusiveMinimum: 0, maximum: 1e15 },
      currency: { type: "string", pattern: "^[A-Z]{3}$" },
      period: {
        type: "object",
        properties: { every: { enum: GRAINS }, from: daySchema, to: daySchema },
        additionalProperties: false,
      },
      thresholds: thresholdsSchema,
    },
    additionalProperties: false,
  },
} as const;
