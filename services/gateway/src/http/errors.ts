import type { ErrorRequestHandler, Response } from "express";
import type { Logger } from "pino";
import { ERRORS, type ErrorCode, GatewayError } from "../errors.ts";
import { sendJson } from "./json.ts";

export type ErrorBody = { error: string; code: ErrorCode; retryable: boolean; request_id: string };

export function errorBody(error: GatewayError, requestId: string): ErrorBody {
  return {
    error: error.message,
    code: error.code,
    retryable: error.retryable,
    request_id: requestId,
    ...error.extra,
  };
}

/** Retryable refusals say when to come back, unless the error knows better. */
const RETRY_AFTER_S = "1";

export function sendError(res: Response, error: GatewayError, requestId: string): void {
  if (error.status === 429 || error.status === 503 || error.code === "session_busy") {
    res.setHeader("retry-after", RETRY_AFTER_S);
  }
  res.set(error.headers);
  sendJson(res, errorBody(error, requestId), error.status);
}

/** The one place where errors become HTTP. Messages of foreign errors quote what they choked on: only their kind is used. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const mapped = toGatewayError(error);
    const requestId = String(res.locals.requestId ?? "");
    if (mapped.status >= 500) {
      const cause = mapped.cause ?? (error === mapped ? undefined : error);
      log.error({ request_id: requestId, code: mapped.code, cause: kindOf(cause) }, "request failed");
    }
    if (res.headersSent) res.destroy();
    else sendError(res, mapped, requestId);
  };
}

function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  const by = (code: ErrorCode, message: string = ERRORS[code].message) =>
    new GatewayError(code, message, { cause: error });
  // The router could not decode a path: a malformed id can name nothing.
  if (Error.isError(error) && error.name === "URIError") return by("not_found");
  if (typeof status === "number" && status >= 400 && status < 500) return by("invalid_request");
  return by("internal");
}

/** Name and code of an error: what a log may hold of it. */
export function kindOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!Error.isError(error)) return typeof error;
  const code = "code" in error && typeof error.code === "string" ? `:${error.code}` : "";
  const cause = error.cause === undefined ? "" : ` < ${kindOf(error.cause)}`;
  return `${error.name}${code}${cause}`;
}
