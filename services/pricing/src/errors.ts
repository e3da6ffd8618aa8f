/** Stable codes. Callers branch on them, not on the message. */
export type PricingErrorCode =
  | "INFEASIBLE"
  | "UNBOUNDED"
  | "INVALID_ITEM"
  | "UNKNOWN_DATASET"
  | "INVALID_CATALOGUE"
  | "INVALID_DATASET"
  | "NO_USABLE_ROWS"
  | "UNKNOWN_LOCALE"
  | "NOTHING_SELECTED"
  | "CONFLICTING_CONSTRAINTS";

/**
 * Details of an error: names that the caller chose (item, tier, column, rule), never prices or other values.
 */
export type PricingErrorDetails = {
  item_id?: string;
  tiers?: string[];
  constraint?: string;
  dataset?: string;
  column?: string;
  [key: string]: unknown;
};

/**
 * The request cannot be answered as it is: it is invalid, infeasible or unbounded, or its data are missing.
 */
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
