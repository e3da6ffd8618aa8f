import type { IncomingMessage, ServerResponse } from "node:http";
import { traceContextOf, traceIdOf } from "@interlock/contracts";
import accepts from "accepts";
import type { Logger } from "pino";
import type { Audit } from "../audit/index.ts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { type Identify, isCrossSite, isForeignGet } from "../identity/index.ts";
import { ID_PATTERN } from "../ids.ts";
import type { FailedAuthentications, RateFields, RequestLimits } from "../limits/index.ts";
import { HTTP, INTERLOCK, tracing } from "../telemetry/index.ts";
import type { Bodies } from "./bodies.ts";
import type { AddressOf } from "./client-address.ts";
import type { ApiRequest, Endpoint } from "./endpoint.ts";
import { readQuery } from "./query.ts";
import { queryOf, requestIdOf, valid } from "./request.ts";
import { apiError, challenged, describeError, sendError, toGatewayError } from "./respond.ts";

export type ServeDeps = {
  identify: Identify;
  tokenOfBrowser: TokenOfBrowser;
  addressOf: AddressOf;
  quotas: Quotas;
  observe: Observe;
  audit: Pick<Audit, "note">;
  logger: Logger;
  bodies: Bodies;
  /** Origins whose pages may call the API; empty: none. */
  corsOrigins: readonly string[];
  loop: Loop;
  /** What the endpoints work with: entered for as long as a request is handled. */
  edition: { enter(): void; leave(): void };
};

/** How much callers may ask for. */
export type Quotas = {
  requests: RequestLimits;
  /** Of models. @throws GatewayError quota_exceeded */
  tokens: { admit(tenant: string): Promise<void> | undefined };
  failures: FailedAuthentications;
};

/** The event loop's load, and the requests that are using it. */
export type Loop = { sheds(caller: string): boolean; begins(caller: string): void; note(work: string): void };

/**
 * The token of somebody who signed in from a browser; undefined, at once, where the request is no such browser's.
 * @param changes whether the request may change something
 */
export type TokenOfBrowser = (req: IncomingMessage, changes: boolean) => Promise<string> | undefined;

/** Counts a request that was answered; a stream counts when it opens. `traceId`: of a trace that is kept. */
export type Observe = (request: {
  route: string;
  method: string;
  status: number;
  ms: number;
  traceId?: string | undefined;
}) => void;

/** Answers a request. Never rejects. @param id what the path has in the place of `:id`; likewise `subId` */
export type Serve = (req: IncomingMessage, res: ServerResponse, id?: string, subId?: string) => Promise<void>;

const NOBODY: Caller = { tenant: "", issuer: "", subject: "", roles: [] };

/** Statuses for which the log has the client's address. */
const TRACED = new Set([401, 403, 429]);

/** Handles a request: id, identity, limits, admission, query, body, handler; then the error, if any, metrics and a log line. */
export function serve(endpoint: Endpoint, deps: ServeDeps): Serve {
  const {
    identify,
    tokenOfBrowser,
    addressOf,
    quotas,
    observe,
    audit,
    logger,
    bodies,
    corsOrigins,
    loop,
    edition,
  } = deps;
  const { method, path: route, auth, query, body: validator, produces, startsRun } = endpoint;
  const errorBody = endpoint.errorBody ?? ((error, { requestId }) => apiError(error, requestId));
  const isForeign = method !== "GET" ? isCrossSite : startsRun ? isForeignGet : undefined;

  /** Synchronous if nothing has to be looked up. */
  function callerOf(req: IncomingMessage): Caller | Promise<Caller> {
    // A browser sends a request without a body, such as a cancel, for any page: the page cannot read the answer, but it takes effect.
    if (isForeign?.(req.headers, corsOrigins))
      throw new GatewayError("forbidden", "A page of another origin may not do this.");
    if (auth === "none") return NOBODY;
    const { headers } = req;
    if (
      headers.authorization === undefined &&
      (headers.cookie ?? headers["interlock-console"]) !== undefined
    ) {
      const token = tokenOfBrowser(req, method !== "GET" || startsRun === true);
      if (token) return token.then((own) => identified(headers, own));
    }
    return identify(headers);
  }

  /** From here on the request is as if it had brought the token itself. */
  function identified(headers: IncomingMessage["headers"], token: string): Caller | Promise<Caller> {
    headers.authorization = `Bearer ${token}`;
    return identify(headers);
  }

  // A function of its own that does not await the handler: while a stream lasts, nothing here keeps the request's body.
  async function handle(
    req: IncomingMessage,
    res: ServerResponse,
    about: Pick<ApiRequest, "id" | "subId" | "requestId" | "trace" | "caller">,
  ) {
    const { requestId, caller } = about;
    admit(req, produces);
    const admitted = auth === "none" ? undefined : allow(endpoint, caller, res, quotas);
    // A browser sends the query with its preflight too, and gives up the request if that is refused: the request itself is judged.
    const read = req.method === "OPTIONS" ? {} : readQuery(queryOf(req), query);
    if (startsRun) begin(loop, caller);
    const sent = validator && (await bodies.read(req, res, endpoint.asText));
    const body = sent && valid(validator, sent.value);
    loop.note(`${method} ${route} ${requestId}`);
    if (admitted && !startsRun) await admitted;
    const digest = sent?.digest;
    return endpoint.handler({ ...about, req, res, admitted, query: read, body, digest });
  }

  return async (req, res, id = "", subId = "") => {
    const started = performance.now();
    edition.enter();
    const requestId = requestIdOf(req);
    res.setHeader("x-request-id", requestId);
    const sent = traceContextOf(req.headers);
    // What probes and scrapers ask would only fill the traces.
    const span =
      auth === "none"
        ? undefined
        : tracing?.span(`${method} ${route}`, sent, {
            kind: "server",
            attributes: { [HTTP.method]: method, [HTTP.route]: route, [INTERLOCK.request]: requestId },
          });
    const trace = span ?? sent;
    let failure: GatewayError | undefined;
    let caller: Caller | undefined;
    try {
      const identified = callerOf(req);
      caller = identified instanceof Promise ? await identified : identified;
      await handle(req, res, { id, subId, requestId, trace, caller });
    } catch (error) {
      failure = toGatewayError(error);
      if (!caller) failure = await quotas.failures.instead(failure, addressOf(req));
      if (failure.status === 401) failure = challenged(failure, endpoint.challenge?.(req));
      if (res.headersSent) res.destroy();
      else sendError(res, failure, errorBody(failure, { requestId, ms: performance.now() - started }));
    } finally {
      edition.leave();
    }
    const keptAs = span?.isRecording ? traceIdOf(span) : undefined;
    if (span) {
      span.set({ [HTTP.status]: res.statusCode });
      if (failure && failure.status >= 500) span.fail(failure.code);
      span.end();
    }
    const ms = performance.now() - started;
    // The request's method, not the endpoint's: HEAD uses the endpoint for GET, and a refusing endpoint serves every method.
    const sentMethod = req.method ?? method;
    observe({ route, method: sentMethod, status: res.statusCode, ms, traceId: keptAs });
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
    const traceId = traceIdOf(trace);
    const line = {
      request_id: requestId,
      ...(traceId === undefined ? {} : { trace_id: traceId }),
      method: sentMethod,
      route,
      status: res.statusCode,
      ms: Math.round(ms),
    };
    if (!failure) logger[auth === "none" ? "debug" : "info"](line, "request");
    else {
      const address = TRACED.has(failure.status) ? { address: addressOf(req) } : {};
      const told = { ...line, ...address, code: failure.code, cause: describeError(failure.cause) };
      if (failure.status < 500) logger.info(told, "request");
      else logger.error(told, "request failed");
    }
  };
}

/** @throws GatewayError overloaded, for those whose work may be what holds the loop */
function begin(loop: Loop, { tenant, subject }: Caller): void {
  const owner = `${tenant}/${subject}`;
  if (loop.sheds(owner)) throw new GatewayError("overloaded");
  loop.begins(owner);
}

/**
 * Counts a request against the limits; what it tells of them goes into the headers of the answer. Where the store is away, requests that
 * only read are served uncounted.
 * @returns undefined where nothing limits the request
 * @throws GatewayError rate_limited, quota_exceeded, at once where that is known
 */
function allow(
  { method, usesAgents, startsRun }: Endpoint,
  caller: Caller,
  res: ServerResponse,
  { requests, tokens }: Quotas,
): Promise<void> | undefined {
  const counted = requests.take(caller, method === "GET" && !startsRun);
  const affordable = usesAgents ? tokens.admit(caller.tenant) : undefined;
  if (!(counted instanceof Promise)) {
    if (counted) tell(counted, res);
    return quiet(affordable);
  }
  void quiet(affordable);
  return quiet(
    counted.then((fields) => {
      tell(fields, res);
      return affordable;
    }),
  );
}

function tell(fields: RateFields, res: ServerResponse): void {
  for (const name in fields) res.setHeader(name, fields[name] ?? "");
}

/** The request may fail before anybody awaits the promise. */
function quiet<T>(promise: Promise<T> | undefined): Promise<T> | undefined {
  promise?.catch(() => undefined);
  return promise;
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
