import {
  itemIdSchema,
  itemsSchema,
  proposedSchema,
  settingsProperties,
  tierNameSchema,
} from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "sensitivity",
  version: "0.1.0",
  description:
    "Says how sure recommended prices are: bands, tornado, scenarios, regret and robustness under parameter uncertainty.",
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

const shareSchema = { type: "number", minimum: 0, maximum: 0.9 } as const;
const elasticitySchema = { type: "number", minimum: -50, exclusiveMaximum: 0 } as const;

export const inputsSchema = {
  type: "object",
  required: ["items"],
  properties: {
    items: itemsSchema,
    ...settingsProperties,
    proposed: {
      ...proposedSchema,
      description: "Prices to test; by default the optimum under the same settings",
    },
    uncertainty: {
      type: "object",
      properties: {
        draws: { type: "integer", minimum: 100, maximum: 20_000, default: 1000 },
        seed: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
        elasticity_pct: {
          ...shareSchema,
          default: 0.1,
          description: "Relative standard error of the elasticity, for tiers that have none of their own",
        },
        elasticity_intervals: {
          type: "array",
          maxItems: 100_000,
          items: {
            type: "object",
            required: ["item_id", "tier", "low", "high"],
            properties: {
              item_id: itemIdSchema,
              tier: tierNameSchema,
              low: elasticitySchema,
              high: elasticitySchema,
            },
            additionalProperties: false,
          },
          description: "95% intervals of elasticities, instead of standard errors",
        },
        cost_pct: {
          ...shareSchema,
          default: 0.05,
          description: "Unit costs of an item change together by a uniform share in ± this value",
        },
        demand_pct: {
          ...shareSchema,
          default: 0.1,
          description: "Demand of an item's tiers changes together by a uniform share in ± this value",
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const numberSchema = { type: "number" } as const;

const bandSchema = {
  type: "object",
  required: ["p5", "p50", "p95"],
  properties: { p5: numberSchema, p50: numberSchema, p95: numberSchema },
} as const;

const robustnessSchema = {
  type: "object",
  required: ["score", "standard_error", "draws"],
  properties: { score: numberSchema, standard_error: numberSchema, draws: numberSchema, ties: numberSchema },
  description: "Share of draws in which the recommendation's objective beats that of today's prices",
} as const;

const endSchema = {
  type: "object",
  required: ["value", "objective"],
  properties: { value: numberSchema, objective: numberSchema },
} as const;

const scenarioSchema = {
  type: "object",
  required: ["profit", "profit_change", "cost_change", "demand_change", "elasticities"],
  properties: {
    profit: numberSchema,
    profit_change: { type: "number", description: "Against today's prices in the same draw" },
    cost_change: numberSchema,
    demand_change: numberSchema,
    elasticities: { type: "object", additionalProperties: numberSchema },
  },
} as const;

const itemSchema = {
  type: "object",
  required: ["item_id", "tiers", "profit_band", "tornado", "robustness", "worst", "best", "regret"],
  properties: {
    item_id: { type: "string" },
    tiers: {
      type: "object",
      additionalProperties: {
        type: "object",
        required: ["recommended_price", "price_band"],
        properties: {
          recommended_price: numberSchema,
          price_band: {
            anyOf: [bandSchema, { type: "null" }],
            description: "Quantiles of the optimal price (before rounding); null if no draw has an optimum",
          },
        },
      },
    },
    profit_band: { ...bandSchema, description: "Profit at the recommended prices" },
    current_profit_band: bandSchema,
    tornado: {
      type: "array",
      items: {
        type: "object",
        required: ["factor", "low", "high", "swing"],
        properties: { factor: { type: "string" }, low: endSchema, high: endSchema, swing: numberSchema },
      },
      description:
        "Objective at the recommended prices with one factor at its 5% and 95% quantile, the others at their means",
    },
    robustness: robustnessSchema,
    worst: scenarioSchema,
    best: scenarioSchema,
    regret: {
      type: "object",
      required: ["expected", "max", "expected_share", "draws"],
      properties: {
        expected: numberSchema,
        max: numberSchema,
        expected_share: { type: ["number", "null"] },
        draws: numberSchema,
      },
    },
    unsolved: { type: "object", properties: { unbounded: numberSchema, infeasible: numberSchema } },
    truncated: { type: "object", additionalProperties: numberSchema },
  },
} as const;

export const outputsSchema = {
  type: "object",
  required: ["items", "totals", "objective", "seed", "draws", "summary"],
  properties: {
    items: { type: "array", items: itemSchema },
    totals: {
      type: "object",
      required: ["profit_band", "current_profit_band", "robustness"],
      properties: { profit_band: bandSchema, current_profit_band: bandSchema, robustness: robustnessSchema },
    },
    objective: { enum: ["profit", "revenue"] },
    seed: numberSchema,
    draws: numberSchema,
    summary: { type: "string" },
  },
} as const;
