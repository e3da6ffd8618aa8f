/** Why a token was refused, only for logs and metrics. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly code: string;
  /** The issuer's name in the manifest, where it is known. */
  readonly issuer: string | undefined;

  constructor(code: string, options: { issuer?: string; cause?: unknown } = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.issuer = options.issuer;
  }
}

/** An error of verification as one with a code of ours: jose's `ERR_JWT_EXPIRED` is `jwt_expired`. */
export function tokenError(error: unknown, issuer: string): TokenError {
  if (error instanceof TokenError) return new TokenError(error.code, { issuer });
  const code = Error.isError(error) && "code" in error ? String(error.code) : "";
  return new TokenError(code.startsWith("ERR_J") ? code.slice(4).toLowerCase() : "not_verified", {
    issuer,
    cause: error,
  });
}
