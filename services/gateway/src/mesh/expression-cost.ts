import type { ExprNode } from "jsonata";
import { JsonText, lessSizeOf } from "../json-text.ts";

/** What an expression reads: a path from the root of its context, and how often it visits each of the values there. */
type Read = { path: readonly string[]; visits: number };

/** An expression whose evaluation takes steps in proportion to the values that it reads. */
export type LinearExpression = readonly Read[];

/** Visits that take a few milliseconds, however unlucky the expression. */
const MOST_VISITS = 10_000;

/** Whether the expression may be evaluated in the event loop, over this context. */
export function isQuick(reads: LinearExpression, context: unknown): boolean {
  let left = MOST_VISITS;
  for (const { path, visits } of reads) {
    left = visits * lessSizeOf(follow(path, context), left / visits);
    if (left < 0) return false;
  }
  return true;
}

/** The value at a path, or the array or text on the way to it. */
function follow(path: readonly string[], context: unknown): unknown {
  let value = context;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) || value instanceof JsonText) return value;
    value = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return value;
}

/** Finds out whether an expression is linear; undefined where that is not evident. */
export function linearExpression(ast: ExprNode): LinearExpression | undefined {
  const reader = new LinearReader();
  return reader.count(ast, ROOT) === undefined ? undefined : reader.reads;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Functions that look at each value of their arguments once. */
const FUNCTIONS = words(
  "abs average boolean ceil count exists floor formatNumber join keys length lookup lowercase max merge min not number round " +
    "string substring substringAfter substringBefore sum trim uppercase",
);
/** Their further arguments multiply the work, so they have to be literals. */
const MULTIPLYING = words("formatNumber join substringAfter substringBefore");
/** With fewer than two arguments these take the context as well, the others with none. */
const TWO_ARGUMENTS = words("lookup substringAfter substringBefore");
const OPERATORS = words("+ - * / % = != < <= > >= and or in &");
/** What these give is small, whatever it was made from. */
const SMALL = words(
  "abs average boolean ceil count exists floor formatNumber length max min not number round sum + - * / % = != < <= > >= and or in",
);
/** Parts of a path's syntax that filter, group, sort or number, or that reach beyond the element at hand. */
const BEYOND = ["stages", "predicate", "group", "focus", "index", "ancestor", "tuple", "seekingParent"];

type Scope = {
  /** Evaluated as the last step of a path, for each element: it may read nothing but that element. A variable would multiply the work. */
  element: boolean;
  /** How many nodes around this one may go through what it gives. */
  passes: number;
};

const ROOT: Scope = { element: false, passes: 1 };

class LinearReader {
  readonly reads: Read[] = [];
  /** Each is bound once, to a path from the root. */
  readonly #variables = new Map<string, readonly string[]>([
    ["", []],
    ["$", []],
  ]);

  /** @returns the number of nodes, or undefined where the expression is not evidently linear */
  count(node: ExprNode, scope: Scope): number | undefined {
    if (BEYOND.some((key) => key in node)) return undefined;
    switch (String(node.type)) {
      case "string":
      case "number":
      case "value":
        return 1;
      case "path":
        return this.#path(node.steps ?? [], scope);
      case "variable":
        return this.#path([node], scope);
      case "binary":
        return OPERATORS.has(node.value)
          ? this.#all([node.lhs, node.rhs], within(node.value, scope))
          : undefined;
      case "condition":
        return this.#all(members(node, ["condition", "then", "else"]), within("", scope));
      case "block":
        return this.#all(node.expressions ?? [], within("", scope));
      case "bind":
        return scope.element ? undefined : this.#bind(node);
      case "unary":
        return this.#all(members(node, ["expression", "expressions", "lhs"]), within("", scope));
      case "function":
        return this.#call(node, scope);
      default:
        return undefined;
    }
  }

  #path(steps: readonly ExprNode[], scope: Scope): number | undefined {
    const [first, ...others] = steps;
    const last = others.at(-1);
    if (!first || others.slice(0, -1).some((step) => !isName(step))) return undefined;
    if (!isName(first) && first.type !== "variable") {
      return others.every(isName) ? sum([others.length, this.count(first, scope)]) : undefined;
    }
    // Within an element, names are the element's, and `$` is the element itself.
    const isOwn = isName(first) || first.value === "";
    const from = isName(first) ? [] : this.#variables.get(String(first.value));
    if (from === undefined || BEYOND.some((key) => key in first) || (scope.element && !isOwn))
      return undefined;
    const inside = last && !isName(last) ? this.count(last, { ...scope, element: true }) : 0;
    if (inside === undefined) return undefined;
    const path = [...from, ...namesOf(steps)];
    if (!scope.element) this.reads.push({ path, visits: scope.passes + inside });
    return steps.length + inside;
  }

  #bind({ lhs, rhs }: ExprNode): number | undefined {
    const name = isNode(lhs) ? String(lhs.value) : "";
    const steps = rhs?.steps ?? [];
    if (this.#variables.has(name) || steps.length === 0 || !steps.every(isName)) return undefined;
    this.#variables.set(name, namesOf(steps));
    return this.#path(steps, ROOT);
  }

  #call({ procedure, arguments: given = [] }: ExprNode, scope: Scope): number | undefined {
    const name = procedure?.type === "variable" ? String(procedure.value) : "";
    if (!FUNCTIONS.has(name) || given.length < (TWO_ARGUMENTS.has(name) ? 2 : 1)) return undefined;
    if (MULTIPLYING.has(name) && given.slice(1).some(({ type }) => type !== "string")) return undefined;
    return this.#all(given, within(name, scope));
  }

  #all(nodes: readonly unknown[], scope: Scope): number | undefined {
    return sum([1, ...nodes.flat(2).map((node) => (isNode(node) ? this.count(node, scope) : undefined))]);
  }
}

function within(outer: string, { element, passes }: Scope): Scope {
  return { element, passes: SMALL.has(outer) ? 1 : passes + 1 };
}

function members(node: ExprNode, names: readonly string[]): unknown[] {
  return names.map((name) => Reflect.get(node, name)).filter((member) => member !== undefined);
}

function isNode(value: unknown): value is ExprNode {
  return typeof value === "object" && value !== null && "type" in value;
}

function isName(node: ExprNode): boolean {
  return node.type === "name" && !BEYOND.some((key) => key in node);
}

function namesOf(steps: readonly ExprNode[]): string[] {
  return steps.filter(isName).map(({ value }) => String(value));
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  let total = 0;
  for (const count of counts) {
    if (count === undefined) return undefined;
    total += count;
  }
  return total;
}
