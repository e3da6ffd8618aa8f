export const card = {
  name: "minimal",
  version: "0.1.0",
  description: "Counts the words of a text.",
} as const;

export const inputsSchema = {
  type: "object",
  required: ["text"],
  properties: { text: { type: "string", minLength: 1, maxLength: 100_000 } },
  additionalProperties: false,
} as const;

export const outputsSchema = {
  type: "object",
  required: ["words", "longest"],
  properties: { words: { type: "integer", minimum: 1 }, longest: { type: "string" } },
  additionalProperties: false,
} as const;
