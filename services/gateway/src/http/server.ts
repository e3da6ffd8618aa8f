import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorBody } from "@interlock/contracts";
import { type ErrorCode, GatewayError } from "../errors.ts";
import { newId } from "../ids.ts";
import { COMMON_HEADERS, describeError } from "./respond.ts";
import type { ServeDeps } from "./serve.ts";

export type ApiServerDeps = Pick<ServeDeps, "observe" | "logger"> & {
  /** Answers requests. */
  api: RequestListener;
  /** Connections at once; more are closed as soon as they are opened. */
  maxConnections: number;
  /** Called for a connection beyond the limit. */
  onRefused: () => void;
};

const OPTIONS = {
  // Longer than a balancer keeps idle connections, so that it never sends a request on one that is just being closed.
  keepAliveTimeout: 75_000,
  // Against slow senders: Node closes connections with slow headers and very slow bodies; Bodies enforces a minimum rate earlier.
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  // createApi refuses a request without a Host or with several; Node's own answer would not have the API's form.
  requireHostHeader: false,
};

/** Codes for errors of Node's parser; any other is `invalid_request`. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** The API's server. Also what Node refuses before there is a request gets an answer in the form of the API's errors. */
export function createApiServer({ api, observe, logger, maxConnections, onRefused }: ApiServerDeps): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    latest.set(req.socket, res);
    api(req, res);
  };
  const server = createServer(OPTIONS, listener);
  server.maxConnections = maxConnections;
  // Their bytes are limited. Node would drop the headers beyond a number, and with them what createApi and identity look for.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", listener);
  server.on("drop", onRefused);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const res = latest.get(socket);
    // Nothing may be put into an answer that has begun, or before one that is still due to an earlier request.
    const owed = res !== undefined && !res.writableFinished && (res.headersSent || res.req.complete);
    if (!socket.writable || owed || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const refusal = new GatewayError(CODES[error.code ?? ""] ?? "invalid_request", undefined, {
      cause: error,
    });
    const requestId = newId();
    socket.end(rawAnswer(refusal, requestId), () => socket.destroy());
    const { status, code } = refusal;
    observe({ route: "*", method: "", status, ms: 0 });
    logger.info({ request_id: requestId, route: "*", status, code, cause: describeError(error) }, "request");
  });
  return server;
}

function rawAnswer({ status, code, message, retryable }: GatewayError, requestId: string): string {
  const body: ErrorBody = { error: message, code, retryable, request_id: requestId };
  const text = JSON.stringify(body);
  const headers = {
    ...COMMON_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    "x-request-id": requestId,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`;
}
