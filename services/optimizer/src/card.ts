import {
  aboutCatalogueSchemas,
  effectsProperties,
  FIELDS,
  failuresSchema,
  findingsSchema,
  inputsProperties,
  minGapSchema,
  outcomeSchema,
  proposedSchema,
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
  properties: inputsProperties,
  additionalProperties: false,
} as const;

const fieldsSchema = {
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(FIELDS.map((field) => [field, { type: "string", minLength: 1 }])),
} as const;

/** Of CATALOGUE_READING. */
export const readingInputs = {
  type: "object",
  required: ["csv"],
  additionalProperties: false,
  properties: {
    csv: { type: "string", minLength: 1, description: "A table with a header, one row for each price" },
    columns: { ...fieldsSchema, description: "Columns by field, where their names do not tell" },
    elasticity: { type: "number", exclusiveMaximum: 0, description: "Of all rows, where no column has it" },
  },
} as const;

export const readingOutputs = {
  type: "object",
  required: ["inputs", "columns", "unused", "rows", "summary"],
  properties: {
    inputs: { type: "object", description: "For the pricing tasks, as they are" },
    columns: { ...fieldsSchema, description: "The column that each field was read from" },
    unused: { type: "array", items: { type: "string" }, description: "Columns that nothing was read from" },
    rows: { type: "integer" },
    summary: { type: "string" },
  },
} as const;

const numberSchema = { type: "number" } as const;
const textSchema = { type: "string" } as const;
const namesSchema = { type: "array", items: textSchema } as const;

const intervalSchema = {
  type: "object",
  required: ["low", "high"],
  properties: { low: numberSchema, high: numberSchema },
} as const;

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
        interval: intervalSchema,
        cross: {
          type: "object",
          additionalProperties: {
            type: "object",
            required: ["elasticity", "elasticity_se", "interval"],
            properties: { elasticity: numberSchema, elasticity_se: numberSchema, interval: intervalSchema },
          },
          description:
            "Elasticities of this tier's demand by the prices of the item's other tiers, with 95% intervals, if the tiers were fitted together; all elasticities are then of the joint fit, at today's prices",
        },
        pooling: {
          type: "object",
          required: ["items", "mean", "between_sd", "weight", "own"],
          properties: {
            items: { type: "integer" },
            mean: numberSchema,
            between_sd: { ...numberSchema, description: "Standard deviation of their true elasticities" },
            weight: { ...numberSchema, description: "Share of the others in this elasticity" },
            own: {
              type: "object",
              required: ["elasticity", "elasticity_se"],
              properties: { elasticity: numberSchema, elasticity_se: numberSchema },
              description: "What the item's rows say alone",
            },
          },
          description: "What the elasticity was drawn towards: those of other items of the dataset",
        },
        r2: numberSchema,
        residual_sd: {
          ...numberSchema,
          description: "Standard deviation of a row's error in ln quantity; for ppml relative to the mean",
        },
        demand_se: {
          ...numberSchema,
          description: "Standard error of the mean quantity at one price, relative to it",
        },
        n: numberSchema,
        dropped_rows: numberSchema,
        identified: { type: "boolean" },
        controls: namesSchema,
        reason: { ...textSchema, description: "Why the elasticity is not identified" },
        estimator: { enum: ["ols", "ppml", "tobit"] },
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
          description: "Lowest and highest price that several of the rows used support",
        },
        findings: findingsSchema,
        prices_follow: {
          type: "array",
          items: { enum: ["demand", "rivals"] },
          description: "What the prices in the rows followed, as the request says",
        },
      },
    },
    forms: {
      type: "object",
      required: ["tested", "gain"],
      properties: {
        tested: {
          type: "array",
          items: {
            type: "object",
            required: ["form", "plausible", "elasticity", "gain"],
            properties: {
              form: {
                enum: ["constant_elasticity", "semi_log", "linear", "logit", "log_quadratic", "kinked"],
              },
              plausible: { type: "boolean", description: "False: the rows reject it, and it does not count" },
              elasticity: { ...numberSchema, description: "At the centre of the prices seen" },
              held_out: {
                ...numberSchema,
                description: "1 − loss on held-out blocks / that without a price",
              },
              gain: { ...numberSchema, description: "Of the tier's move, per period (money)" },
            },
          },
        },
        gain: { ...intervalSchema, description: "Least and largest under the plausible forms" },
      },
      description: "Of a fit: what the forms of demand say of the move, and by how much they differ",
    },
    binding: {
      type: "array",
      items: { type: "string" },
      description:
        "Rules that hold with equality at the optimum: bounds_min, bounds_max, minimum_margin, max_change_down, max_change_up, observed_range_min, observed_range_max, substitution, caution, ordering:<higher>><lower>, gap:<higher>><lower>, gap_amount:<higher>><lower>, held, frozen",
    },
    shadow_prices: {
      type: "object",
      additionalProperties: numberSchema,
      description:
        "Objective per period gained per unit of money (gaps: of share) by which a binding rule is relaxed; present if the observed range binds",
    },
  },
} as const;

const gainsProperties = {
  expected_gain: { ...numberSchema, description: "Over today's objective per period (money)" },
  cautious_gain: {
    ...numberSchema,
    description: "At the unfavourable end of the 95% interval, under the worst form of demand",
  },
} as const;

const safeStepSchema = {
  type: "object",
  required: ["share", "prices", "expected_gain", "cautious_gain", "full_move"],
  properties: {
    share: { ...numberSchema, description: "Of the way to the full move; 0: every step may lose" },
    prices: {
      type: "object",
      additionalProperties: numberSchema,
      description: "The recommended ones, by tier",
    },
    ...gainsProperties,
    full_move: {
      type: "object",
      required: ["prices", "expected_gain", "cautious_gain"],
      properties: {
        prices: { type: "object", additionalProperties: numberSchema },
        ...gainsProperties,
      },
      description: "The best prices if the estimates are right: what the step stops short of",
    },
    to_test: {
      type: "array",
      items: {
        type: "object",
        required: ["tier", "levels", "break_even_elasticity", "periods", "power"],
        properties: {
          tier: textSchema,
          levels: {
            type: "array",
            items: numberSchema,
            description: "Today's price and that of the full move",
          },
          break_even_elasticity: { ...numberSchema, description: "At which both prices earn the same" },
          periods: {
            type: ["number", "null"],
            description: "Half at each price; null: more than 104",
          },
          power: numberSchema,
        },
      },
      description: "Price tests that would settle whether the full move gains",
    },
  },
  description:
    "Where the data do not show that the best prices beat today's: the step towards them that is recommended instead, which gains most in the worst case, and what to test",
} as const;

const sumsSchema = {
  type: "object",
  required: ["profit", "revenue"],
  properties: { profit: numberSchema, revenue: numberSchema },
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
    "questions",
    "trace",
    "catalogue",
    "summary",
    "proposed",
    "outcomes",
    "applied",
    "not_applied",
  ],
  properties: {
    ...effectsProperties,
    proposed: { ...proposedSchema, description: "The prices alone, as the other tasks take them" },
    outcomes: {
      type: "array",
      items: {
        type: "object",
        required: ["item_id", "current", "expected"],
        properties: { item_id: textSchema, current: sumsSchema, expected: sumsSchema },
      },
      description: "Profit and revenue of each item per period, over its tiers",
    },
    ...aboutCatalogueSchemas,
    summary: { type: "string" },
    tables: {
      type: "array",
      items: { type: "object", required: ["title", "columns", "rows", "total_rows"] },
      description: "The proposed prices as a table, with the reason of each",
    },
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
          safe_step: safeStepSchema,
          warnings: { ...namesSchema, description: "What must be known before the prices are used" },
        },
      },
    },
    failures: failuresSchema,
    assumptions: {
      ...namesSchema,
      description: "What must be true for the fitted elasticities to be causal; at most 20 sentences",
    },
    questions: {
      type: "array",
      items: {
        type: "object",
        required: ["code", "tiers"],
        properties: {
          code: { enum: ["prices_follow"] },
          tiers: { type: "integer", description: "Of how many prices it is asked" },
        },
      },
      description: "What no data tell and the request does not say: the input field of that name answers it",
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
        at_todays_costs: {
          ...outcomeSchema,
          description: "What today's prices earn at today's unit costs, where other costs are supposed",
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
