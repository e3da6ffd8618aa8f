import { AGENT_ERRORS, type AgentError, type AgentErrorCode } from "@interlock/contracts";

const CODE = /^[A-Z][A-Z0-9_]*$/;

/**
 * Thrown by a task that can name why it failed. A code that the contract does not list tells callers that the inputs
 * are at fault. Message and details reach the caller, so they must not repeat values of the inputs.
 */
export class TaskError extends Error {
  override readonly name = "TaskError";
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, details?: Readonly<Record<string, unknown>>) {
    if (!CODE.test(code)) throw new TypeError("the code of a TaskError is UPPER_CASE");
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Thrown to answer a request with an error status instead of running it. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: AgentErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: AgentErrorCode, message?: string, details?: Readonly<Record<string, unknown>>) {
    super(message ?? AGENT_ERRORS[code].message);
    this.code = code;
    this.details = details;
  }

  /** The contract answers what happens within a run with 200. Where it keeps a request from being run, it is the agent's failure. */
  get status(): number {
    const { status } = AGENT_ERRORS[this.code];
    return status < 400 ? 500 : status;
  }
}

export function toAgentError(error: TaskError | Refused): AgentError {
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}
