import type { Quote, ResultPiece } from "./expression-messages.ts";
import { KEPT_SIZE, PartMemory, type SentPart } from "./expression-parts.ts";
import { findMembers } from "./json-members.ts";

/** A value that is parsed when an expression first reads it. */
type LazyValue = () => unknown;

/** What stands in a part's text, and how many characters it takes there. */
type Found = { quote: Quote; size: number };

/** A member as it is written: as text of its own, or as a quote. */
type Member = { name: string; from: number } & ({ json: string } | ({ value: object } & Found));

/** An object as it is written. */
export type Written = { members: readonly Member[]; size: number };

/** A shorter member of a kept result is parsed at once. */
const LAZY_SIZE = 1_000;

/**
 * The parts that a process keeps, and where in their texts their values stand: a result that contains such a value as it is quotes the
 * text, so that the value is neither written nor sent.
 */
export class PartValues {
  readonly #memory = new PartMemory<LazyValue>(KEPT_SIZE);
  readonly #found = new WeakMap<object, Found>();

  keep(parts: readonly SentPart[]): void {
    this.#memory.keep(
      parts.map(({ id, size, text = "null" }) => {
        const value = this.#memory.get(id) ?? once(() => this.#read(id, text));
        return { id, size, value };
      }),
    );
  }

  get(id: number): LazyValue {
    return this.#memory.get(id) ?? (() => null);
  }

  /** Keeps a value that was read already. @param size of its text */
  keepValue(id: number, size: number, value: object): void {
    this.#memory.keep([{ id, size, value: () => value }]);
    this.#found.set(value, { quote: { id }, size });
  }

  /** Writes an object. @param ids of the parts that it may quote */
  write(object: object, ids: ReadonlySet<number>): Written {
    const members: Member[] = [];
    let size = 1;
    for (const [name, value] of Object.entries(object)) {
      const found = typeof value === "object" && value !== null ? this.#found.get(value) : undefined;
      const isQuoted = found !== undefined && ids.has(found.quote.id);
      const json = isQuoted ? "" : JSON.stringify(value);
      if (json === undefined) continue;
      const from = size + headOf(name, members.length + 1).length;
      members.push(isQuoted ? { name, from, value, ...found } : { name, from, json });
      size = from + (isQuoted ? found.size : json.length);
    }
    return { members, size: members.length === 0 ? 2 : size + 1 };
  }

  /** Keeps an object as it would be read from its text: without what JSONata notes about arrays. */
  keepWritten(id: number, { members, size }: Written): void {
    const object = {};
    for (const member of members) {
      const { name, from } = member;
      if ("value" in member) define(object, name, { value: member.value });
      else this.#defineLazily(object, name, member.json, { id, span: [from, from + member.json.length] });
    }
    this.keepValue(id, size, object);
  }

  /** Reads a part. Of an object, expressions often need little: its members are parsed when they are read. */
  #read(id: number, text: string): unknown {
    if (!text.startsWith("{")) return this.#noted(JSON.parse(text), text.length, { id });
    const object = {};
    for (const [name, span] of findMembers(text).spans)
      this.#defineLazily(object, name, text.slice(...span), { id, span });
    return this.#noted(object, text.length, { id });
  }

  /** Defines a member that is parsed when it is first read, unless it is short. */
  #defineLazily(object: object, name: string, json: string, quote: Quote): void {
    const get = once(() => this.#noted(JSON.parse(json), json.length, quote));
    if (json.length <= LAZY_SIZE) define(object, name, { value: get() });
    else define(object, name, { get });
  }

  /** Notes where a value stands in a text. */
  #noted(value: unknown, size: number, quote: Quote): unknown {
    if (isObject(value)) this.#found.set(value, { quote, size });
    return value;
  }
}

export function piecesOf({ members }: Written): ResultPiece<string>[] {
  const pieces: ResultPiece<string>[] = [];
  let text = "{";
  for (const [index, member] of members.entries()) {
    text += headOf(member.name, index + 1);
    if ("json" in member) text += member.json;
    else {
      pieces.push({ text }, member.quote);
      text = "";
    }
  }
  pieces.push({ text: `${text}}` });
  return pieces;
}

/** What stands before a member's value. @param position 1 for the first */
function headOf(name: string, position: number): string {
  return `${position === 1 ? "" : ","}${JSON.stringify(name)}:`;
}

function define(object: object, name: string, what: { value: unknown } | { get: LazyValue }): void {
  Object.defineProperty(object, name, { ...what, enumerable: true, configurable: true });
}

/** Works out a value when it is first wanted, and lets go of what it is made from. */
function once(make: LazyValue): LazyValue {
  let unmade: LazyValue | undefined = make;
  let value: unknown;
  return () => {
    if (unmade) value = unmade();
    unmade = undefined;
    return value;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
