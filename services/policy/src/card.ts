import {
  aboutCatalogueSchemas,
  effectsProperties,
  failuresSchema,
  inputsProperties,
  itemIdSchema,
  itemNameSchema,
  labelSchema,
  tierNameSchema,
} from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "policy",
  version: "0.1.0",
  description:
    "Judges prices by a rule pack (tier order, minimum gaps, limits), names the least joint change that keeps every rule, and judges whether prices are what was said.",
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

/** Accepts negative prices and 0, because the policy check reports an invalid price as a violation. */
const judgedPriceSchema = { type: "number", minimum: -1e9, maximum: 1e9 } as const;
const limitSchema = { type: "number", minimum: 0, maximum: 1e9 } as const;

function byTier(schema: object) {
  return {
    type: "object",
    minProperties: 1,
    maxProperties: 16,
    propertyNames: tierNameSchema,
    additionalProperties: schema,
  };
}

export const itemsSchema = {
  description: "Items as the other pricing tasks take them; demand is not read and may be left out",
  type: "array",
  minItems: 1,
  maxItems: 100_000,
  items: {
    type: "object",
    required: ["item_id", "tiers"],
    properties: {
      item_id: itemIdSchema,
      name: itemNameSchema,
      segment: labelSchema,
      region: labelSchema,
      tiers: byTier({
        type: "object",
        required: ["current_price"],
        properties: {
          current_price: judgedPriceSchema,
          unit_cost: limitSchema,
          demand: { type: "object" },
          bounds: {
            type: "object",
            properties: { min: limitSchema, max: limitSchema },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      }),
    },
    additionalProperties: false,
  },
};

export const proposedSchema = {
  description:
    "Prices to check besides today's, such as an optimizer's `items`; tiers left out keep their current price",
  type: "array",
  maxItems: 100_000,
  items: {
    type: "object",
    required: ["item_id", "tiers"],
    properties: {
      item_id: itemIdSchema,
      tiers: byTier({ type: "object", required: ["price"], properties: { price: judgedPriceSchema } }),
    },
  },
};

export const inputsSchema = {
  type: "object",
  properties: {
    ...inputsProperties,
    items: itemsSchema,
    prices: { ...byTier(judgedPriceSchema), description: "Price by tier of one item, instead of `items`" },
    item_id: { ...itemIdSchema, description: "Item id that the results report for `prices`" },
    proposed: proposedSchema,
  },
  // Either `items` or `prices`; `proposed` needs `items`.
  oneOf: [{ required: ["items"] }, { required: ["prices"], not: { required: ["proposed"] } }],
  additionalProperties: false,
};

const textSchema = { type: "string" } as const;
const numberSchema = { type: "number" } as const;
const namesSchema = { type: "array", items: textSchema } as const;

const verdictProperties = {
  passed: { type: "boolean" },
  violations: {
    type: "array",
    items: {
      type: "object",
      required: ["type", "item_id", "tiers", "current", "message"],
      properties: {
        type: {
          enum: [
            "hierarchy_inversion",
            "insufficient_tier_margin",
            "invalid_price",
            "out_of_bounds",
            "below_minimum_margin",
            "above_maximum_change",
          ],
        },
        item_id: textSchema,
        tiers: { ...namesSchema, description: "[higher, lower] for rules between two tiers" },
        current: { type: "object", additionalProperties: numberSchema, description: "The checked prices" },
        actual_gap_pct: { ...numberSchema, description: "A share of the higher price: 0.03 is 3%" },
        required_gap_pct: { ...numberSchema, description: "A share of the higher price: 0.03 is 3%" },
        actual_gap_amount: { ...numberSchema, description: "Money; only where the gap has an amount" },
        required_gap_amount: numberSchema,
        limit: { ...numberSchema, description: "Lowest or highest price that the rule allows" },
        message: textSchema,
      },
    },
  },
  suggestions: {
    type: "array",
    items: {
      type: "object",
      required: ["item_id", "field", "action", "current", "new_value", "reason"],
      properties: {
        item_id: textSchema,
        field: { ...textSchema, description: "The tier whose price changes" },
        action: { enum: ["increase", "decrease", "set"] },
        current: numberSchema,
        new_value: numberSchema,
        reason: textSchema,
      },
    },
  },
  fixed_prices: {
    description: "All prices with the suggestions applied: `proposed` items, or price by tier for `prices`",
    anyOf: [
      {
        type: "array",
        items: {
          type: "object",
          required: ["item_id", "tiers"],
          properties: {
            item_id: textSchema,
            tiers: {
              type: "object",
              additionalProperties: {
                type: "object",
                required: ["price"],
                properties: { price: numberSchema },
              },
            },
          },
        },
      },
      { type: "object", additionalProperties: numberSchema },
    ],
  },
  conflicts: {
    description: "Rules that contradict each other; if unresolved, the item has no fix and keeps its prices",
    type: "array",
    items: {
      type: "object",
      required: ["item_id", "rules", "tiers", "resolved", "message"],
      properties: {
        item_id: textSchema,
        rules: namesSchema,
        tiers: namesSchema,
        resolved: { type: "boolean" },
        message: textSchema,
      },
    },
  },
};

const verdictSchema = {
  type: "object",
  required: ["passed", "violations", "suggestions", "fixed_prices", "conflicts"],
  properties: verdictProperties,
};

export const outputsSchema = {
  ...verdictSchema,
  description: "The top-level verdict is on `proposed` if given, else on today's prices",
  required: [
    ...verdictSchema.required,
    "current",
    "failures",
    "rule_pack",
    "summary",
    "catalogue",
    "applied",
    "not_applied",
  ],
  properties: {
    ...effectsProperties,
    ...aboutCatalogueSchemas,
    ...verdictProperties,
    current: verdictSchema,
    proposed: verdictSchema,
    failures: failuresSchema,
    rule_pack: {
      type: "object",
      required: ["name", "version"],
      properties: { name: textSchema, version: textSchema },
    },
    summary: textSchema,
  },
};
