import {
  catalogueSchema,
  failuresSchema,
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

const factorSchema = { type: "number", exclusiveMinimum: 0, maximum: 10 } as const;
const spreadSchema = { type: "number", minimum: 0, maximum: 2 } as const;

/** A belief as one of three distributions; `value` is what its mean, bounds or median may be. */
function beliefSchema<T extends object>(value: T, spread: object) {
  const of = (name: string, properties: Record<string, object>) => ({
    type: "object",
    required: ["distribution", ...Object.keys(properties)],
    properties: { distribution: { const: name }, ...properties },
    additionalProperties: false,
  });
  return {
    type: "object",
    required: ["distribution"],
    discriminator: { propertyName: "distribution" },
    oneOf: [
      of("normal", { mean: value, sd: spread }),
      of("uniform", { low: value, high: value }),
      of("lognormal", { median: value, log_sd: spreadSchema }),
    ],
  };
}

const factorBeliefSchema = beliefSchema(factorSchema, spreadSchema);
const FACTOR_TEXT =
  "normal (mean, standard deviation; truncated at 0), uniform (bounds) or lognormal (median, standard deviation of the logarithm)";

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
        elasticity_beliefs: {
          type: "array",
          maxItems: 100_000,
          items: {
            type: "object",
            required: ["item_id", "tier", "belief"],
            properties: {
              item_id: itemIdSchema,
              tier: tierNameSchema,
              belief: beliefSchema(elasticitySchema, { type: "number", minimum: 0, maximum: 50 }),
            },
            additionalProperties: false,
          },
          description: `Beliefs about elasticities, before intervals and standard errors: ${FACTOR_TEXT}`,
        },
        cost: {
          ...factorBeliefSchema,
          description: `Belief about the factor that multiplies an item's unit costs, instead of cost_pct: ${FACTOR_TEXT}`,
        },
        demand: {
          ...factorBeliefSchema,
          description: `Belief about the factor that multiplies an item's demand, instead of demand_pct: ${FACTOR_TEXT}`,
        },
        common_share: {
          type: "number",
          minimum: 0,
          maximum: 1,
          default: 0.5,
          description:
            "Correlation between items of the normal scores of their cost factors, and of their demand factors; 0: items are independent",
        },
        cost_pct: {
          ...shareSchema,
          default: 0.05,
          description: "An item's unit costs change together by a uniform share in ± this value",
        },
        demand_pct: {
          ...shareSchema,
          default: 0.1,
          description: "Demand of an item's tiers changes together by a uniform share in ± this value",
        },
      },
      allOf: [{ not: { required: ["cost", "cost_pct"] } }, { not: { required: ["demand", "demand_pct"] } }],
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
  ],
  properties: {
    catalogue: catalogueSchema,
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
