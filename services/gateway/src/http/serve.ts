import type { IncomingMessage, ServerResponse } from "node:http";
import accepts from "accepts";
import type { Logger } from "pino";
import type { Audit } from "../audit/index.ts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { type Identify, isCrossSite } from "../identity/index.ts";
import { ID_PATTERN } from "../ids.ts";
import type { Bodies } from "./bodies.ts";
import type { Endpoint } from "./endpoint.ts";
import { readQuery } from "./query.ts";
import { addressOf, queryOf, requestIdOf, valid } from "./request.ts";
import { describeError, sendError, toGatewayError } from "./respond.ts";

export type ServeDeps = {
  identify: Identify;
  observe: Observe;
  audit: Pick<Audit, "note">;
  logger: Logger;
  bodies: Bodies;
  /** Origins whose pages may call the API; empty: none. */
  corsOrigins: readonly string[];
  loop: Loop;
};

/** The event loop's state, and who uses it. */
export type Loop = { readonly sheds: boolean; note(work: string): void };

/** Counts a request that was answered; a stream counts when it opens. */
export type Observe = (request: { route: string; method: string; status: number; ms: number }) => void;

/** Answers a request. Never rejects. @param id what the path has in the place of `:id` */
export type Serve = (req: IncomingMessage, res: ServerResponse, id?: string) => Promise<void>;

const NOBODY: Caller = { tenant: "", issuer: "", subject: "", roles: [] };

/** The way of a request: id, identity, admission, query, body, handler; then the error, if any, metrics and a log line. */
export function serve(endpoint: Endpoint, deps: ServeDeps): Serve {
  const { identify, observe, audit, logger, bodies, corsOrigins, loop } = deps;
  const { method, path: route, auth, query, body: validator, produces } = endpoint;

  function callerOf(req: IncomingMessage): Caller | Promise<Caller> {
    // A browser sends a request without a body, such as a cancel, for any page: the page cannot read the answer, but it takes effect.
    if (method !== "GET" && isCrossSite(req.headers, corsOrigins))
      throw new GatewayError("forbidden", "A page of another origin may not do this.");
    return auth === "none" ? NOBODY : identify(req.headers);
  }

  // A function of its own that does not await the handler: while a stream lasts, nothing here keeps the request's body.
  async function handle(
    req: IncomingMessage,
    res: ServerResponse,
    { id, requestId, caller }: { id: string; requestId: string; caller: Caller },
  ) {
    admit(req, produces);
    const read = readQuery(queryOf(req), query);
    if (endpoint.startsRun && loop.sheds) throw new GatewayError("overloaded");
    const sent = validator && (await bodies.read(req, res, endpoint.asText));
    const body = sent && valid(validator, sent.value);
    loop.note(`${method} ${route} ${requestId}`);
    return endpoint.handler({ req, res, requestId, caller, id, query: read, body, digest: sent?.digest });
  }

  return async (req, res, id = "") => {
    const started = performance.now();
    const requestId = requestIdOf(req);
    res.setHeader("x-request-id", requestId);
    let failure: GatewayError | undefined;
    let caller: Caller | undefined;
    try {
      const identified = callerOf(req);
      caller = identified instanceof Promise ? await identified : identified;
      await handle(req, res, { id, requestId, caller });
    } catch (error) {
      failure = toGatewayError(error);
      if (res.headersSent) res.destroy();
      else sendError(res, failure, requestId);
    }
    const ms = performance.now() - started;
    // Not the endpoint's: a HEAD goes to the one for GET, and one that refuses stands for every method.
    const sentMethod = req.method ?? method;
    observe({ route, method: sentMethod, status: res.statusCode, ms });
    if (failure && (failure.status === 401 || failure.status === 403))
      audit.note({
        act: failure.status === 401 ? "token_refused" : "permission_refused",
        caller,
        resource: `${sentMethod} ${route}${caller && ID_PATTERN.test(id) ? ` ${id}` : ""}`,
        code: failure.code,
        reason: describeError(failure.cause),
        issuer: issuerIn(failure.cause),
        address: addressOf(req),
      });
    const line = {
      request_id: requestId,
      method: sentMethod,
      route,
      status: res.statusCode,
      ms: Math.round(ms),
    };
    if (!failure) logger[auth === "none" ? "debug" : "info"](line, "request");
    else if (failure.status < 500) logger.info({ ...line, code: failure.code }, "request");
    else logger.error({ ...line, code: failure.code, cause: describeError(failure.cause) }, "request failed");
  };
}

/** The issuer of a token that was refused, where the refusal names it. */
function issuerIn(cause: unknown): string | undefined {
  const named = typeof cause === "object" && cause !== null && "issuer" in cause ? cause.issuer : undefined;
  return typeof named === "string" ? named : undefined;
}

/** @throws GatewayError not_acceptable */
function admit(req: IncomingMessage, produces: readonly string[]): void {
  const { accept } = req.headers;
  if (accept === undefined || accept.includes("*/*")) return;
  if (accepts(req).type([...produces]) === false) throw new GatewayError("not_acceptable");
}
