import type { Quote, ResultPiece } from "./expression-messages.ts";
import { KEPT_SIZE, PartMemory, type SentPart } from "./expression-parts.ts";
import { findMembers, sizeOf } from "./json-members.ts";

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
        const value = this.#memory.get(id) ?? lazily(text, (read, from) => this.#note(id, from, read));
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
      const property = { enumerable: true, configurable: true };
      if ("value" in member) Object.defineProperty(object, name, { ...property, value: member.value });
      else {
        const get = lazily(member.json, (read, { length }) => {
          const quote: Quote = { id, span: [from, from + length] };
          if (isObject(read)) this.#found.set(read, { quote, size: length });
        });
        if (member.json.length <= LAZY_SIZE) get();
        Object.defineProperty(object, name, { ...property, get });
      }
    }
    this.keepValue(id, size, object);
  }

  /** Notes where a value and its members stand in a text. */
  #note(id: number, text: string, value: unknown): void {
    if (!isObject(value)) return;
    this.#found.set(value, { quote: { id }, size: text.length });
    if (Array.isArray(value)) return;
    for (const [name, span] of findMembers(text).spans) {
      const member: unknown = Reflect.get(value, name);
      if (isObject(member)) this.#found.set(member, { quote: { id, span }, size: sizeOf(span) });
    }
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

/** @param onRead gets the value and its text, which is not kept any longer */
function lazily(text: string, onRead: (value: unknown, text: string) => void): LazyValue {
  let unread: string | undefined = text;
  let value: unknown;
  return () => {
    if (unread !== undefined) {
      value = JSON.parse(unread);
      onRead(value, unread);
      unread = undefined;
    }
    return value;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
