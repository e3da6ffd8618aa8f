import { type ErrorCode, GatewayError } from "../../errors.ts";

/** The reasons of A2A's own errors; an error without one has the API's code, in capitals. */
export type Reason =
  | "TASK_NOT_FOUND"
  | "TASK_NOT_CANCELABLE"
  | "PUSH_NOTIFICATION_NOT_SUPPORTED"
  | "UNSUPPORTED_OPERATION"
  | "CONTENT_TYPE_NOT_SUPPORTED"
  | "VERSION_NOT_SUPPORTED"
  | "INVALID_PARAMS"
  | "METHOD_NOT_FOUND";

/** JSON-RPC's numbers for them. */
const RPC: Readonly<Record<Reason, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  VERSION_NOT_SUPPORTED: -32009,
  INVALID_PARAMS: -32602,
  METHOD_NOT_FOUND: -32601,
};
const INVALID_JSON = -32700;
/** Whatever else: the range that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32000;

const BY_CODE: Readonly<Partial<Record<ErrorCode, Reason>>> = {
  not_found: "TASK_NOT_FOUND",
  invalid_request: "INVALID_PARAMS",
};

/** google.rpc's names of statuses, by HTTP's. */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "FAILED_PRECONDITION",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** An error that the protocol has a name for. */
export class A2aError extends GatewayError {
  readonly reason: Reason;

  constructor(reason: Reason, code: ErrorCode, message: string) {
    super(code, message);
    this.reason = reason;
  }
}

export const noSuchTask = (): A2aError =>
  new A2aError("TASK_NOT_FOUND", "not_found", "There is no such task.");

/** An error of a JSON-RPC call, which the answer names. */
export class RpcError extends GatewayError {
  readonly id: unknown;
  readonly said: GatewayError;

  constructor(id: unknown, said: GatewayError) {
    const { code, message, headers, extra, retryable, cause } = said;
    super(code, message, { headers, extra, retryable, cause });
    this.id = id;
    this.said = said;
  }
}

function reasonOf(error: GatewayError): Reason | undefined {
  return error instanceof A2aError ? error.reason : BY_CODE[error.code];
}

/** What both bindings say beside the message: the API's own code, too. */
function infoOf(error: GatewayError): object {
  const { code, retryable } = error;
  return {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: reasonOf(error) ?? code.toUpperCase(),
    domain: "a2a-protocol.org",
    metadata: { code, retryable: String(retryable) },
  };
}

/** The body of an error of the JSON-RPC binding. */
export function rpcErrorBody(error: GatewayError, id: unknown = null): object {
  if (error instanceof RpcError) return rpcErrorBody(error.said, error.id);
  const reason = reasonOf(error);
  const code = error.code === "invalid_json" ? INVALID_JSON : reason ? RPC[reason] : SERVER_ERROR;
  return { jsonrpc: "2.0", id, error: { code, message: error.message, data: [infoOf(error)] } };
}

/** The body of an error of the REST binding. */
export function restErrorBody(error: GatewayError): object {
  const { status: code, message } = error;
  const status = STATUSES[code] ?? (code < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { error: { code, status, message, details: [infoOf(error)] } };
}
