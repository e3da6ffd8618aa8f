/** Stable codes. Callers branch on them, not on the message. */
export type SavingsErrorCode = "INVALID_POOL" | "INVALID_RESOURCE" | "TOO_FEW_PERIODS";

/** What was given cannot be judged. Details have names, never costs. */
export class SavingsError extends Error {
  override readonly name = "SavingsError";
  readonly code: SavingsErrorCode;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: SavingsErrorCode, message: string, details: Record<string, string | number> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
