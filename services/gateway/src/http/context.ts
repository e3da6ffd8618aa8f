import type { IncomingMessage, ServerResponse } from "node:http";
import type { ParsedUrlQuery } from "node:querystring";
import type { Caller } from "../identity/caller.ts";

/** What a handler of the API gets: made once for a request, always of this shape, never changed. */
export type Context = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly caller: Caller;
  /** As it was sent, without the query. */
  readonly path: string;
  /** What stands for `:id` in the path, decoded and otherwise unread; empty where the route has none. */
  readonly id: string;
  readonly query: ParsedUrlQuery;
  /** What the body's JSON says; undefined where the route reads none. */
  readonly body: unknown;
};

/** Answers a request. What it throws becomes the answer, as long as none has begun. */
export type Handler = (context: Context) => void | Promise<void>;
