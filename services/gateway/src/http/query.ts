import type { ParsedUrlQuery } from "node:querystring";
import { GatewayError } from "../errors.ts";
import { ID_PATTERN } from "../ids.ts";
import type { PageCursor } from "../runs/index.ts";

type QueryReader<T> = (value: string, name: string) => T;

/** How each parameter of a query is read. */
export type QueryReaders<T extends object> = { readonly [K in keyof T]: QueryReader<T[K]> };

/**
 * Reads a query against its declaration.
 * @throws GatewayError invalid_request for a parameter that is undeclared, repeated or malformed
 */
export function readQuery<T extends object>(query: ParsedUrlQuery, readers: QueryReaders<T>): Partial<T> {
  const read: Partial<T> = {};
  for (const name in query) {
    const value = query[name];
    if (!isDeclared(readers, name))
      throw new GatewayError("invalid_request", "A query parameter is not known.");
    if (typeof value !== "string") throw new GatewayError("invalid_request", `?${name} may stand once.`);
    // An empty value is an absent one: `?plan=` is how a form sends nothing.
    if (value !== "") read[name] = readers[name](value, String(name));
  }
  return read;
}

function isDeclared<T extends object>(readers: QueryReaders<T>, name: PropertyKey): name is keyof T {
  return Object.hasOwn(readers, name);
}

export const query = {
  boolean: (value: string, name: string): boolean => {
    if (value === "true" || value === "1") return true;
    if (value === "false" || value === "0") return false;
    throw new GatewayError("invalid_request", `?${name} is true or false.`);
  },
  integer:
    (min: number, max: number) =>
    (value: string, name: string): number => {
      const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new GatewayError("invalid_request", `?${name} is a whole number from ${min} to ${max}.`);
    },
  oneOf:
    <const T extends string>(...words: readonly T[]) =>
    (value: string, name: string): T => {
      const word = words.find((candidate) => candidate === value);
      if (word === undefined)
        throw new GatewayError("invalid_request", `?${name} is one of ${words.join(", ")}.`);
      return word;
    },
  id: (value: string, name: string): string => {
    if (!ID_PATTERN.test(value))
      throw new GatewayError(
        "invalid_request",
        `?${name} is an id: 1 to 64 letters (A to Z, a to z), digits, _ or -.`,
      );
    return value;
  },
  /** The `next` of the page before; see {@link cursorText}. */
  cursor: (value: string, name: string): PageCursor => {
    const [, score, id] = /^(\d{1,16})_([A-Za-z0-9_-]{1,64})$/.exec(value) ?? [];
    if (score === undefined || id === undefined)
      throw new GatewayError("invalid_request", `?${name} is not the next of a page.`);
    return { score: Number(score), id };
  },
  /** A day such as `2026-11-22`. */
  day: (value: string, name: string): string => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
    if (!isDay) throw new GatewayError("invalid_request", `?${name} is a day such as 2026-11-22.`);
    return value;
  },
  /** A day, which is its first moment in UTC, or a moment such as `2026-11-22T10:30:00Z`; in milliseconds. */
  moment: (value: string, name: string): number => {
    const isMoment =
      /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(value);
    const at = isMoment ? Date.parse(value) : Number.NaN;
    if (at >= 0) return at;
    throw new GatewayError("invalid_request", `?${name} is a day, or a moment such as 2026-11-22T10:30:00Z.`);
  },
  /** The last seq that a reader has. */
  seq: (value: string): number => {
    if (!/^\d{1,10}$/.test(value)) throw new GatewayError("invalid_cursor");
    return Number(value);
  },
  /** A place in a log, such as `1764230400000-0`. */
  place: (value: string, name: string): string => {
    if (!/^\d{1,16}-\d{1,9}$/.test(value))
      throw new GatewayError("invalid_request", `?${name} is not the next of a page.`);
    return value;
  },
  /** Text that a schema checks. */
  any: (value: string): string => value,
  /** Free text of bounded length, e.g. a model's name. */
  text: (value: string, name: string): string => {
    if (value.length > 128) throw new GatewayError("invalid_request", `?${name} is too long.`);
    return value;
  },
} as const;

export function cursorText({ score, id }: PageCursor): string {
  return `${score}_${id}`;
}
