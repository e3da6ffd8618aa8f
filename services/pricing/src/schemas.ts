/**
 * JSON Schemas (2020-12) of the wire shapes that the pricing agents share.
 *
 * Inputs refuse unknown fields, because a misspelt `bounds` or `objective` would otherwise be ignored
 * silently. The exception is `proposed`: it accepts another agent's answer unchanged, and answers may gain
 * fields. Ranges exclude invalid prices (0, negative, absurdly high) and values that could overflow.
 */

import { LANGUAGES } from "./texts/language.ts";

const MOST_MONEY = 1e9;
const LEAST_PRICE = 1e-6;
/** For the largest prices, a smaller increment would be lost in rounding errors. */
const LEAST_INCREMENT = 1e-4;

export const priceSchema = { type: "number", minimum: LEAST_PRICE, maximum: MOST_MONEY } as const;
const costSchema = { type: "number", minimum: 0, maximum: MOST_MONEY } as const;
const amountSchema = { type: "number", exclusiveMinimum: 0, maximum: 1e12 } as const;
export const shareSchema = { type: "number", minimum: 0, exclusiveMaximum: 1 } as const;
export const itemIdSchema = {
  type: "string",
  minLength: 1,
  maxLength: 128,
  pattern: "^[^\\p{Cc}]*$",
} as const;
/** Tier names become object keys, so the pattern excludes `__proto__`. */
export const tierNameSchema = { type: "string", pattern: "^[A-Za-z][A-Za-z0-9_. -]{0,31}$" } as const;
export const itemNameSchema = {
  ...{ type: "string", minLength: 1, maxLength: 200, pattern: "^[^\\p{Cc}]*$" },
  description: "What people call the item",
} as const;
export const labelSchema = { type: "string", minLength: 1, maxLength: 64 } as const;
const columnSchema = { type: "string", minLength: 1, maxLength: 128 } as const;

export const constantElasticitySchema = {
  description: "q(p) = reference_quantity · (p / reference_price)^elasticity",
  type: "object",
  required: ["model", "reference_price", "reference_quantity", "elasticity"],
  properties: {
    model: { const: "constant_elasticity" },
    reference_price: priceSchema,
    reference_quantity: { ...amountSchema, description: "Units per period at the reference price" },
    elasticity: { type: "number", minimum: -50, exclusiveMaximum: 0 },
    elasticity_se: {
      type: "number",
      minimum: 0,
      maximum: 50,
      description: "Standard error of the elasticity",
    },
  },
  additionalProperties: false,
} as const;

export const logitSchema = {
  description:
    "Multinomial logit across the item's tiers with an outside option; all tiers of the item must use it",
  type: "object",
  required: ["model", "market_size", "intercept", "price_coefficient"],
  properties: {
    model: { const: "logit" },
    market_size: { ...amountSchema, description: "Buyers per period; equal in all tiers of the item" },
    intercept: { type: "number", minimum: -1000, maximum: 1000 },
    price_coefficient: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: 1e6,
      description: "Per unit of money",
    },
  },
  additionalProperties: false,
} as const;

export const fitSchema = {
  description: "Demand with constant elasticity, estimated on rows of a named dataset",
  type: "object",
  required: ["model", "dataset", "price", "quantity"],
  properties: {
    model: { const: "fit" },
    dataset: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$", description: "An id, never a path" },
    where: {
      type: "object",
      maxProperties: 8,
      additionalProperties: { type: ["string", "number"], maxLength: 256 },
      description: "Rows to use: column equals value",
    },
    price: columnSchema,
    quantity: columnSchema,
    controls: {
      type: "array",
      maxItems: 16,
      uniqueItems: true,
      items: columnSchema,
      description: "Numbers enter linearly, names as categories",
    },
    estimator: {
      enum: ["auto", "ols", "ppml"],
      default: "auto",
      description:
        "ols: least squares of ln quantity; ppml: Poisson pseudo-maximum likelihood, which keeps rows without sales; auto: ols if every row has sales, with a limit where rows sold out, else ppml",
    },
    cluster: { ...columnSchema, description: "Errors of rows with the same value depend on each other" },
    time: { ...columnSchema, description: "Errors depend on each other along this column" },
    fixed_effects: {
      type: "array",
      maxItems: 4,
      uniqueItems: true,
      items: columnSchema,
      description: "Columns with an effect for each value; by default chosen from the columns' names",
    },
    seasonality: {
      enum: ["auto", "none"],
      default: "auto",
      description: "auto: a yearly sine and cosine if the time column spans two years",
    },
    pooling: {
      enum: ["auto", "none"],
      default: "auto",
      description:
        "auto: the elasticity is drawn towards those of other values of the columns of `where`, as far as these resemble each other",
    },
    prices_follow: {
      type: "array",
      maxItems: 2,
      uniqueItems: true,
      items: { enum: ["demand", "rivals"] },
      description:
        "What the prices in the rows were moved by, as far as you know: [] if neither by demand nor by rivals' prices. No data tell; absent, the answer asks",
    },
    substitution: {
      enum: ["auto", "logit", "cross_price", "none"],
      default: "auto",
      description: "How the item's tiers take sales from each other; auto: what predicts held-out sales best",
    },
  },
  additionalProperties: false,
} as const;

export const demandSchema = {
  type: "object",
  required: ["model"],
  discriminator: { propertyName: "model" },
  oneOf: [constantElasticitySchema, logitSchema, fitSchema],
} as const;

export const tierSchema = {
  type: "object",
  required: ["current_price", "unit_cost", "demand"],
  properties: {
    current_price: priceSchema,
    unit_cost: costSchema,
    demand: demandSchema,
    bounds: {
      type: "object",
      properties: { min: costSchema, max: priceSchema },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

export const itemsSchema = {
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
      tiers: {
        type: "object",
        minProperties: 1,
        maxProperties: 16,
        propertyNames: tierNameSchema,
        additionalProperties: tierSchema,
      },
    },
    additionalProperties: false,
  },
} as const;

export const gapSchema = {
  type: "object",
  minProperties: 1,
  properties: {
    share: shareSchema,
    amount: { type: "number", minimum: 0, maximum: 1e9, description: "Money" },
  },
  additionalProperties: false,
} as const;

/** A minimum gap in an answer. */
export const minGapSchema = { anyOf: [{ type: "number" }, gapSchema] } as const;

/** The input fields besides `items` that all pricing tasks share. Spread them into a task's `properties`. */
export const settingsProperties = {
  catalogue: {
    ...{ type: "string", minLength: 1, maxLength: 128, pattern: "^[^\\p{Cc}]*$" },
    description: "Name of the catalogue that the items are from, for printing",
  },
  tier_order: {
    type: "array",
    minItems: 1,
    maxItems: 16,
    uniqueItems: true,
    items: tierNameSchema,
    description: "High to low; any subset may be present in an item",
    default: ["new", "exchange", "repair", "usm"],
  },
  thresholds: {
    type: "object",
    maxProperties: 64,
    propertyNames: { type: "string", maxLength: 80 },
    additionalProperties: { anyOf: [shareSchema, gapSchema] },
    description:
      "Minimum gaps by pair, `<higher>_<lower>`, or `default`: a share of the higher price, or a share, an amount of money, or both",
  },
  min_gap: {
    ...gapSchema,
    description:
      "Minimum gap of all pairs without one in `thresholds`: a share of the higher price, an amount of money, or both; what is absent comes from the rule pack",
  },
  objective: { enum: ["profit", "revenue"], default: "profit" },
  max_change_pct: {
    type: "number",
    minimum: 0,
    maximum: 1,
    hint: "it is a share of the current price, so 0.05 is 5%",
    description: "A share of the current price: 0.1 is 10%",
  },
  extrapolate: {
    type: "boolean",
    default: false,
    description: "Allows prices outside the range that the data of a fit have, with a warning",
  },
  observed_margin: {
    ...shareSchema,
    default: 0,
    description: "How far prices may leave the range that the data of a fit have: a share of its ends",
  },
  currency: { type: "string", pattern: "^[A-Z]{3}$", description: "ISO 4217, for printing" },
  locale: {
    type: "string",
    pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
    description: "BCP 47, for printing",
  },
  language: { enum: LANGUAGES, default: "en", description: "Of the texts in the answer" },
  price_increment: {
    type: "number",
    anyOf: [{ const: 0 }, { minimum: LEAST_INCREMENT }],
    maximum: 1e6,
    description: "Money; 0 means no rounding",
    default: 0.01,
  },
  enforce: {
    type: "array",
    uniqueItems: true,
    items: { enum: ["bounds", "max_change", "ordering", "gaps"] },
    description: "Constraint families to keep; all by default",
  },
} as const;

/** Proposed prices. The optimizer's `outputs.items` are valid as they are. */
export const proposedSchema = {
  type: "array",
  maxItems: 100_000,
  items: {
    type: "object",
    required: ["item_id", "tiers"],
    properties: {
      item_id: itemIdSchema,
      tiers: {
        type: "object",
        minProperties: 1,
        maxProperties: 16,
        propertyNames: tierNameSchema,
        additionalProperties: { type: "object", required: ["price"], properties: { price: priceSchema } },
      },
    },
  },
} as const;

const numberSchema = { type: "number" } as const;

/** Demand, revenue and profit per period. */
export const outcomeSchema = {
  type: "object",
  required: ["demand", "revenue", "profit"],
  properties: { demand: numberSchema, revenue: numberSchema, profit: numberSchema },
} as const;

/** Items that could not be worked on; the others are in the answer. */
export const failuresSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["item_id", "code", "message"],
    properties: { item_id: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
  },
  description: "Items that could not be worked on, with the reason; the answer has all others",
} as const;

/** What an answer says of its items, beside its summary: the same in parts. */
export const aboutCatalogueSchemas = {
  catalogue: {
    type: "object",
    required: ["items", "sample"],
    properties: {
      name: { type: "string" },
      items: { type: "integer" },
      sample: { type: "boolean", description: "The items are the sample that comes with the agent" },
    },
  },
  finding: {
    type: "string",
    description: "The summary without the notes, and without whether it is about the sample",
  },
  notes: {
    type: "string",
    description: "What came of the constraints, and of the items that could not be worked on",
  },
} as const;
