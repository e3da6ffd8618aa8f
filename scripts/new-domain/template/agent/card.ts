export const card = {
  name: "minimal",
  version: "0.1.0",
  description: "Counts what is in stock.",
} as const;

const text = { type: "string", minLength: 1, maxLength: 200 } as const;
const texts = { type: "array", items: text } as const;

export const inputsSchema = {
  type: "object",
  required: ["items"],
  properties: {
    items: {
      type: "array",
      minItems: 1,
      maxItems: 10_000,
      items: {
        type: "object",
        required: ["id", "count"],
        properties: { id: text, name: text, count: { type: "integer", minimum: 0 } },
        additionalProperties: false,
      },
    },
    // What was said, as the gateway's orders have it.
    constraints: {
      type: "array",
      items: {
        type: "object",
        required: ["slot", "op"],
        properties: {
          slot: text,
          op: text,
          value: {},
          unit: text,
          direction: text,
          scope: { type: "object" },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

export const outputsSchema = {
  type: "object",
  required: ["summary", "total", "counts", "not_applied"],
  properties: {
    summary: { type: "string", minLength: 1 },
    total: { type: "integer", minimum: 0 },
    counts: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
    not_applied: texts,
  },
  additionalProperties: false,
} as const;
