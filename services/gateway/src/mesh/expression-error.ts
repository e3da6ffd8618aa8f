/** An expression that could not be compiled or evaluated. Its message holds JSONata's code and the position, never a value. */
export class ExpressionError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`JSONata ${code}`);
    this.name = "ExpressionError";
    this.code = code;
  }

  static at(code = "error", position?: number): ExpressionError {
    return new ExpressionError(position === undefined ? code : `${code} at character ${position}`);
  }
}

/** JSONata throws plain objects with a stable `code` (S0xxx syntax, T0xxx type, D0xxx evaluation) and a position. Nothing else of them is passed on: their text may quote values. */
export function describeError(error: unknown): { code?: string; position?: number } {
  if (typeof error !== "object" || error === null) return {};
  return {
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...("position" in error && typeof error.position === "number" ? { position: error.position } : {}),
  };
}
