/** Stable codes. Callers branch on them, not on the message. */
export type ForecastErrorCode =
  | "SERIES_TOO_SHORT"
  | "HORIZON_TOO_LONG"
  | "INVALID_SERIES"
  | "INVALID_CHANGE"
  | "INVALID_BUDGET";

/** The forecast that was asked for cannot be made. Details have names, dates and counts, never costs. */
export class ForecastError extends Error {
  override readonly name = "ForecastError";
  readonly code: ForecastErrorCode;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: ForecastErrorCode, message: string, details: Record<string, string | number> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
