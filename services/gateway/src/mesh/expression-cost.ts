import type { ExprNode } from "jsonata";
import { JsonText, lessSizeOf } from "./json-text.ts";

/**
 * An expression whose evaluation takes steps in proportion to the values that it reads: it visits each of them at most once for each
 * node of its syntax tree.
 */
export type LinearExpression = {
  /** Paths from the root of the context. */
  reads: readonly (readonly string[])[];
  /** Nodes of the syntax tree. */
  nodes: number;
};

/** Visits that take a few milliseconds, however unlucky the expression. */
const MOST_VISITS = 10_000;

/** Whether the expression may be evaluated in the event loop, over this context. */
export function isQuick({ reads, nodes }: LinearExpression, context: unknown): boolean {
  let left = MOST_VISITS / nodes;
  for (const path of reads) {
    left = lessSizeOf(follow(path, context), left);
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
  const reads: string[][] = [];
  const nodes = new LinearReader(reads).count(ast, "root");
  return nodes === undefined ? undefined : { reads, nodes };
}

/** Functions that look at each value of their arguments once. */
const FUNCTIONS = new Set(
  (
    "abs average boolean ceil count exists floor formatNumber join keys length lookup lowercase max merge min not number round " +
    "string substring sum trim uppercase"
  ).split(" "),
);
/** Their further arguments multiply the work, so they have to be literals. */
const MULTIPLYING = new Set(["formatNumber", "join"]);
const OPERATORS = new Set(["+", "-", "*", "/", "%", "=", "!=", "<", "<=", ">", ">=", "and", "or", "in", "&"]);
/** Parts of a path's syntax that filter, group, sort or number, or that reach beyond the element at hand. */
const BEYOND = ["stages", "predicate", "group", "focus", "index", "ancestor", "tuple", "seekingParent"];

/**
 * `root`: the expression sees the whole context. `element`: it is the last step of a path and is evaluated for each element, so it may
 * read nothing but that element: a variable would multiply the work.
 */
type Scope = "root" | "element";

class LinearReader {
  readonly #reads: string[][];

  constructor(reads: string[][]) {
    this.#reads = reads;
  }

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
        return OPERATORS.has(node.value) ? this.#all([node.lhs, node.rhs], scope) : undefined;
      case "condition":
        return this.#all(members(node, ["condition", "then", "else"]), scope);
      case "block":
        return this.#all(node.expressions ?? [], scope);
      case "bind":
        // Whatever reads the variable reads a part of this.
        return scope === "root" && isNamePath(node.rhs) ? this.#all([node.rhs], scope) : undefined;
      case "unary":
        return this.#all(members(node, ["expression", "expressions", "lhs"]), scope);
      case "function":
        return this.#call(node, scope);
      default:
        return undefined;
    }
  }

  #path(steps: readonly ExprNode[], scope: Scope): number | undefined {
    const [first, ...others] = steps;
    if (!first || others.slice(0, -1).some((step) => !isName(step))) return undefined;
    const last = others.at(-1);
    const names = steps.filter(isName).map(({ value }) => String(value));
    if (isName(first) || first.type === "variable") {
      if (BEYOND.some((key) => key in first)) return undefined;
      const isContext = isName(first) || first.value === "" || (first.value === "$" && scope === "root");
      if (!isContext && scope === "element") return undefined;
      if (isContext && scope === "root") this.#reads.push(names);
      if (!last || isName(last)) return steps.length;
      return sum([steps.length, this.count(last, "element")]);
    }
    return others.every(isName) ? sum([others.length, this.count(first, scope)]) : undefined;
  }

  #call({ procedure, arguments: given = [] }: ExprNode, scope: Scope): number | undefined {
    const name = procedure?.type === "variable" ? String(procedure.value) : "";
    // With too few arguments a function takes the context as well.
    if (!FUNCTIONS.has(name) || given.length < (name === "lookup" ? 2 : 1)) return undefined;
    if (MULTIPLYING.has(name) && given.slice(1).some(({ type }) => type !== "string")) return undefined;
    return this.#all(given, scope);
  }

  #all(nodes: readonly unknown[], scope: Scope): number | undefined {
    return sum([1, ...nodes.flat(2).map((node) => (isNode(node) ? this.count(node, scope) : undefined))]);
  }
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

function isNamePath(node: ExprNode | undefined): boolean {
  return (node?.steps ?? []).length > 0 && (node?.steps ?? []).every(isName);
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  let total = 0;
  for (const count of counts) {
    if (count === undefined) return undefined;
    total += count;
  }
  return total;
}
