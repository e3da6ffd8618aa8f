/**
 * JSON as documents show it: `…` stands for anything left out, as a value, as elements of an array, as members of an object, and inside a
 * string. Ids, hashes, times and durations are compared by their form, all else as it is written.
 */
import { sameText } from "./text-shape.ts";

export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "scalar"; readonly value: string | number | boolean | null }
  /** An element that is `any` and `gap` stands for any number of elements. */
  | { readonly kind: "array"; readonly items: readonly (Shape | "gap")[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Shape>; readonly open: boolean };

export class NotJson extends Error {
  readonly incomplete: boolean;

  constructor(message: string, incomplete: boolean) {
    super(message);
    this.incomplete = incomplete;
  }
}

/** Reads the JSON values of a text one after the other. @throws NotJson */
export function parseShapes(text: string): Shape[] {
  const reader = new Reader(text);
  const shapes: Shape[] = [];
  while (reader.peek() !== "") shapes.push(reader.value());
  return shapes;
}

/** Reads the JSON value that a text begins with, and returns what follows it. @throws NotJson */
export function parseShape(text: string): { shape: Shape; rest: string } {
  const reader = new Reader(text);
  const shape = reader.value();
  return { shape, rest: text.slice(reader.at) };
}

class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character that is not white space, or "". */
  peek(): string {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
    return this.text[this.at] ?? "";
  }

  takes(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  fail(wanted: string): never {
    const rest = this.text.slice(this.at, this.at + 40);
    throw new NotJson(`${wanted} is expected before “${rest}”`, rest === "");
  }

  value(): Shape {
    const next = this.peek();
    if (this.takes("…")) return { kind: "any" };
    if (next === "{") return this.object();
    if (next === "[") return this.array();
    if (next === '"') return { kind: "scalar", value: this.string() };
    const word = /^(?:true|false|null|-?\d[\d.eE+-]*)/.exec(this.text.slice(this.at))?.[0];
    if (word === undefined) this.fail("a value");
    this.at += word.length;
    return { kind: "scalar", value: JSON.parse(word) as number | boolean | null };
  }

  string(): string {
    const literal = /^"(?:[^"\\]|\\.)*"/s.exec(this.text.slice(this.at))?.[0];
    if (literal === undefined) throw new NotJson("a string does not end", true);
    this.at += literal.length;
    try {
      // A document may wrap a long text.
      return JSON.parse(literal.replace(/\n\s*/g, " ")) as string;
    } catch {
      throw new NotJson(`${literal.slice(0, 40)} is no string of JSON`, false);
    }
  }

  array(): Shape {
    this.takes("[");
    const items: (Shape | "gap")[] = [];
    while (!this.takes("]")) {
      if (this.takes("…")) items.push("gap");
      else items.push(this.value());
      if (!this.takes(",") && this.peek() !== "]" && this.peek() !== "…") this.fail("a comma or ]");
    }
    return { kind: "array", items };
  }

  object(): Shape {
    this.takes("{");
    const members = new Map<string, Shape>();
    let open = false;
    while (!this.takes("}")) {
      if (this.takes("…")) open = true;
      else if (this.peek() === '"') {
        const name = this.string();
        if (!this.takes(":")) this.fail("a colon");
        members.set(name, this.value());
      } else this.fail("a member");
      if (!this.takes(",") && this.peek() !== "}" && this.peek() !== "…") this.fail("a comma or }");
    }
    return { kind: "object", members, open };
  }
}

/** Members whose numbers depend on the moment: how long, when, the how-manieth, and how far. */
const NOISE = /(?:_ms|_s|_at|_bytes)$|^(?:seq|at|completed|iat|exp)$/;

/** What differs, with its place, or undefined. */
export function difference(wanted: Shape, got: unknown, place = ""): string | undefined {
  const here = place === "" ? "the value" : place;
  switch (wanted.kind) {
    case "any":
      return undefined;
    case "scalar": {
      const name = place.slice(place.lastIndexOf(".") + 1);
      return sameScalar(wanted.value, got, name)
        ? undefined
        : `${here} is ${brief(got)}, not ${brief(wanted.value)}`;
    }
    case "array":
      if (!Array.isArray(got)) return `${here} is ${brief(got)}, not an array`;
      return arrayDifference(wanted.items, got, place);
    case "object": {
      if (typeof got !== "object" || got === null || Array.isArray(got))
        return `${here} is ${brief(got)}, not an object`;
      const members = new Map<string, unknown>(Object.entries(got));
      for (const [name, shape] of wanted.members) {
        if (!members.has(name)) return `${here} lacks ${name}`;
        const found = difference(shape, members.get(name), `${place}.${name}`);
        if (found !== undefined) return found;
      }
      const more = [...members.keys()].filter((name) => !wanted.members.has(name));
      return wanted.open || more.length === 0 ? undefined : `${here} has ${more.join(", ")} too`;
    }
  }
}

function arrayDifference(
  items: readonly (Shape | "gap")[],
  got: readonly unknown[],
  place: string,
): string | undefined {
  const [first, ...rest] = items;
  if (first === undefined)
    return got.length === 0 ? undefined : `${place} has ${got.length} elements more than are shown`;
  if (first === "gap") {
    let nearest: string | undefined;
    for (let skipped = 0; skipped <= got.length; skipped += 1) {
      const found = arrayDifference(rest, got.slice(skipped), place);
      if (found === undefined) return undefined;
      nearest ??= found;
    }
    return nearest;
  }
  if (got.length === 0) return `${place} has fewer elements than are shown`;
  return difference(first, got[0], `${place}[]`) ?? arrayDifference(rest, got.slice(1), place);
}

function sameScalar(wanted: string | number | boolean | null, got: unknown, name: string): boolean {
  if (typeof wanted === "string") return typeof got === "string" && sameText(wanted, got);
  if (typeof wanted === "number" && typeof got === "number")
    return NOISE.test(name) || Math.abs(wanted - got) <= 1e-6 * Math.max(1, Math.abs(wanted));
  return wanted === got;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
