import type { Usage } from "@interlock/contracts";
import { ERRORS } from "../errors.ts";

export type UpstreamCode =
  /** The answer breaks the contract; `reason` says how. */
  | "upstream_invalid"
  | "upstream_unavailable"
  | "upstream_timeout"
  /** The agent reported that the run failed. */
  | "upstream_failed"
  /** 4xx: the agent refused to start the run. */
  | "upstream_refused"
  /** 429 or 503. */
  | "upstream_overloaded"
  /** Not sent: too many requests wait for the agent. */
  | "rate_limited"
  | "cancelled";

export type UpstreamErrorFields = {
  code: UpstreamCode;
  /** Stable, for programs and logs, such as `no_terminal`. Never a value from the wire. */
  reason: string;
  /** Where the answer breaks the contract: a JSON pointer, made of names in a schema. */
  place?: string | undefined;
  agent: string;
  /** The agent's own code and message, only from an error that has the contract's form. */
  agentCode?: string | undefined;
  message?: string | undefined;
  /** Set only if the caller's inputs are at fault: the 4xx status to answer with, together with `agentCode`. */
  callerStatus?: number | undefined;
  retryable?: boolean | undefined;
  /** Milliseconds for which the agent asks not to be called (Retry-After). */
  retryAfterMs?: number | undefined;
  /** Usage that the failed run reports. */
  usage?: Usage | undefined;
  /** Error code of the operating system or the HTTP client. Never an error object, which may hold bytes of a body. */
  cause?: string | undefined;
};

/** Why a dispatch failed. Safe to log. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly code: UpstreamCode;
  readonly reason: string;
  readonly place: string | undefined;
  readonly retryable: boolean;
  readonly agent: string;
  readonly agentCode: string | undefined;
  readonly callerStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly usage: Usage | undefined;
  /** Number of requests sent. */
  attempts = 0;
  /** This process was stalled during the last attempt, so the failure may not be the agent's. */
  stalled = false;

  constructor(fields: UpstreamErrorFields) {
    const kind = ERRORS[fields.code];
    super(fields.message ?? kind.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.reason = fields.reason;
    this.place = fields.place;
    this.retryable = fields.retryable ?? kind.retryable;
    this.agent = fields.agent;
    this.agentCode = fields.agentCode;
    this.callerStatus = fields.callerStatus;
    this.retryAfterMs = fields.retryAfterMs;
    this.usage = fields.usage;
  }
}
