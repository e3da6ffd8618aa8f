import { JsonText, lessSizeOf } from "../json-text.ts";

/** A large value of a context. A process that has seen it before gets its id alone. */
export type Part = { path: readonly string[]; id: number; text: string };

/** What a process is told of a part; `text` where it does not have it yet. */
export type SentPart<Text = string> = { id: number; size: number; text?: Text };

/** Contexts have their large values at this depth or above, e.g. `steps.check.outputs.items`. */
const DEPTH = 4;
/** Values up to this size are sent with the context as they are, and so much of them in all. */
const SMALL = 200;
const ALL_SMALL = 5_000;
/** An object with more members is not taken apart. */
const MEMBERS = 1_000;

/**
 * Takes contexts apart into what is small and what is large. The large values of a run are the same for all of its expressions, so that
 * each is written as text once.
 */
export class PartSource {
  readonly #known = new WeakMap<object, { id: number; text: string }>();
  #lastId = 0;

  /** @returns the context without its large values, and these */
  takeApart(context: unknown): { rest: unknown; parts: Part[] } {
    const parts: Part[] = [];
    let left = ALL_SMALL;
    const take = (value: unknown, path: readonly string[]): unknown => {
      const most = Math.min(SMALL, left);
      const unused = lessSizeOf(value, most);
      if (unused >= 0) {
        left -= most - unused;
        return value;
      }
      if (typeof value === "object" && value !== null && path.length < DEPTH && isDivisible(value)) {
        const entries = Object.entries(value);
        return Object.fromEntries(entries.map(([name, member]) => [name, take(member, [...path, name])]));
      }
      parts.push({ path, ...this.#part(value) });
      return null;
    };
    return { rest: take(context, []), parts };
  }

  newId(): number {
    return ++this.#lastId;
  }

  /** Gives a text the id that a process keeps it by. */
  remember(value: JsonText, id: number): void {
    this.#known.set(value, { id, text: value.text });
  }

  #part(value: unknown): { id: number; text: string } {
    const known = typeof value === "object" && value !== null ? this.#known.get(value) : undefined;
    if (known) return known;
    const part = { id: this.newId(), text: value instanceof JsonText ? value.text : JSON.stringify(value) };
    if (typeof value === "object" && value !== null) this.#known.set(value, part);
    return part;
  }
}

function isDivisible(value: object): boolean {
  return !Array.isArray(value) && !(value instanceof JsonText) && Object.keys(value).length <= MEMBERS;
}

/**
 * The latest parts, up to a total size. The gateway keeps one for each process and the process another: both see the same requests, so
 * that the gateway knows what the process has.
 */
export class PartMemory<T> {
  readonly #limit: number;
  readonly #kept = new Map<number, { size: number; value: T }>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: number): T | undefined {
    return this.#kept.get(id)?.value;
  }

  /** Keeps the parts of one evaluation, and forgets the oldest others that are too much. */
  keep(parts: readonly { id: number; size: number; value: T }[]): void {
    for (const { id, size, value } of parts) {
      this.#forget(id);
      this.#kept.set(id, { size, value });
      this.#size += size;
    }
    const used = new Set(parts.map(({ id }) => id));
    for (const id of this.#kept.keys()) {
      if (this.#size <= this.#limit || used.has(id)) return;
      this.#forget(id);
    }
  }

  #forget(id: number): void {
    this.#size -= this.#kept.get(id)?.size ?? 0;
    this.#kept.delete(id);
  }
}

/** Characters of parts that a process keeps. */
export const KEPT_SIZE = 32 * 1024 * 1024;
