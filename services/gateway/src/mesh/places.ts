import { isMap, isScalar, isSeq, type Node } from "yaml";

/** Where the members of a manifest are declared, as `services/pricing/domain.yaml:12:3`, and entries of lists as those of their index. */
export class Places {
  readonly #lines: Map<string, string>;

  constructor(lines: ReadonlyMap<string, string> = new Map()) {
    this.#lines = new Map(lines);
  }

  /** As it can be sent to another thread. */
  get lines(): ReadonlyMap<string, string> {
    return this.#lines;
  }

  copy(): Places {
    return new Places(this.#lines);
  }

  /** @param at the node's path in the manifest */
  add(node: Node | null, at: readonly string[], placeOf: (offset: number) => string): void {
    const note = (name: string, offset: number, value: unknown): void => {
      const path = [...at, name];
      this.#lines.set(path.join("\n"), placeOf(offset));
      this.add(value as Node | null, path, placeOf);
    };
    if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries()) note(`${index}`, item.range?.[0] ?? 0, item);
      return;
    }
    if (!isMap(node)) return;
    for (const { key, value } of node.items)
      if (isScalar(key)) note(String(key.value), key.range?.[0] ?? 0, value);
  }

  /** The place of a member, or of the nearest one around it that is declared. */
  of(path: readonly string[]): string | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const place = this.#lines.get(path.slice(0, length).join("\n"));
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** The place of a problem, which begins with a path such as `flows.pricing.steps`. */
  ofProblem(problem: string): string | undefined {
    const [path = ""] = problem.split(": ");
    return this.of(path.split("."));
  }
}

/** A problem at a JSON pointer in the notation of all others: `flows.pricing.steps: …`. */
export function dotted(problem: string): string {
  const [pointer = "", ...rest] = problem.split(": ");
  const names = pointer.split("/").slice(1);
  const path = names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
  return [path || "the manifest", ...rest].join(": ");
}
