import { itemsSchema, outcomeSchema, settingsProperties } from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "optimizer",
  version: "0.1.0",
  description:
    "Recommends the prices with the largest profit or revenue under bounds, maximum change, tier order and minimum gaps.",
  // Large enough for 10,000 items of four tiers, in the request and in the answer.
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

export const inputsSchema = {
  type: "object",
  required: ["items"],
  properties: { items: itemsSchema, ...settingsProperties },
  additionalProperties: false,
} as const;

const numberSchema = { type: "number" } as const;

const tierSchema = {
  type: "object",
  required: ["price", "current_price", "change_pct", "expected", "current", "demand_model", "binding"],
  properties: {
    price: { type: "number", description: "Recommended: on the increment, every enforced rule kept" },
    current_price: numberSchema,
    change_pct: { type: "number", description: "A share of the current price" },
    expected: outcomeSchema,
    current: outcomeSchema,
    demand_model: {
      type: "object",
      required: ["model"],
      properties: {
        model: { enum: ["constant_elasticity", "logit", "fit"] },
        elasticity: numberSchema,
        elasticity_se: numberSchema,
        interval: { type: "object", properties: { low: numberSchema, high: numberSchema } },
        r2: numberSchema,
        n: numberSchema,
        dropped_rows: numberSchema,
        identified: { type: "boolean" },
        controls: { type: "array", items: { type: "string" } },
      },
    },
    binding: {
      type: "array",
      items: { type: "string" },
      description:
        "Rules that hold with equality at the optimum: bounds_min, bounds_max, minimum_margin, max_change_down, max_change_up, ordering:<higher>><lower>, gap:<higher>><lower>, held",
    },
  },
} as const;

const changeSchema = { type: ["number", "null"] } as const;

export const outputsSchema = {
  type: "object",
  required: ["items", "totals", "objective", "constraints", "trace"],
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["item_id", "tiers"],
        properties: {
          item_id: { type: "string" },
          tiers: { type: "object", additionalProperties: tierSchema },
        },
      },
    },
    totals: {
      type: "object",
      required: ["current", "expected", "change"],
      properties: {
        current: outcomeSchema,
        expected: outcomeSchema,
        change: {
          type: "object",
          properties: { demand: changeSchema, revenue: changeSchema, profit: changeSchema },
          description: "Relative to current; null if current is 0",
        },
      },
    },
    objective: { enum: ["profit", "revenue"] },
    constraints: {
      type: "object",
      properties: {
        enforce: { type: "array", items: { type: "string" } },
        price_increment: numberSchema,
        max_change_pct: numberSchema,
        minimum_margin_pct: numberSchema,
        rule_pack: { type: "object", properties: { name: { type: "string" }, version: { type: "string" } } },
        gaps: {
          type: "array",
          description: "Minimum gaps used, by segment and region; at most 50 combinations",
          items: {
            type: "object",
            properties: {
              segment: { type: "string" },
              region: { type: "string" },
              gaps: { type: "object", additionalProperties: numberSchema },
            },
          },
        },
      },
    },
    trace: {
      type: "array",
      items: {
        type: "object",
        required: ["step", "detail"],
        properties: { step: { type: "string" }, detail: { type: "string" } },
      },
    },
  },
} as const;
