export type AgentErrorKind = {
  /** The HTTP status of a refusal; a run that was started answers 200 whatever its code. */
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly message: string;
};

/** The codes that every agent shares. A domain adds its own, in the same spelling. */
export const AGENT_ERRORS = {
  INVALID_REQUEST: { status: 400, retryable: false, message: "The request is not valid." },
  INVALID_INPUTS: { status: 400, retryable: false, message: "The inputs are not valid for this task." },
  NOT_FOUND: { status: 404, retryable: false, message: "There is nothing at this address." },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, message: "This address does not take that method." },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, message: "The request body is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, message: "The body must be application/json." },
  UNSUPPORTED_TASK: { status: 422, retryable: false, message: "This agent does not have that task." },
  IDEMPOTENCY_CONFLICT: {
    status: 422,
    retryable: false,
    message: "The Idempotency-Key was used with another request.",
  },
  OVERLOADED: { status: 429, retryable: true, message: "The agent is at its limit of concurrent runs." },
  UNAVAILABLE: { status: 503, retryable: true, message: "The agent takes no new work now." },
  DEADLINE_EXCEEDED: { status: 200, retryable: true, message: "The run did not end within its time." },
  CANCELLED: { status: 200, retryable: true, message: "The run was cancelled." },
  INVALID_OUTPUTS: { status: 200, retryable: false, message: "The task made outputs that break its schema." },
  OUTPUT_TOO_LARGE: {
    status: 200,
    retryable: false,
    message: "The answer is larger than the agent's limit.",
  },
  INTERNAL: { status: 200, retryable: true, message: "The run failed." },
} as const satisfies Readonly<Record<string, AgentErrorKind>>;

export type AgentErrorCode = keyof typeof AGENT_ERRORS;
