import type { GatewayError } from "../../errors.ts";

/** OpenAI's types of errors, by HTTP status; clients look at the status and the code. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};

/** An error in the form that OpenAI's clients read. */
export function errorOf(error: GatewayError): object {
  const { status, code, message, retryable, extra } = error;
  const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { message, type, param: null, code, retryable, ...extra };
}

export function errorBody(error: GatewayError, { requestId }: { requestId: string }): object {
  return { error: errorOf(error), request_id: requestId };
}
