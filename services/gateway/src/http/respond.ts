import type { ServerResponse } from "node:http";
import type { ErrorBody } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { utf8InPieces } from "../json-text.ts";

/** No answer of the API may be cached, or be taken for another type than it says. */
export const COMMON_HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

export function sendJson(res: ServerResponse, value: unknown, status = 200): void {
  sendText(res, "application/json; charset=utf-8", JSON.stringify(value), status);
}

/** Like {@link sendJson}, for a value that is large and text already, in pieces or as a whole. */
export async function sendJsonText(res: ServerResponse, ...texts: readonly string[]): Promise<void> {
  const bytes = await utf8InPieces(...texts);
  const headers = { "content-type": "application/json; charset=utf-8", "content-length": bytes.length };
  res.writeHead(200, { ...COMMON_HEADERS, ...headers });
  res.end(bytes);
}

export function sendText(res: ServerResponse, contentType: string, text: string, status = 200): void {
  res.writeHead(status, {
    ...COMMON_HEADERS,
    "content-type": contentType,
    "content-length": Buffer.byteLength(text),
  });
  res.end(text);
}

/** A file of somebody else: browsers save it, and run nothing of it. */
export function sendFile(res: ServerResponse, contentType: string, data: Buffer): void {
  const isHeader = /^[\x20-\x7e]{1,200}$/.test(contentType);
  res.writeHead(200, {
    ...COMMON_HEADERS,
    "content-type": isHeader ? contentType : "application/octet-stream",
    "content-length": data.length,
    "content-disposition": "attachment",
    "content-security-policy": "sandbox; default-src 'none'",
  });
  res.end(data);
}

/** Temporary refusals get a default Retry-After, unless the error has its own. */
const RETRY_AFTER_S = "1";

/** @param body such as {@link apiError} makes */
export function sendError(res: ServerResponse, { status, code, headers }: GatewayError, body: object): void {
  if (status === 429 || status === 503 || code === "session_busy") {
    res.setHeader("retry-after", RETRY_AFTER_S);
  }
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, body, status);
}

/** An error as the API says it. */
export function apiError({ message, code, retryable, extra }: GatewayError, requestId: string): ErrorBody {
  return { error: message, code, retryable, request_id: requestId, ...extra };
}

/** The error with more in its challenge; see RFC 9110, section 11.6.1. */
export function challenged(error: GatewayError, more: string | undefined): GatewayError {
  const { code, message, cause, extra, retryable, headers } = error;
  const challenge = headers["www-authenticate"];
  if (more === undefined || challenge === undefined) return error;
  const all = { ...headers, "www-authenticate": `${challenge}, ${more}` };
  return new GatewayError(code, message, { cause, extra, retryable, headers: all });
}

/** Errors of libraries quote the value that they failed on, so nothing of them goes into an answer. */
export function toGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError("internal", undefined, { cause: error });
}

/** Name and code of an error and its causes: what a log may hold of it. */
export function describeError(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!Error.isError(error)) return typeof error;
  const known = SAYING.map((name): unknown => Reflect.get(error, name)).filter(
    (said) => typeof said === "string",
  );
  const cause = error.cause === undefined ? "" : ` < ${describeError(error.cause)}`;
  return `${[error.name, ...known].join(":")}${cause}`;
}

/** A stable code, and where an agent's answer breaks a schema, in names of the schema. Other members may quote values. */
const SAYING = ["code", "place"];
