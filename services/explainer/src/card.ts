import {
  aboutCatalogueSchemas,
  effectsProperties,
  failuresSchema,
  inputsProperties,
  proposedSchema,
} from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "explainer",
  version: "0.1.0",
  description:
    "Says why prices are recommended: exact Shapley attribution of every move to cost, demand and rules, with shadow prices.",
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

export const inputsSchema = {
  type: "object",
  required: ["items"],
  properties: {
    ...inputsProperties,
    proposed: { ...proposedSchema, description: "Prices to explain; by default the optimum" },
  },
  additionalProperties: false,
} as const;

const textSchema = { type: "string" } as const;
const numberSchema = { type: "number" } as const;

const moveSchema = {
  type: "object",
  required: ["from", "to", "attributions"],
  properties: {
    from: numberSchema,
    to: numberSchema,
    attributions: {
      description: "Exact Shapley values and named remainders; they sum to `to` − `from`",
      type: "array",
      items: {
        type: "object",
        required: ["factor", "value"],
        properties: {
          factor: {
            enum: [
              "unit_cost",
              "objective",
              "elasticity",
              "demand_level",
              "bounds",
              "max_change",
              "ordering",
              "gaps",
              "observed_range",
              "substitution",
              "caution",
              "rounding",
              "policy_repair",
              "proposal",
            ],
          },
          value: numberSchema,
          baseline: { ...numberSchema, description: "Value under which today's prices would be optimal" },
          actual: numberSchema,
        },
      },
    },
  },
} as const;

const tierSchema = {
  type: "object",
  required: ["price", "narrative", "binding"],
  properties: {
    price: moveSchema,
    narrative: textSchema,
    binding: {
      type: "array",
      items: {
        type: "object",
        required: ["constraint", "shadow_price"],
        properties: {
          constraint: textSchema,
          shadow_price: {
            ...numberSchema,
            description: "Objective per period gained per unit of money of relaxing; gaps: per unit of share",
          },
        },
      },
    },
    held: { const: true },
    held_reason: { ...textSchema, description: "Why the data do not tell how demand answers to the price" },
  },
} as const;

export const outputsSchema = {
  type: "object",
  required: ["items", "summary", "trace", "omitted", "failures", "catalogue", "applied", "not_applied"],
  properties: {
    ...effectsProperties,
    ...aboutCatalogueSchemas,
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["item_id", "tiers", "profit"],
        properties: {
          item_id: textSchema,
          tiers: { type: "object", additionalProperties: tierSchema },
          profit: { ...moveSchema, description: "Money per period" },
          revenue: { ...moveSchema, description: "Money per period; present if revenue is the objective" },
          convention: {
            type: "object",
            required: ["cases", "of", "multiple", "open_multiple"],
            description:
              "Hypothetical cases without a best price, of all, and the multiples of today's and the recommended price at which they are taken to stop",
            properties: {
              cases: numberSchema,
              of: numberSchema,
              multiple: numberSchema,
              open_multiple: numberSchema,
            },
          },
        },
      },
    },
    summary: textSchema,
    trace: {
      type: "array",
      items: {
        type: "object",
        required: ["step", "detail"],
        properties: { step: textSchema, detail: textSchema },
      },
    },
    omitted: { type: "integer", minimum: 0 },
    failures: failuresSchema,
  },
} as const;
