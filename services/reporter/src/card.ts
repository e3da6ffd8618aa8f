import { failuresSchema, inputsProperties, itemIdSchema, proposedSchema } from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "reporter",
  version: "0.1.0",
  description:
    "Composes the review of proposed prices from what the other pricing agents answered, in the language asked for.",
  // Large enough for the answers of the other agents about 10,000 items.
  limits: { max_event_bytes: 16 * MEBIBYTE, max_body_bytes: 16 * MEBIBYTE },
} as const;

const MOST_ITEMS = 100_000;

const textSchema = { type: "string" } as const;
const numberSchema = { type: "number" } as const;
const listSchema = { type: "array", items: { type: "object" } } as const;

const figuresSchema = {
  type: "object",
  required: ["profit", "revenue"],
  properties: { profit: numberSchema, revenue: numberSchema },
} as const;

const totalsSchema = {
  type: "object",
  required: ["current", "expected"],
  properties: { current: figuresSchema, expected: figuresSchema, at_todays_costs: figuresSchema },
} as const;

const constraintsSchema = {
  type: "array",
  maxItems: 1000,
  items: { type: "object", required: ["slot", "op"], properties: { slot: textSchema, op: textSchema } },
} as const;

const violationsSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["type", "item_id", "tiers", "message"],
    properties: {
      type: textSchema,
      item_id: textSchema,
      tiers: { type: "array", items: textSchema },
      message: textSchema,
    },
  },
} as const;

const suggestionsSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["item_id", "field", "current", "new_value"],
    properties: { item_id: textSchema, field: textSchema, current: numberSchema, new_value: numberSchema },
  },
} as const;

const pricesByTier = {
  type: "object",
  additionalProperties: { type: "object", required: ["price"], properties: { price: numberSchema } },
} as const;

/** The inputs of all pricing tasks, and what other agents answered: read as it is, since their answers may gain fields. */
export const inputsSchema = {
  type: "object",
  required: ["items"],
  properties: {
    ...inputsProperties,
    items: {
      type: "array",
      minItems: 1,
      maxItems: MOST_ITEMS,
      description: "Items as the other pricing tasks take them; demand is not read and may be left out",
      items: {
        type: "object",
        required: ["item_id", "tiers"],
        properties: {
          item_id: itemIdSchema,
          tiers: {
            type: "object",
            additionalProperties: {
              type: "object",
              required: ["current_price"],
              properties: { current_price: numberSchema },
            },
          },
        },
      },
    },
    optimized: {
      type: "object",
      description: "The optimizer's outputs, without `items`",
      properties: {
        proposed: {
          type: "array",
          maxItems: MOST_ITEMS,
          items: {
            type: "object",
            required: ["item_id", "tiers"],
            properties: { item_id: itemIdSchema, tiers: pricesByTier },
          },
        },
        outcomes: {
          type: "array",
          maxItems: MOST_ITEMS,
          description: "What today's prices and the proposed ones of each item earn",
          items: {
            type: "object",
            required: ["item_id", "current", "expected"],
            properties: { item_id: itemIdSchema, current: figuresSchema, expected: figuresSchema },
          },
        },
        totals: totalsSchema,
        objective: inputsProperties.objective,
        failures: failuresSchema,
        warnings: { type: "array", items: textSchema },
        applied: constraintsSchema,
        not_applied: constraintsSchema,
        tables: listSchema,
      },
    },
    checked: {
      type: "object",
      dependentRequired: { passed: ["violations"] },
      description: "The outputs of the policy check of the proposal",
      properties: {
        passed: { type: "boolean" },
        violations: violationsSchema,
        suggestions: suggestionsSchema,
        current: {
          type: "object",
          description: "About today's prices",
          properties: { violations: violationsSchema, suggestions: suggestionsSchema },
        },
      },
    },
    rounds: {
      type: "integer",
      minimum: 1,
      default: 1,
      description: "How often the proposal was checked; it was repaired between two checks",
    },
    proposed: {
      ...proposedSchema,
      description: "The proposal as it came out of the checks; default: that of `optimized`",
    },
    // A flow refers to outputs of steps that a plan may leave out: these objects are then empty.
    explained: {
      type: "object",
      properties: { summary: textSchema },
      description: "The explainer's outputs",
    },
    tested: {
      type: "object",
      properties: {
        summary: textSchema,
        totals: { type: "object", properties: { robustness: { type: "object" } } },
      },
      description: "The outputs of the sensitivity analysis",
    },
  },
  additionalProperties: false,
} as const;

const pricesSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["item_id", "tiers"],
    properties: { item_id: textSchema, tiers: pricesByTier },
  },
} as const;

export const outputsSchema = {
  type: "object",
  required: ["summary", "proposed", "shown"],
  properties: {
    summary: { ...textSchema, description: "The review" },
    tables: {
      type: "array",
      items: { type: "object", required: ["title", "columns", "rows", "total_rows"] },
      description: "The proposed prices as a table, with the reason of each",
    },
    proposed: {
      ...pricesSchema,
      description: "The prices that are to take effect: of the items and tiers that the constraints select",
    },
    shown: {
      type: "object",
      required: ["before", "failures", "violations", "violations_before", "applied", "not_applied"],
      description: "What an approver sees",
      properties: {
        before: { ...pricesSchema, description: "Today's prices, where `proposed` has others" },
        totals: { ...totalsSchema, description: "Of the proposed items" },
        failures: failuresSchema,
        violations: listSchema,
        violations_before: listSchema,
        robustness: { type: "object" },
        drivers: textSchema,
        applied: constraintsSchema,
        not_applied: constraintsSchema,
      },
    },
  },
} as const;
