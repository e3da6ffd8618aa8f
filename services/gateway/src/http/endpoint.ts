import type { IncomingMessage, ServerResponse } from "node:http";
import type { TraceContext, Validator } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import type { GatewayError } from "../errors.ts";
import type { AsText } from "./json-pieces.ts";
import type { QueryReaders } from "./query.ts";

/** What a handler gets: a request that is authenticated, admitted and valid. */
export type ApiRequest<Query extends object = object, Body = unknown> = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Where what is done for the request belongs. */
  readonly trace: TraceContext;
  readonly caller: Caller;
  /**
   * Settles when the limits are known to allow the request. Only an endpoint that starts runs gets it unsettled, so that the run can be
   * prepared meanwhile; it must await this before it starts one.
   */
  readonly admitted: Promise<void> | undefined;
  /** The path's value of `:id`; empty without one. */
  readonly id: string;
  /** The path's value of `:subId`; empty without one. */
  readonly subId: string;
  readonly query: Partial<Query>;
  readonly body: Body;
  /** Hash of method, target and body as the client sent them. Absent without a body or an Idempotency-Key. */
  readonly digest: string | undefined;
};

/** One endpoint of the API, as data. */
export type Endpoint<Query extends object = object, Body = unknown> = {
  readonly method: "GET" | "POST" | "DELETE";
  /** In Express' notation; its parameters are `:id`, and `:subId` for what belongs to that. */
  readonly path: string;
  /** Whether the caller is identified; `none` for what probes and scrapers ask. */
  readonly auth: "caller" | "none";
  /** The parameters that the query may have. Another one is refused. */
  readonly query: QueryReaders<Query>;
  /** Absent: a body is neither read nor expected. */
  readonly body?: Validator<Body>;
  /** Members of a large body that stay text instead of being parsed. */
  readonly asText?: AsText;
  readonly produces: readonly string[];
  /** The body of an error, where the endpoint's protocol has a form of its own; absent: the API's. @param ms that the request took */
  readonly errorBody?: (error: GatewayError, about: { requestId: string; ms: number }) => object;
  /** What the challenge of a 401 has beside its scheme, e.g. where the endpoint's protocol finds its issuers. */
  readonly challenge?: (req: IncomingMessage) => string | undefined;
  /** Skips Express: a map look-up instead, for the paths where the router's share would count. */
  readonly hot?: boolean;
  /** Refused while the event loop is overloaded. */
  readonly startsRun?: boolean;
  /** Whether it makes agents work, which may use up a tenant's tokens. */
  readonly usesAgents?: boolean;
  /** Answers the request. An error that it throws becomes the answer, unless one has begun. */
  handler(request: ApiRequest<Query, Body>): void | Promise<void>;
};

type Defaults = "auth" | "query" | "produces";

/** An endpoint with the defaults of the API: an identified caller, no query, JSON. */
export function endpoint<Query extends object, Body>(
  definition: Omit<Endpoint<Query, Body>, Defaults> & Partial<Pick<Endpoint<Query, Body>, Defaults>>,
): Endpoint {
  return { auth: "caller", query: {}, produces: ["application/json"], ...definition };
}
