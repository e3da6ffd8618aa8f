import jsonata from "jsonata";

/** A compiled JSONata expression of the manifest. */
export type Expression = (context: unknown) => Promise<unknown>;

/** Compiles the expression at a place of the manifest. */
export type CompileAt = (where: string, source: string) => Expression;

/** An expression that could not be compiled or evaluated. Its message holds JSONata's code and the position, never a value. */
export class ExpressionError extends Error {
  readonly code: string;

  constructor(code: string, options?: { cause?: unknown }) {
    super(`JSONata ${code}`, options);
    this.name = "ExpressionError";
    this.code = code;
  }
}

/**
 * @param source a JSONata expression of the manifest: trusted text, never a caller's
 * @throws ExpressionError where the source does not parse
 */
export function compileExpression(source: string): Expression {
  const compiled = rethrowAsExpressionError(() => jsonata(source));
  const evaluate: Expression = async (context) => {
    try {
      return await compiled.evaluate(context);
    } catch (error) {
      throw new ExpressionError(codeOf(error), { cause: error });
    }
  };
  const names = PATH.test(source.trim()) ? source.trim().split(".") : [];
  return names.length > 0 && !names.some((name) => WORDS.has(name))
    ? pathExpression(names, evaluate)
    : evaluate;
}

/** A bare path, such as `request.inputs`, is by far the most frequent expression. */
const PATH = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/;
const WORDS = new Set(["true", "false", "null", "and", "or", "in"]);

/** Evaluates a path without JSONata's interpreter. Arrays on the way need it: there a path maps over the elements. */
function pathExpression(names: readonly string[], evaluate: Expression): Expression {
  return async (context) => {
    let value = context;
    for (const name of names) {
      if (Array.isArray(value)) return await evaluate(context);
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
      value = Reflect.get(value, name);
    }
    return value;
  };
}

function rethrowAsExpressionError<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw new ExpressionError(codeOf(error), { cause: error });
  }
}

/** JSONata throws plain objects with a stable `code` (S0xxx syntax, T0xxx type, D0xxx evaluation) and a position. */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "error";
  const code = "code" in error && typeof error.code === "string" ? error.code : "error";
  const position =
    "position" in error && typeof error.position === "number" ? ` at character ${error.position}` : "";
  return code + position;
}
