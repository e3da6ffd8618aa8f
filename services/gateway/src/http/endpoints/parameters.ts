import type { Caller } from "../../caller.ts";
import { DIALECT_NAMES } from "../../dialects/index.ts";
import { GatewayError } from "../../errors.ts";
import { ID_PATTERN } from "../../ids.ts";
import { query } from "../query.ts";

/** What several endpoints take. */
export const LIMIT = query.integer(1, 200);
export const DEFAULT_LIMIT = 50;

/** What happens while another run of the session is under way. */
export const MULTITASK = query.oneOf("refuse", "enqueue");

/** How the events of a stream are encoded. */
export const DIALECT = query.oneOf(...DIALECT_NAMES);

/** How an event stream is kept alive: `interval` is the seconds of silence before a comment. */
export const KEEPALIVE = { keepalive: query.boolean, interval: query.integer(1, 300) };

const DEFAULT_INTERVAL_S = 15;

/** @returns 0 where the client wants no keepalives */
export function keepaliveMs(options: { keepalive?: boolean; interval?: number }): number {
  return (options.keepalive ?? true) ? (options.interval ?? DEFAULT_INTERVAL_S) * 1000 : 0;
}

/** @throws GatewayError not_found: a malformed id names nothing */
export function validId(id: string): string {
  if (!ID_PATTERN.test(id)) throw new GatewayError("not_found");
  return id;
}

/** @throws GatewayError forbidden: whoever names a user names themselves */
export function refuseOtherUser({ subject }: Caller, user: string | undefined): void {
  if (user !== undefined && user !== subject)
    throw new GatewayError("forbidden", "The user_id is the caller's own, or left out.");
}
