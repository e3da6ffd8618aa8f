/** Why a token does not count, for the log alone. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
