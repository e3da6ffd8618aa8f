import { Environment, EvaluationError, type ParseResult } from "@marcbachmann/cel-js";
import { JsonText } from "../../json-text.ts";
import { type Reads, readsOf } from "./gate.ts";
import type { LargeReader } from "./large-reader.ts";
import type { Reference } from "./reference.ts";
import { type Context, resolveReference } from "./resolve.ts";

export type { Context };

/**
 * Whether something is so, by a condition of the manifest.
 * @throws ConditionError where the data are not as the condition wants them
 */
export type Condition = (context: Context, signal?: AbortSignal) => Promise<boolean>;

/** A condition cannot be evaluated: a member is missing, or a list too long. The message quotes no data. */
export class ConditionError extends Error {
  readonly code = "condition_failed";
  readonly why: string;

  constructor(source: string, why: string) {
    super(`the condition \`${source}\` cannot be told: ${why}`);
    this.name = "ConditionError";
    this.why = why;
  }
}

/** Maximum length of a list that a condition iterates over. */
const MOST_ELEMENTS = 10_000;
const LONGEST = 1_000;
const LIMITS = {
  maxAstNodes: 200,
  maxDepth: 20,
  maxListElements: 100,
  maxMapEntries: 0,
  maxCallArguments: 2,
};

type Compiled = { evaluate: ParseResult; reads: Reads };

/**
 * Compiles a condition in CEL (https://cel.dev), of which it takes the part that is linear in its data.
 * @param roots the names that its data have
 * @param large tells conditions over large values
 * @throws SyntaxError that says what is wrong with it
 */
export function compileCondition(
  source: string,
  roots: readonly string[],
  large: Pick<LargeReader, "holds">,
): { holds: Condition; references: readonly Reference[] } {
  const compiled = compile(source, roots);
  return {
    references: compiled.reads.references,
    holds: async (context, signal) => {
      const data = await dataOf(compiled.reads, context);
      return hasText(data) ? await large.holds(source, roots, data, signal) : holds(source, compiled, data);
    },
  };
}

/** The same for data that are already parsed: synchronous. */
export function tellCondition(source: string, roots: readonly string[], data: Context): boolean {
  return holds(source, compile(source, roots), data);
}

function compile(source: string, roots: readonly string[]): Compiled {
  if (source.length > LONGEST) throw new SyntaxError(`a condition has at most ${LONGEST} characters`);
  const environment = new Environment({ unlistedVariablesAreDyn: false, limits: LIMITS });
  for (const root of roots) environment.registerVariable(root, "dyn");
  let evaluate: ParseResult;
  try {
    evaluate = environment.parse(source);
  } catch (error) {
    throw new SyntaxError(firstLine(error));
  }
  const reads = readsOf(evaluate.ast, new Set(roots));
  const { valid, type, error } = evaluate.check();
  if (!valid) throw new SyntaxError(firstLine(error));
  if (type !== "bool" && type !== "dyn")
    throw new SyntaxError(`a condition is true or false, and this is ${type}`);
  return { evaluate, reads };
}

function holds(source: string, { evaluate, reads }: Compiled, data: Context): boolean {
  for (const reference of reads.references) {
    const value = valueAt(reference, data);
    if (Array.isArray(value) && value.length > MOST_ELEMENTS)
      throw new ConditionError(source, `${reference.join(".")} has more than ${MOST_ELEMENTS} elements`);
  }
  for (const reference of reads.repeated)
    if (!isScalar(valueAt(reference, data)))
      throw new ConditionError(
        source,
        `${reference.join(".")} is compared with each element, and is no short value`,
      );
  let result: unknown;
  try {
    result = evaluate(data);
  } catch (error) {
    throw new ConditionError(source, reasonOf(error));
  }
  if (typeof result !== "boolean") throw new ConditionError(source, "it is neither true nor false");
  return result;
}

/** What a condition reads of a context, in the same places. */
async function dataOf({ references }: Reads, context: Context): Promise<Context> {
  const data: Record<string, unknown> = {};
  const whole = new Set<string>();
  // What is read whole has the members that are read beside it.
  for (const reference of references.toSorted((a, b) => a.length - b.length)) {
    let into = data;
    for (const [index, name] of reference.entries()) {
      const path = reference.slice(0, index + 1);
      if (whole.has(path.join("."))) break;
      const value = await resolveReference(path, context);
      if (value === undefined) break;
      if (index === reference.length - 1 || !isObject(value)) {
        whole.add(path.join("."));
        define(into, name, value);
        break;
      }
      if (!Object.hasOwn(into, name)) define(into, name, {});
      into = Object(into[name]);
    }
  }
  return data;
}

function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function hasText(data: unknown): boolean {
  if (data instanceof JsonText) return true;
  return isObject(data) && Object.values(Object(data)).some(hasText);
}

function valueAt(reference: Reference, data: Context): unknown {
  return reference.reduce<unknown>(
    (value, name) => (isObject(value) ? Reflect.get(Object(value), name) : undefined),
    data,
  );
}

/** Characters of a text that is compared once for each element. */
const SHORT = 1_000;

function isScalar(value: unknown): boolean {
  return typeof value === "string" ? value.length <= SHORT : typeof value !== "object" || value === null;
}

const firstLine = (error: unknown): string =>
  Error.isError(error) ? (error.message.split("\n")[0] ?? "") : "not a condition";

/** Why an evaluation failed. The library's messages name members and types, and no values. */
function reasonOf(error: unknown): string {
  return error instanceof EvaluationError ? `${error.code}: ${error.summary}` : "it failed";
}
