import type { IncomingMessage } from "node:http";
import { type ParsedUrlQuery, parse } from "node:querystring";
import type { Validator } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { ID_PATTERN, newId } from "../ids.ts";

/** @throws GatewayError invalid_request that names the place in the schema's own words */
export function valid<T>(validator: Validator<T>, value: unknown): T {
  const checked = validator(value);
  if (checked.ok) return checked.value;
  const { path, message } = checked.problem;
  throw new GatewayError("invalid_request", path ? message : `The body ${message}`);
}

/** The caller's request id where it has the form of ours, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = headerOf(req, "x-request-id");
  return given !== undefined && ID_PATTERN.test(given) ? given : newId();
}

/** A header that may occur only once: Node joins repeated values with commas. */
export function headerOf(req: Pick<IncomingMessage, "headers">, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === "string" ? value : undefined;
}

const NO_QUERY: ParsedUrlQuery = {};

/** The query of a request. */
export function queryOf({ url = "" }: IncomingMessage): ParsedUrlQuery {
  const mark = url.indexOf("?");
  return mark === -1 ? NO_QUERY : parse(url.slice(mark + 1));
}
