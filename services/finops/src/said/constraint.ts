/** One thing that somebody said of a question, as the orders of the gateway have it (wire shape). */
export type Constraint = {
  readonly slot: string;
  readonly op: string;
  readonly value?: unknown;
  readonly scope?: Readonly<Record<string, unknown>>;
  readonly unit?: string;
  readonly direction?: string;
};

const name = { type: "string", minLength: 1, maxLength: 64 } as const;

export const constraintsSchema = {
  type: "array",
  maxItems: 200,
  items: {
    type: "object",
    required: ["slot", "op"],
    properties: { slot: name, op: name, value: {}, scope: { type: "object" }, unit: name, direction: name },
    additionalProperties: false,
  },
  description:
    "What was said: provider, service, category, region, account, resource and keys of tags (only, except), period, compare_to, metric, group_by, top, order (set). What a task cannot apply is in `not_applied`",
} as const;
