import jsonata from "jsonata";
import { JsonText } from "../json-text.ts";
import { isQuick, linearExpression } from "./expression-cost.ts";
import { describeError, ExpressionError } from "./expression-error.ts";

/**
 * A compiled JSONata expression of the manifest. A large result may be a JsonText.
 * Rejects with an ExpressionError, a GatewayError expression_timeout, or the reason of the signal.
 */
export type Expression = (context: unknown, signal?: AbortSignal) => Promise<unknown>;

/** Evaluates expressions that may take long, e.g. the {@link ExpressionPool}. */
export type Evaluator = {
  evaluate(source: string, context: unknown, signal?: AbortSignal, form?: ResultForm): Promise<unknown>;
  /**
   * Checks a large value; without it all values are checked in the event loop.
   * @returns the place of what does not have the form that the schema describes
   */
  check?(schema: object, value: object): Promise<string | undefined>;
};

/** How a large result is written: `canonical` for what is hashed. */
export type ResultForm = "json" | "canonical";

/** Compiles the expression at a place of the manifest. */
export type CompileAt = (where: string, source: string, form?: ResultForm) => Expression;

/**
 * The expression is evaluated in the event loop where that takes a few milliseconds at most, whatever the context, and by the pool
 * otherwise.
 * @param form of a result that is a JsonText
 * @param source a JSONata expression of the manifest: trusted text, never a caller's
 * @throws ExpressionError where the source does not parse
 */
export function compileExpression(source: string, pool: Evaluator, form: ResultForm = "json"): Expression {
  const compiled = parse(source);
  const linear = linearExpression(compiled.ast());
  const evaluate: Expression = async (context, signal) => {
    if (!linear || !isQuick(linear, context)) return await pool.evaluate(source, context, signal, form);
    try {
      return await compiled.evaluate(context);
    } catch (error) {
      throw toExpressionError(error);
    }
  };
  // A path may lead to a JsonText in another form.
  if (form === "canonical") return evaluate;
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
  return async (context, signal) => {
    let value = context;
    for (const name of names) {
      if (Array.isArray(value) || value instanceof JsonText) return await evaluate(context, signal);
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
      value = Reflect.get(value, name);
    }
    return value;
  };
}

function parse(source: string): jsonata.Expression {
  try {
    return jsonata(source);
  } catch (error) {
    throw ExpressionError.in(source, error);
  }
}

function toExpressionError(error: unknown): ExpressionError {
  const { code, position } = describeError(error);
  return ExpressionError.at(code, position);
}
