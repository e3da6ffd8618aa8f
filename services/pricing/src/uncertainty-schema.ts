import { itemIdSchema, tierNameSchema } from "./schemas.ts";

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

/** What is not known for certain; see `UncertaintyInputs`. */
export const uncertaintySchema = {
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
} as const;
