/** What becomes of one thing that was said, in what is to take effect (wire shape). */
export type Verdict = {
  readonly slot: string;
  readonly verdict: "kept" | "broken" | "unknown" | "not_checkable";
  readonly message: string;
};

export type Judgement = { readonly passed: boolean; readonly verdicts: readonly Verdict[] };

export const judgementSchema = {
  type: "object",
  required: ["passed", "verdicts"],
  properties: {
    passed: { type: "boolean" },
    verdicts: {
      type: "array",
      items: {
        type: "object",
        required: ["slot", "verdict", "message"],
        properties: {
          slot: { type: "string" },
          verdict: { enum: ["kept", "broken", "unknown", "not_checkable"] },
          message: { type: "string" },
        },
      },
      description: "One for each constraint, and one for what nobody said",
    },
  },
} as const;

export const judgementOf = (verdicts: readonly Verdict[]): Judgement => ({
  passed: verdicts.every(({ verdict }) => verdict === "kept" || verdict === "not_checkable"),
  verdicts,
});

export const verdict = (slot: string, isKept: boolean, otherwise: string): Verdict =>
  isKept ? { slot, verdict: "kept", message: "Kept." } : { slot, verdict: "broken", message: otherwise };

export const unknown = (slot: string): Verdict => ({
  slot,
  verdict: "unknown",
  message: "Nothing tells whether this is kept.",
});

/** Of a slot that has no bearing on such an effect: it is still in force for what is asked besides. */
export const withoutBearing = (slot: string): Verdict => ({
  slot,
  verdict: "not_checkable",
  message: "This has nothing to do with it.",
});
