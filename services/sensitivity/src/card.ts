import {
  aboutCatalogueSchemas,
  effectsProperties,
  failuresSchema,
  inputsProperties,
  proposedSchema,
} from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "sensitivity",
  version: "0.1.0",
  description:
    "Says how sure recommended prices are: bands, tornado, scenarios, regret and robustness under parameter uncertainty.",
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

export const inputsSchema = {
  type: "object",
  required: ["items"],
  properties: {
    ...inputsProperties,
    proposed: {
      ...proposedSchema,
      description: "Prices to test; by default the optimum under the same settings",
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

const openNumberSchema = { type: ["number", "null"] } as const;

const openBandSchema = {
  type: "object",
  required: ["p5", "p50", "p95"],
  properties: { p5: openNumberSchema, p50: openNumberSchema, p95: openNumberSchema },
} as const;

const robustnessSchema = {
  type: "object",
  required: ["score", "interval", "draws", "wins", "ties", "losses"],
  properties: {
    score: {
      type: ["number", "null"],
      description: "Share of the draws without a tie in which the recommendation wins; null if all tie",
    },
    interval: {
      type: ["object", "null"],
      required: ["low", "high", "level"],
      properties: { low: numberSchema, high: numberSchema, level: numberSchema },
      description: "Wilson's interval of the score at the level, for the finite number of draws",
    },
    draws: numberSchema,
    wins: numberSchema,
    ties: numberSchema,
    losses: numberSchema,
  },
  description: "The recommendation's objective against that of today's prices, draw by draw",
} as const;

const endSchema = {
  type: "object",
  required: ["value", "difference"],
  properties: { value: numberSchema, difference: numberSchema },
} as const;

const scenarioSchema = {
  type: "object",
  required: [
    ...["quantile", "difference", "profit", "profit_change", "cost_change", "demand_change", "elasticities"],
  ],
  properties: {
    quantile: { type: "number", description: "Of the draws, ordered by the difference" },
    difference: { type: "number", description: "Of the objective, against today's prices in the same draw" },
    profit: numberSchema,
    profit_change: { type: "number", description: "Against today's prices in the same draw" },
    cost_change: numberSchema,
    demand_change: numberSchema,
    elasticities: { type: "object", additionalProperties: numberSchema },
  },
} as const;

const itemSchema = {
  type: "object",
  required: ["item_id", "tiers", "profit_band", "difference_band", "robustness", "regret"],
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
            anyOf: [openBandSchema, { type: "null" }],
            description:
              "Quantiles of the optimal price (before rounding); a null quantile is +∞, as no rule limits the price; null if no draw has prices that keep the rules",
          },
        },
      },
    },
    profit_band: { ...bandSchema, description: "Profit at the recommended prices" },
    current_profit_band: bandSchema,
    difference_band: {
      ...bandSchema,
      description: "Objective at the recommended prices minus that at today's",
    },
    tornado: {
      type: "array",
      items: {
        type: "object",
        required: ["factor", "low", "high", "swing", "decides"],
        properties: {
          factor: { type: "string" },
          low: endSchema,
          high: endSchema,
          swing: numberSchema,
          decides: { type: "boolean", description: "Whether the factor can change which prices are better" },
        },
      },
      description:
        "Gain over today's prices with one factor at its 5% and 95% quantile, the others at their centres",
    },
    robustness: robustnessSchema,
    worst: scenarioSchema,
    best: scenarioSchema,
    regret: {
      type: "object",
      required: ["expected", "p95", "expected_share", "draws"],
      properties: {
        expected: { type: "number", description: "Mean over the draws that have an optimum" },
        p95: { type: ["number", "null"], description: "95% quantile of all draws; null is +∞" },
        expected_share: { type: ["number", "null"] },
        draws: numberSchema,
      },
    },
    unsolved: { type: "object", properties: { unbounded: numberSchema, infeasible: numberSchema } },
    truncated: { type: "object", additionalProperties: numberSchema },
  },
} as const;

const assumptionSchema = {
  type: "object",
  required: ["assumed"],
  properties: { assumed: { type: "boolean" } },
} as const;

export const outputsSchema = {
  type: "object",
  required: [
    "items",
    "detailed_items",
    "totals",
    "objective",
    "seed",
    "draws",
    "assumptions",
    "summary",
    "failures",
    "catalogue",
    "applied",
    "not_applied",
  ],
  properties: {
    ...effectsProperties,
    ...aboutCatalogueSchemas,
    items: { type: "array", items: itemSchema },
    detailed_items: {
      type: "number",
      description: "Of so many items, the least certain ones, there are `tornado`, `worst` and `best`",
    },
    totals: {
      type: "object",
      required: ["profit_band", "current_profit_band", "difference_band", "robustness"],
      properties: {
        profit_band: bandSchema,
        current_profit_band: bandSchema,
        difference_band: bandSchema,
        robustness: robustnessSchema,
      },
    },
    objective: { enum: ["profit", "revenue"] },
    seed: numberSchema,
    draws: numberSchema,
    assumptions: {
      type: "object",
      required: ["elasticity", "cost", "demand", "common_share"],
      description: "The beliefs behind the analysis; `assumed` marks those that the request does not give",
      properties: {
        elasticity: assumptionSchema,
        cost: assumptionSchema,
        demand: assumptionSchema,
        common_share: assumptionSchema,
      },
    },
    summary: { type: "string" },
    failures: failuresSchema,
  },
} as const;
