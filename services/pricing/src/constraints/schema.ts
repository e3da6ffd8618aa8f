import { labelSchema, tierNameSchema } from "../schemas.ts";

const nameSchema = { type: "string", minLength: 1, maxLength: 128 } as const;

const labelsSchema = {
  anyOf: [labelSchema, { type: "array", minItems: 1, maxItems: 1000, items: labelSchema }],
} as const;

const constraintSchema = {
  type: "object",
  required: ["slot", "op"],
  properties: {
    slot: { type: "string", minLength: 1, maxLength: 64 },
    op: { enum: ["set", "only", "except", "freeze", "clear"] },
    scope: {
      type: "object",
      properties: {
        items: { type: "array", maxItems: 100_000, items: nameSchema },
        tiers: { type: "array", maxItems: 16, items: tierNameSchema },
        region: labelsSchema,
        segment: labelsSchema,
      },
      additionalProperties: false,
      description: "What the constraint is about; absent: everything",
    },
    value: {
      anyOf: [
        { type: ["number", "boolean"] },
        nameSchema,
        { type: "array", maxItems: 100_000, items: { type: ["string", "number"] } },
      ],
    },
    unit: { enum: ["share", "money", "number"] },
    direction: { enum: ["most", "least", "up", "down"] },
  },
  additionalProperties: false,
} as const;

/** What was said of an order. */
export const constraintsSchema = {
  type: "array",
  maxItems: 1000,
  items: constraintSchema,
  description:
    "What was said: items, tiers, region, segment (only, except, freeze), max_change_pct, min_margin, min_price, max_price, price_move, cost_move, rounding, gap, objective, only_violating, top. What a task cannot apply is in `not_applied`",
} as const;

const countSchema = { type: "integer", minimum: 0 } as const;
const { additionalProperties: _, ...openSchema } = constraintSchema;

/** What became of the constraints of a request: the members that every answer of a pricing task has. */
export const effectsProperties = {
  applied: {
    type: "array",
    items: {
      ...openSchema,
      required: ["slot", "op", "items", "prices"],
      properties: {
        ...openSchema.properties,
        items: { ...countSchema, description: "Items that it selects, leaves out, limits or freezes" },
        prices: {
          ...countSchema,
          description: "Prices that it limits, freezes or moves, or whose costs it moves",
        },
        binds: { ...countSchema, description: "Of the answer's prices, those that it freezes or stops" },
      },
    },
    description: "The constraints that were applied, with the effect of each",
  },
  not_applied: {
    type: "array",
    items: openSchema,
    description: "Constraints that the task cannot apply, or that name what the items do not have",
  },
} as const;
