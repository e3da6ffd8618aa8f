import type { IncomingMessage, RequestListener } from "node:http";
import cors from "cors";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { GatewayError } from "../errors.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { COMMON_HEADERS } from "./respond.ts";
import { type ServeDeps, serve } from "./serve.ts";

export type ApiDeps = ServeDeps & { endpoints: readonly Endpoint[] };

/** An unknown path under one of these requires an identified caller before it gets 404. */
const API = "/api/v1";
const APIS = [API, "/v1/agent", "/v1/chat"];

/**
 * The HTTP surface: Express finds the endpoint of a request, except for the hot paths, which a map finds. Nothing answers outside of
 * `serve`, so that every answer has the same headers, errors, metrics and log line.
 */
export function createApi({ endpoints, ...deps }: ApiDeps): RequestListener {
  const { corsOrigins } = deps;
  const app = express();
  app.disable("x-powered-by").disable("etag");
  // CORS headers of preflights are set here; they are answered below like every other request.
  if (corsOrigins.length > 0)
    app.use(
      cors({ origin: [...corsOrigins], methods: METHODS, exposedHeaders: EXPOSED, preflightContinue: true }),
    );
  for (const [path, onPath] of Map.groupBy(endpoints, (one) => one.path)) {
    // Any other colon is one: "/tasks/:id:cancel".
    const pattern = path.replaceAll(/:(?!(?:id|subId)\b)/g, "\\:");
    for (const one of onPath) {
      const handle = serve(one, deps);
      const handler: RequestHandler = (req, res) =>
        handle(req, res, param(req.params.id), param(req.params.subId));
      if (one.method === "GET") app.get(pattern, handler);
      else if (one.method === "POST") app.post(pattern, handler);
      else app.delete(pattern, handler);
    }
    const methods = onPath.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).sort();
    const tell = serve(options(path, methods), deps);
    app.options(pattern, (req, res) => tell(req, res));
    const headers = { allow: methods.join(", ") };
    const notAllowed = new GatewayError("method_not_allowed", undefined, { headers });
    const [first] = onPath;
    const refuse = serve({ ...refusing(path, first?.auth ?? "caller", notAllowed), ...formOf(first) }, deps);
    app.all(pattern, (req, res) => refuse(req, res));
  }
  const unknown = {
    api: serve(refusing(API, "caller", new GatewayError("not_found")), deps),
    other: serve(refusing("*", "none", new GatewayError("not_found")), deps),
  };
  app.use((req, res) => (isApiPath(req.path) ? unknown.api(req, res) : unknown.other(req, res)));
  // Express fails on a path that it cannot decode: it names nothing.
  const failed: ErrorRequestHandler = (_error, req, res, _next) => void unknown.other(req, res);
  app.use(failed);

  // With CORS, Express has to see every request.
  const hot = new Map(
    endpoints.flatMap((one) => (one.hot && corsOrigins.length === 0 ? [[one.path, serve(one, deps)]] : [])),
  );
  return (req, res) => {
    const misfit = misfitOf(req);
    if (misfit) {
      void serve(refusing("*", "none", misfit), deps)(req, res);
      return;
    }
    const { url = "" } = req;
    const mark = url.indexOf("?");
    const handle = req.method === "POST" ? hot.get(mark === -1 ? url : url.slice(0, mark)) : undefined;
    if (handle) void handle(req, res);
    else app(req, res);
  };
}

const METHODS = ["GET", "HEAD", "POST", "DELETE"];
const EXPOSED = [
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Run-Id",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "Location",
];

function param(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}

function isApiPath(path: string): boolean {
  return APIS.some((api) => `${path.toLowerCase()}/`.startsWith(`${api}/`));
}

/** Refuses requests that are ambiguous or not HTTP/1.1: with two Host headers, for example, a proxy and the gateway may pick different ones. */
function misfitOf({ httpVersion, rawHeaders, headers }: IncomingMessage): GatewayError | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return new GatewayError("invalid_request", "The gateway speaks HTTP/1.1.");
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return new GatewayError("invalid_request", "A request has one Host header.");
  if (authorizations > 1)
    return new GatewayError("invalid_request", "A request has one Authorization header at most.");
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue")
    return new GatewayError("expectation_failed");
  return undefined;
}

/** Answers with an error, whatever the request is. */
function refusing(path: string, auth: Endpoint["auth"], error: GatewayError): Endpoint {
  return endpoint({
    method: "GET",
    path,
    auth,
    handler() {
      throw error;
    },
  });
}

/** The form of an endpoint's errors. */
function formOf({ errorBody, challenge }: Partial<Endpoint> = {}): Pick<Endpoint, "errorBody" | "challenge"> {
  return { ...(errorBody ? { errorBody } : {}), ...(challenge ? { challenge } : {}) };
}

/** Answers OPTIONS without authentication: a browser's preflight carries no token. */
function options(path: string, methods: readonly string[]): Endpoint {
  return endpoint({
    method: "GET",
    path,
    auth: "none",
    handler({ res }) {
      res.writeHead(204, { ...COMMON_HEADERS, allow: [...methods, "OPTIONS"].join(", ") }).end();
    },
  });
}
