import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type ErrorCode, GatewayError } from "../errors.ts";
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

export function sendError(res: ServerResponse, error: GatewayError, requestId: string): void {
  if (error.status === 429 || error.status === 503 || error.code === "session_busy") {
    res.setHeader("retry-after", RETRY_AFTER_S);
  }
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  sendJson(res, errorBody(error, requestId), error.status);
}

/** The one place where errors become HTTP. Messages of foreign errors quote what they choked on: only their kind is used. */
export function answerError(error: unknown, res: ServerResponse, requestId: string, log: Logger): void {
  const mapped =
    error instanceof GatewayError ? error : new GatewayError("internal", undefined, { cause: error });
  if (mapped.status >= 500) {
    log.error({ request_id: requestId, code: mapped.code, cause: kindOf(mapped.cause) }, "request failed");
  }
  if (res.headersSent) res.destroy();
  else sendError(res, mapped, requestId);
}

/** Name and code of an error: what a log may hold of it. */
export function kindOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!Error.isError(error)) return typeof error;
  const code = "code" in error && typeof error.code === "string" ? `:${error.code}` : "";
  const cause = error.cause === undefined ? "" : ` < ${kindOf(error.cause)}`;
  return `${error.name}${code}${cause}`;
}
