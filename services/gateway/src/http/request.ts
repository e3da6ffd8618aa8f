import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type ParsedUrlQuery, parse } from "node:querystring";
import type { Problem, Validator } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { ID_PATTERN } from "../store/keys.ts";
import type { PageCursor } from "../store/page.ts";
import type { Context } from "./context.ts";

/** @throws GatewayError invalid_request that names the place in the schema's own words */
export function valid<T>(validator: Validator<T>, value: unknown): T {
  const checked = validator(value);
  if (!checked.ok) throw invalid(checked.problem);
  return checked.value;
}

export function invalid(problem: Problem): GatewayError {
  return new GatewayError("invalid_request", problem.path ? problem.message : `The body ${problem.message}`);
}

/** The caller's request id where it is one of ours in form, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = headerOf(req, "x-request-id");
  return given !== undefined && ID_PATTERN.test(given) ? given : newId();
}

export function newId(): string {
  return randomUUID().replaceAll("-", "");
}

/** A header that stands once at most: Node joins the values of others with commas. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === "string" ? value : undefined;
}

const NO_QUERY: ParsedUrlQuery = {};

/** The path and the query that a request is for. */
export function targetOf({ url = "" }: IncomingMessage): { path: string; query: ParsedUrlQuery } {
  // A client may name the whole address, as it does to a proxy.
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = target.indexOf("?");
  if (mark === -1) return { path: target, query: NO_QUERY };
  return { path: target.slice(0, mark), query: parse(target.slice(mark + 1)) };
}

/** @throws GatewayError not_found: a malformed id can name nothing */
export function idParam({ id }: Context): string {
  if (!ID_PATTERN.test(id)) throw new GatewayError("not_found");
  return id;
}

type QueryReader<T> = (value: string, name: string) => T;

/**
 * Reads a query against its declaration.
 * @throws GatewayError invalid_request for a parameter that is not declared, stands twice, or does not read
 */
export function readQuery<T extends object>(
  { query }: Context,
  declared: { readonly [K in keyof T]: QueryReader<T[K]> },
): Partial<T> {
  const read: Partial<T> = {};
  for (const [name, value] of Object.entries(query)) {
    if (!isDeclared(declared, name))
      throw new GatewayError("invalid_request", "A query parameter is not known.");
    if (typeof value !== "string") throw new GatewayError("invalid_request", `?${name} may stand once.`);
    // An empty value is an absent one: `?plan=` is how a form sends nothing.
    if (value !== "") read[name] = declared[name](value, String(name));
  }
  return read;
}

function isDeclared<D extends object>(declared: D, name: PropertyKey): name is keyof D {
  return Object.hasOwn(declared, name);
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
    if (!ID_PATTERN.test(value)) throw new GatewayError("invalid_request", `?${name} is not a valid id.`);
    return value;
  },
  /** The `next` of the page before; see {@link cursorText}. */
  cursor: (value: string, name: string): PageCursor => {
    const [, score, id] = /^(\d{1,16})_([A-Za-z0-9_-]{1,64})$/.exec(value) ?? [];
    if (score === undefined || id === undefined)
      throw new GatewayError("invalid_request", `?${name} is not the next of a page.`);
    return { score: Number(score), id };
  },
  /** The last seq that a reader has. */
  seq: (value: string): number => {
    if (!/^\d{1,10}$/.test(value)) throw new GatewayError("invalid_cursor");
    return Number(value);
  },
  /** Free text of bounded length, e.g. a model's name. */
  text: (value: string, name: string): string => {
    if (value.length > 128) throw new GatewayError("invalid_request", `?${name} is too long.`);
    return value;
  },
} as const;

export function cursorText({ score, id }: PageCursor): string {
  return `${score}_${id}`;
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A W3C trace context, passed on as it came; anything else is dropped. */
export function traceparentOf(req: IncomingMessage): string | undefined {
  const value = headerOf(req, "traceparent");
  return value !== undefined && TRACEPARENT.test(value) ? value : undefined;
}
