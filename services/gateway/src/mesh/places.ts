import { isMap, isScalar, type Node } from "yaml";

/** Where the members of a manifest are declared, as `services/pricing/domain.yaml:12`. */
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
  add(node: Node | null, at: readonly string[], lineOf: (offset: number) => string): void {
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const path = [...at, String(key.value)];
      const [offset = 0] = key.range ?? [];
      this.#lines.set(path.join("\n"), lineOf(offset));
      this.add(value as Node | null, path, lineOf);
    }
  }

  /** The place of a member, or of the nearest one around it that is declared. */
  of(path: readonly string[]): string | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const place = this.#lines.get(path.slice(0, length).join("\n"));
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** The place of a problem, which begins with a path such as `flows.pricing.steps` or `/flows/pricing/steps`. */
  ofProblem(problem: string): string | undefined {
    const [path = ""] = problem.split(": ");
    return this.of(
      path.startsWith("/")
        ? path
            .slice(1)
            .split("/")
            .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
        : path.split("."),
    );
  }
}
