/**
 * The table of the gateway's error codes. The HTTP status is decided here and applied at the edge (http/respond.ts); a run that fails
 * carries the same code in its terminal event.
 */
export const ERRORS = {
  // Outcomes of a conversation, independent of its agents and models. Clients of the API depend on these codes.
  AGT_001: {
    status: 400,
    retryable: false,
    message:
      "The message could not be understood. Say which prices or costs it is about, and what you want to know.",
  },
  AGT_002: { status: 503, retryable: true, message: "No model is available. Try again later." },
  AGT_003: {
    status: 408,
    retryable: true,
    message: "The answer took too long and was cancelled. Ask about fewer items, or for one thing at a time.",
  },
  AGT_004: {
    status: 400,
    retryable: false,
    message: "The message was refused: it reads like an attempt to change what the assistant may do.",
  },
  invalid_request: { status: 400, retryable: false, message: "The request is not valid." },
  invalid_json: { status: 400, retryable: false, message: "The body is not valid JSON." },
  invalid_cursor: {
    status: 400,
    retryable: false,
    message: "The cursor is malformed or lies in the future.",
  },
  invalid_idempotency_key: { status: 400, retryable: false, message: "The Idempotency-Key is not valid." },
  unauthorized: { status: 401, retryable: false, message: "The caller could not be identified." },
  forbidden: { status: 403, retryable: false, message: "The caller may not do this." },
  not_found: { status: 404, retryable: false, message: "There is nothing under this address." },
  not_acceptable: { status: 406, retryable: false, message: "No representation that the client accepts." },
  method_not_allowed: { status: 405, retryable: false, message: "The method is not allowed here." },
  request_timeout: { status: 408, retryable: true, message: "The request did not come in time." },
  session_busy: { status: 409, retryable: true, message: "Another run of this session is under way." },
  conflict: { status: 409, retryable: false, message: "The state does not allow this any more." },
  idempotency_in_progress: { status: 409, retryable: true, message: "A request with this key is under way." },
  result_gone: {
    status: 410,
    retryable: false,
    message: "The result that this turn refers to is not kept any more.",
  },
  edition_gone: {
    status: 410,
    retryable: false,
    message:
      "The version of the manifest that this run began with cannot be used any more, so nothing more of it is done. Ask again, under the present version.",
  },
  payload_too_large: { status: 413, retryable: false, message: "The body is too large." },
  expectation_failed: {
    status: 417,
    retryable: false,
    message: "The gateway knows Expect: 100-continue alone.",
  },
  headers_too_large: { status: 431, retryable: false, message: "The request's headers are too large." },
  unsupported_media_type: { status: 415, retryable: false, message: "The body must be application/json." },
  idempotency_mismatch: {
    status: 422,
    retryable: false,
    message: "This key was used with another request.",
  },
  invalid_inputs: { status: 422, retryable: false, message: "An agent could not work with these inputs." },
  sample_refused: {
    status: 422,
    retryable: false,
    message: "What was made from a sample is not published: send your own data as `inputs`.",
  },
  order_not_met: {
    status: 422,
    retryable: false,
    message: "What would take effect is not what was asked for.",
  },
  order_not_checked: {
    status: 503,
    retryable: true,
    message: "What would take effect could not be checked against what was asked for.",
  },
  invalid_manifest: { status: 422, retryable: false, message: "The manifest cannot be used." },
  rate_limited: { status: 429, retryable: true, message: "Too many requests." },
  quota_exceeded: { status: 429, retryable: true, message: "The caller has as much as it may have." },
  cancelled: { status: 499, retryable: false, message: "The run was cancelled." },
  internal: { status: 500, retryable: false, message: "Something failed inside the gateway." },
  interrupted: { status: 500, retryable: true, message: "The run was interrupted." },
  flow_failed: {
    status: 500,
    retryable: false,
    message: "The flow's data are not as its manifest wants them.",
  },
  // Not retryable: the same value takes as much again.
  value_timeout: {
    status: 500,
    retryable: false,
    message: "A large value took more time or memory to look into than it may.",
  },
  upstream_invalid: { status: 502, retryable: false, message: "An agent broke the contract." },
  upstream_failed: { status: 502, retryable: false, message: "An agent could not do its task." },
  upstream_refused: { status: 502, retryable: false, message: "An agent refused the request." },
  model_interrupted: {
    status: 502,
    retryable: true,
    message: "The model's answer broke off.",
  },
  model_output_invalid: {
    status: 502,
    retryable: true,
    message: "The model's answer does not have the form that was asked for.",
  },
  model_refused: { status: 502, retryable: false, message: "The model's provider refused the request." },
  output_limit: { status: 502, retryable: false, message: "The run wrote more than it may." },
  upstream_unavailable: { status: 503, retryable: true, message: "An agent is not available." },
  upstream_overloaded: { status: 503, retryable: true, message: "An agent is overloaded." },
  overloaded: { status: 503, retryable: true, message: "The gateway is at its capacity." },
  store_unavailable: { status: 503, retryable: true, message: "The store is not available." },
  issuer_unavailable: {
    status: 503,
    retryable: true,
    message: "The token cannot be verified: its issuer's keys are not available.",
  },
  outcome_unknown: {
    status: 503,
    retryable: false,
    message:
      "The store did not answer in time. Look up whether the request took effect before you repeat it.",
  },
  draining: { status: 503, retryable: true, message: "The gateway is shutting down." },
  upstream_timeout: { status: 504, retryable: true, message: "An agent did not answer in time." },
  loop_detected: {
    status: 508,
    retryable: false,
    message: "The request came through this gateway before, or through too many gateways.",
  },
  deadline_exceeded: { status: 504, retryable: true, message: "The run took longer than it may." },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

export type GatewayErrorOptions = {
  /** Never log it whole: errors of libraries quote values. */
  cause?: unknown;
  headers?: Record<string, string>;
  extra?: Record<string, unknown>;
  /** Where this one differs from the table. */
  retryable?: boolean | undefined;
};

/** An error that a caller may see. Its message never holds a value from the request. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields that stand beside the four fixed ones of the error body, e.g. the winner of a conflict. */
  readonly extra: Readonly<Record<string, unknown>>;

  readonly retryable: boolean;

  constructor(code: ErrorCode, message?: string, options: GatewayErrorOptions = {}) {
    super(
      message ?? ERRORS[code].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "GatewayError";
    this.code = code;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
    this.retryable = options.retryable ?? ERRORS[code].retryable;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
