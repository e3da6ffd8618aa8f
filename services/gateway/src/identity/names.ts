/** A set of names, or every name there is: also those that the mesh does not have any more. */
export class Names {
  readonly #every: boolean;
  readonly #names: ReadonlySet<string>;

  readonly #patterns: readonly string[];

  /** @param patterns of names that the mesh does not know itself; `*` at the end stands for any rest */
  constructor(names: Iterable<string> | "every", patterns: readonly string[] = []) {
    this.#every = names === "every";
    this.#names = new Set(names === "every" ? [] : names);
    this.#patterns = patterns;
  }

  has(name: string): boolean {
    return this.#every || this.#names.has(name) || this.#patterns.some((pattern) => begins(pattern, name));
  }

  get isEmpty(): boolean {
    return !this.#every && this.#names.size === 0 && this.#patterns.length === 0;
  }
}

function begins(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

const NONE = new Names([]);

/** Names within names: the tasks of an agent, the goals of a flow. A look-up builds no text. */
export class Pairs {
  readonly #every: boolean;
  readonly #within = new Map<string, Names>();

  /** @param pairs as `first/second`; `first/*` where what is within is not known */
  constructor(pairs: readonly string[] | "every") {
    this.#every = pairs === "every";
    if (pairs === "every") return;
    const byFirst = Map.groupBy(pairs, (pair) => pair.slice(0, pair.indexOf("/")));
    for (const [first, all] of byFirst) {
      const within = all.map((pair) => pair.slice(first.length + 1));
      this.#within.set(first, new Names(within.includes("*") ? "every" : within));
    }
  }

  has(first: string, second: string): boolean {
    return this.#every || (this.#within.get(first) ?? NONE).has(second);
  }

  /** Whether there is a pair that begins with this name. */
  hasFirst(first: string): boolean {
    return this.#every || this.#within.has(first);
  }

  get isEmpty(): boolean {
    return !this.#every && this.#within.size === 0;
  }
}

/** Whether a pattern matches every name. */
export function isEvery(pattern: string): boolean {
  return pattern === "*" || pattern === "*/*";
}

/** Whether a name matches a pattern, in which `*` at the end of a segment matches any rest of it. */
export function fits(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  const segments = name.split("/");
  const patterns = pattern.split("/");
  return (
    patterns.length === segments.length &&
    patterns.every((part, index) =>
      part.endsWith("*") ? segments[index]?.startsWith(part.slice(0, -1)) : part === segments[index],
    )
  );
}

/** Suggests an existing name for a misspelt one; undefined where none is similar. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const most = Math.max(2, Math.floor(name.length / 3));
  let found: { name: string; distance: number } | undefined;
  for (const other of known) {
    const distance = editsBetween(name, other);
    if (distance <= most && distance < (found?.distance ?? Number.POSITIVE_INFINITY))
      found = { name: other, distance };
  }
  return found?.name;
}

/** Levenshtein's distance. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= to.length; column++) {
      const same = letter === to[column - 1] ? 0 : 1;
      next.push(Math.min((row[column - 1] ?? 0) + same, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
