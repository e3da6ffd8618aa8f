import type { ASTNode } from "@marcbachmann/cel-js";
import type { Reference } from "./reference.ts";

/** What a condition reads. */
export type Reads = {
  /** Every value that is read, by its full name. */
  readonly references: readonly Reference[];
  /** Those that are read once for each element of a list: they have to be short. */
  readonly repeated: readonly Reference[];
};

/** At most one iteration inside another. */
const DEEPEST = 2;

const OPERATORS: ReadonlySet<ASTNode["op"]> = new Set([
  ...(["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/"] as const),
  ...(["&&", "||", "!_", "-_", "?:"] as const),
]);

const ARITHMETIC: ReadonlySet<ASTNode["op"]> = new Set(["+", "-", "*", "/"] as const);

/**
 * Checks that a condition keeps to the part of CEL that is linear in its data, since the library has no limit of cost: operators, `has`,
 * `size`, `in` a list that is written out, `exists` and `all`. A list is gone through within another one only where it is a member of the
 * other's elements.
 * @throws SyntaxError that names what is not allowed
 */
export function readsOf(ast: ASTNode, roots: ReadonlySet<string>): Reads {
  const walk = new Walk(roots);
  walk.visit(ast, []);
  return walk;
}

class Walk implements Reads {
  readonly references: Reference[] = [];
  readonly repeated: Reference[] = [];
  readonly #roots: ReadonlySet<string>;

  constructor(roots: ReadonlySet<string>) {
    this.#roots = roots;
  }

  /** @param scope the variables of the iterations around the node */
  visit(node: ASTNode, scope: readonly string[]): void {
    const reference = referenceOf(node);
    if (reference) {
      if (this.#read(reference, scope) && scope.length > 0) this.repeated.push(reference);
    } else if (node.op === "value") {
      // Bytes and unsigned numbers are objects.
      if (typeof node.args === "object" && node.args !== null) refuse("a literal of this kind");
    } else if (node.op === ".") this.visit(node.args[0], scope);
    else if (node.op === "[]") {
      if (node.args[1].op !== "value") refuse("an index that is not written out");
      this.visit(node.args[0], scope);
    } else if (node.op === "in") {
      const [value, list] = node.args;
      if (list.op !== "list" || !list.args.every(({ op }) => op === "value"))
        refuse("`in` with anything but a list that is written out");
      this.visit(value, scope);
    } else if (node.op === "call") this.#call(node.args[0], node.args[1], scope);
    else if (node.op === "rcall") this.#callOn(node.args, scope);
    else if (OPERATORS.has(node.op)) {
      const operands = [node.args].flat() as ASTNode[];
      // Numbers in JSON are doubles, and CEL does not mix integers and doubles: such a condition could never be evaluated.
      if (
        ARITHMETIC.has(node.op) &&
        operands.some(isWhole) &&
        !operands.every((one) => isWhole(one) || isSize(one))
      )
        refuse("arithmetic with a whole number: write 100.0 for 100");
      for (const operand of operands) this.visit(operand, scope);
    } else refuse(`\`${node.op}\``);
  }

  #call(name: string, [only, ...more]: readonly ASTNode[], scope: readonly string[]): void {
    const reference = only && referenceOf(only);
    if ((name !== "has" && name !== "size") || more.length > 0) refuse(`\`${name}()\``);
    else if (!reference) refuse(`\`${name}()\` of anything but a member that is named`);
    // `size` of a list needs no limit: it takes constant time.
    else this.#read(reference, scope);
  }

  #callOn([name, on, args]: readonly [string, ASTNode, readonly ASTNode[]], scope: readonly string[]): void {
    if (name === "size" && args.length === 0) {
      this.#call(name, [on], scope);
      return;
    }
    const [variable, body] = args;
    const range = referenceOf(on);
    if ((name !== "exists" && name !== "all") || variable?.op !== "id" || !body || args.length > 2)
      refuse(`\`.${name}()\``);
    if (!range) refuse(`\`.${name}()\` of anything but a list that is named`);
    if (scope.length >= DEEPEST) refuse("a list within a list within a list");
    if (scope.length > 0 && range[0] !== scope.at(-1))
      refuse("a list for each element of another one, unless it is a member of that element");
    if (this.#roots.has(variable.args) || scope.includes(variable.args))
      refuse(`a second \`${variable.args}\``);
    this.#read(range, scope);
    this.visit(body, [...scope, variable.args]);
  }

  /** @returns whether it is read from the data, and not from the element of a list */
  #read(reference: Reference, scope: readonly string[]): boolean {
    const [root = ""] = reference;
    if (scope.includes(root)) return false;
    if (!this.#roots.has(root)) refuse(`the name \`${root}\`: there is ${[...this.#roots].join(", ")}`);
    this.references.push(reference);
    return true;
  }
}

const isWhole = (node: ASTNode): boolean => node.op === "value" && typeof node.args === "bigint";

const isSize = (node: ASTNode): boolean =>
  (node.op === "call" || node.op === "rcall") && node.args[0] === "size";

/** The full name that nodes such as `steps.check.outputs` write; undefined for anything else. */
function referenceOf(node: ASTNode): Reference | undefined {
  if (node.op === "id") return [node.args];
  if (node.op !== ".") return undefined;
  const [on, name] = node.args;
  const before = referenceOf(on);
  return before && [...before, name];
}

function refuse(what: string): never {
  throw new SyntaxError(`a condition does not take ${what}`);
}
