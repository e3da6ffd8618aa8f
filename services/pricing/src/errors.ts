/** Stable codes: callers branch on these, never on the text. */
export type PricingErrorCode =
  | "INFEASIBLE"
  | "UNBOUNDED"
  | "INVALID_ITEM"
  | "UNKNOWN_DATASET"
  | "INVALID_DATASET"
  | "NO_USABLE_ROWS";

/** What an error may tell: names the caller chose (item, tier, column, rule), never prices or other values. */
export type PricingErrorDetails = {
  item_id?: string;
  tiers?: string[];
  constraint?: string;
  dataset?: string;
  column?: string;
  [key: string]: unknown;
};

/** A question that has no answer as it was put. */
export class PricingError extends Error {
  override readonly name = "PricingError";
  readonly code: PricingErrorCode;
  readonly details: PricingErrorDetails;

  constructor(code: PricingErrorCode, message: string, details: PricingErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
