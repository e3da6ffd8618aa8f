import type { AgentCard, Grounding, Usage } from "@interlock/contracts";
import type { UpstreamCode } from "./upstream-error.ts";

export { type UpstreamCode, UpstreamError } from "./upstream-error.ts";

export type AgentLimits = {
  /** The whole of a dispatch, retries included. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Upper bound of the first pause; it doubles from there, and each pause is drawn between 0 and its bound. */
  backoffMs: number;
  /** Bytes of one event's data. */
  maxEventBytes: number;
  /** Bytes of a sync answer; when absent what the contract allows: 16 MiB, or `maxEventBytes` where that is more. */
  maxResponseBytes?: number;
};

export type AgentSpec = {
  name: string;
  url: string;
  tasks: readonly string[];
  limits: AgentLimits;
  description?: string;
};

/**
 * An event before the terminal one; the terminal is the result of the dispatch. An event under any other name is
 * `progress`, and so is a `token` whose data is not an object.
 */
export type AgentEvent = {
  /** `data` as the agent wrote it: lets a relay forward the text without writing it again. May hold LF. */
  json: string;
} & (
  | { type: "token"; data: Record<string, unknown> }
  /** `data` is any JSON value. */
  | { type: "started" | "progress"; data: unknown }
);

export type DispatchRequest = {
  agent: string;
  task: string;
  /** `request_id` is the caller's stem (`run:step`): each attempt is sent as `<stem>:<number>`. */
  body: { request_id: string; task_type: string; [field: string]: unknown };
  /** The inputs as JSON text, instead of `body.inputs`: a caller that holds large inputs writes them once. */
  inputsJson?: string;
  signal: AbortSignal;
  /** The same for every attempt, so that a worker takes effect once. */
  idempotencyKey?: string;
  /** Sent once, whatever becomes of it: where a repeat could take effect twice. */
  once?: boolean;
  traceparent?: string;
  /** Time left to the caller; the agent's own limit when absent or longer. */
  timeoutMs?: number;
  /** Number of the first attempt in `request_id`; 1 when absent. A step that is run again goes on counting. */
  firstAttempt?: number;
  /**
   * Called in order for every event before the terminal one. A returned promise is back-pressure: the next call
   * waits for it, and reading from the agent pauses. What it throws ends the dispatch and is thrown as it is.
   */
  onEvent?: (event: AgentEvent) => void | Promise<void>;
};

/** What the agent said, once it is known to be whole. */
export type AgentAnswer = {
  outputs: Record<string, unknown>;
  warnings: string[];
  grounding?: Grounding;
  usage?: Usage;
  provenance?: Record<string, unknown>;
  artifacts?: string[];
};

export type AgentResult = AgentAnswer & { attempts: number; durationMs: number };

export type BreakerState = "closed" | "open" | "half_open";

export type AgentStatus = {
  name: string;
  tasks: readonly string[];
  description?: string;
  status: "ready" | "not_ready" | "unknown";
  version?: string;
  card?: { name: string; contract: AgentCard["contract"]; description?: string; task_types: string[] };
  /** When the status was last found out, ISO 8601; absent before the first check. */
  checked_at?: string;
  breaker: BreakerState;
};

export type AttemptReport = {
  agent: string;
  task: string;
  outcome: "ok" | UpstreamCode;
  reason?: string;
  durationMs: number;
};

/** What metrics want to know. Called from the data path: it must be quick and must not throw. */
export type AgentObserver = {
  onAttempt?: (report: AttemptReport) => void;
  onBreaker?: (agent: string, state: BreakerState) => void;
  onHealth?: (agent: string, status: AgentStatus["status"]) => void;
};
