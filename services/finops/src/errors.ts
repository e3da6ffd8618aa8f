/** Stable codes. Callers branch on them, not on the message. */
export type FinopsErrorCode =
  | "INVALID_DATA"
  | "UNKNOWN_DATA_SET"
  | "INVALID_QUERY"
  | "UNKNOWN_PERIOD"
  | "PERIOD_WITHOUT_DATA"
  | "PERIOD_OVER"
  | "UNKNOWN_VALUE"
  | "UNKNOWN_ROW_FILTER"
  | "QUERY_TIMEOUT"
  | "QUERY_FAILED";

/** The data or the question cannot be used as they are. The message names fields and rules, never values of the question. */
export class FinopsError extends Error {
  override readonly name = "FinopsError";
  readonly code: FinopsErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: FinopsErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}
