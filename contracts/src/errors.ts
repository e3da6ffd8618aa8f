export type AgentErrorKind = {
  /** The HTTP status of a refusal. A run that was started answers 200, whatever its code. */
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Whether the caller is at fault and has to change its request. A relay passes such a failure on to its own caller. */
  readonly caller: boolean;
  readonly message: string;
};

/** The codes that all agents share. An agent may add codes of its own, in the same spelling. */
export const AGENT_ERRORS = {
  INVALID_REQUEST: { status: 400, retryable: false, caller: true, message: "The request is not valid." },
  INVALID_INPUTS: {
    status: 400,
    retryable: false,
    caller: true,
    message: "The inputs are not valid for this task.",
  },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    caller: false,
    message: "The request does not prove on whose behalf it is sent.",
  },
  NOT_FOUND: { status: 404, retryable: false, caller: false, message: "There is nothing at this address." },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    caller: false,
    message: "This address does not take that method.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    caller: true,
    message: "The request body is too large.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    caller: false,
    message: "The body must be application/json.",
  },
  UNSUPPORTED_TASK: {
    status: 422,
    retryable: false,
    caller: false,
    message: "This agent does not have that task.",
  },
  IDEMPOTENCY_CONFLICT: {
    status: 422,
    retryable: false,
    caller: false,
    message: "The Idempotency-Key was used with another request.",
  },
  OVERLOADED: {
    status: 429,
    retryable: true,
    caller: false,
    message: "The agent is at its limit of concurrent runs.",
  },
  UNAVAILABLE: { status: 503, retryable: true, caller: false, message: "The agent takes no new work now." },
  DEADLINE_EXCEEDED: {
    status: 200,
    retryable: true,
    caller: false,
    message: "The run did not end within its time.",
  },
  CANCELLED: { status: 200, retryable: true, caller: false, message: "The run was cancelled." },
  INVALID_OUTPUTS: {
    status: 200,
    retryable: false,
    caller: false,
    message: "The task made outputs that break its schema.",
  },
  OUTPUT_TOO_LARGE: {
    status: 200,
    retryable: false,
    caller: false,
    message: "The answer is larger than the agent's limit.",
  },
  INTERNAL: { status: 200, retryable: true, caller: false, message: "The run failed." },
} as const satisfies Readonly<Record<string, AgentErrorKind>>;

export type AgentErrorCode = keyof typeof AGENT_ERRORS;

const KINDS: ReadonlyMap<string, AgentErrorKind> = new Map(Object.entries(AGENT_ERRORS));

/** A code that is not in the table (`UNBOUNDED`) says what is wrong with the inputs: for its own faults an agent uses INTERNAL. */
const DOMAIN_ERROR: AgentErrorKind = {
  status: 422,
  retryable: false,
  caller: true,
  message: "The task cannot be done with these inputs.",
};

export function agentErrorKind(code: string): AgentErrorKind {
  return KINDS.get(code) ?? DOMAIN_ERROR;
}
