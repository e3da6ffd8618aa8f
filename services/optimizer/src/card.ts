import {
  catalogueSchema,
  failuresSchema,
  itemsSchema,
  minGapSchema,
  outcomeSchema,
  settingsProperties,
} from "@interlock/pricing";

const MEBIBYTE = 1024 * 1024;

export const card = {
  name: "optimizer",
  version: "0.1.0",
  description:
    "Recommends the prices with the largest profit or revenue under bounds, maximum change, tier order, minimum gaps and the prices seen in the data.",
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
const textSchema = { type: "string" } as const;
const namesSchema = { type: "array", items: textSchema } as const;

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
        controls: namesSchema,
        reason: { ...textSchema, description: "Why the elasticity is not identified" },
        estimator: { enum: ["ols", "ppml"] },
        estimator_reason: textSchema,
        zero_rows: { ...numberSchema, description: "Rows without sales: used by ppml, dropped by ols" },
        inference: {
          type: "object",
          required: ["method", "degrees_of_freedom"],
          properties: {
            method: { enum: ["hc1", "hc3", "cluster", "hac", "cluster_or_hac"] },
            cluster: textSchema,
            clusters: numberSchema,
            time: textSchema,
            periods: numberSchema,
            degrees_of_freedom: numberSchema,
          },
          description: "How the standard error and the 95% interval were computed",
        },
        fixed_effects: namesSchema,
        validation: {
          type: "object",
          required: ["folds", "blocks", "predictive_r2", "calibration"],
          properties: {
            folds: numberSchema,
            blocks: { enum: ["time", "rows"] },
            predictive_r2: {
              ...numberSchema,
              description: "1 − loss on held-out blocks with the price / without it; ≤ 0: not identified",
            },
            calibration: { ...numberSchema, description: "Slope of actual on predicted effects; 1 is right" },
          },
        },
        observed_range: {
          type: "object",
          required: ["low", "high"],
          properties: { low: numberSchema, high: numberSchema },
          description: "Lowest and highest price in the rows used",
        },
      },
    },
    binding: {
      type: "array",
      items: { type: "string" },
      description:
        "Rules that hold with equality at the optimum: bounds_min, bounds_max, minimum_margin, max_change_down, max_change_up, observed_range_min, observed_range_max, substitution, ordering:<higher>><lower>, gap:<higher>><lower>, gap_amount:<higher>><lower>, held",
    },
    shadow_prices: {
      type: "object",
      additionalProperties: numberSchema,
      description:
        "Objective per period gained per unit of money (gaps: of share) by which a binding rule is relaxed; present if the observed range binds",
    },
  },
} as const;

const changeSchema = { type: ["number", "null"] } as const;

export const outputsSchema = {
  type: "object",
  required: [
    "items",
    "failures",
    "totals",
    "objective",
    "constraints",
    "assumptions",
    "trace",
    "catalogue",
    "summary",
  ],
  properties: {
    catalogue: catalogueSchema,
    summary: { type: "string" },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["item_id", "tiers"],
        properties: {
          item_id: textSchema,
          name: textSchema,
          tiers: { type: "object", additionalProperties: tierSchema },
          substitution: {
            type: "object",
            required: ["model", "basis"],
            properties: {
              model: { enum: ["logit", "cross_price", "none"] },
              basis: { enum: ["held_out", "requested", "assumed"] },
              reason: textSchema,
              occasions: numberSchema,
              held_out: {
                type: "object",
                properties: { logit: numberSchema, cross_price: numberSchema, none: numberSchema },
                description: "1 − loss on held-out occasions / that of each tier's mean",
              },
              diversion: numberSchema,
            },
            description: "How the tiers take sales from each other, if several have fitted demand",
          },
          warnings: { ...namesSchema, description: "What must be known before the prices are used" },
        },
      },
    },
    failures: failuresSchema,
    assumptions: {
      ...namesSchema,
      description: "What must be true for the fitted elasticities to be causal; at most 20 sentences",
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
        observed_margin: {
          ...numberSchema,
          description: "How far prices may leave the range that the data of a fit have: a share of its ends",
        },
        extrapolate: { const: true },
        rule_pack: { type: "object", properties: { name: { type: "string" }, version: { type: "string" } } },
        effective: {
          type: "array",
          description:
            "What thresholds, rule pack and request come to, by segment and region; at most 50 combinations",
          items: {
            type: "object",
            required: ["minimum_gaps", "strict_order"],
            properties: {
              segment: { type: "string" },
              region: { type: "string" },
              minimum_gaps: { type: "object", additionalProperties: minGapSchema },
              minimum_margin_pct: numberSchema,
              max_change_pct: numberSchema,
              strict_order: { type: "boolean" },
            },
          },
        },
        gaps: {
          type: "array",
          description: "Minimum gaps used, by segment and region; at most 50 combinations",
          items: {
            type: "object",
            properties: {
              segment: { type: "string" },
              region: { type: "string" },
              gaps: { type: "object", additionalProperties: minGapSchema },
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
