import type { Grounding, ListedAgent, TraceContext, Usage } from "@interlock/contracts";
import type { BreakerState } from "../breaker.ts";
import type { ActingCaller, Dispatched } from "../caller.ts";
import type { ErrorCode } from "../errors.ts";
import type { JsonText } from "../json-text.ts";

export type { AgentLimits, AgentSpec } from "../mesh/index.ts";
export { type UpstreamCode, UpstreamError } from "./upstream-error.ts";

/**
 * An event before the terminal one; the terminal is the result of the dispatch. An event under any other name is
 * `progress`, and so is a `token` whose data is not an object.
 */
export type AgentEvent = {
  /** `data` as the agent wrote it, so that a relay need not serialise it again. May contain line feeds. */
  json: string;
} & (
  | { type: "token"; data: Record<string, unknown> }
  /** `data` is any JSON value. */
  | { type: "started" | "progress"; data: unknown }
);

/** Why outputs are invalid. @param place a JSON pointer into them, made of names in a schema */
export type OutputsProblem = { reason: "wrong_outputs" | "state_too_large"; place?: string };

export type DispatchRequest = {
  agent: string;
  task: string;
  /** `request_id` is a prefix (`run:step:fence`): each attempt sends `<prefix>:<number>`. */
  body: { request_id: string; task_type: string; [field: string]: unknown };
  /** The inputs as JSON text, instead of `body.inputs`, so that a caller serialises large inputs only once. */
  inputsJson?: string;
  /** What the user said, for agents that read words. */
  message?: string;
  signal: AbortSignal;
  /** Requests that wait for the same agent take turns by their callers. An agent with `signed` gets the caller in a token. */
  caller: ActingCaller;
  /** The run and step of the request, for the token of an agent with `signed`. */
  runId?: string;
  step?: string;
  /** Waits for its turn until `signal` fires. Otherwise it fails as `rate_limited` after some seconds. */
  patient?: boolean;
  /** The same for every attempt, so that the agent performs the run once. */
  idempotencyKey?: string;
  /** An additional check of the outputs, beside the manifest's schema. */
  check?: (outputs: object) => OutputsProblem | undefined | Promise<OutputsProblem | undefined>;
  /** Called with invalid outputs: whether to ask once more, under another key. Absent: yes. */
  repair?: () => boolean;
  /** Never retry: a repeat could have its effect twice. */
  once?: boolean;
  /** Where the dispatch belongs: each attempt tells the agent. */
  trace?: TraceContext;
  /** The caller's timeout. Without it, or if it is longer, the agent's own limit applies. */
  timeoutMs?: number;
  /** Number of the first attempt in `request_id`, by default 1. A step that is run again continues the count. */
  firstAttempt?: number;
  /**
   * Called in order for every event before the terminal one. A returned promise applies back-pressure: the next call
   * waits for it, and reading from the agent pauses. An error that it throws ends the dispatch, which rejects with it.
   */
  onEvent?: (event: AgentEvent) => void | Promise<void>;
};

/** Makes the token that says on whose behalf a request is sent. */
export type SignDispatch = (dispatched: Dispatched) => string;

/** A complete answer that keeps the contract. */
export type AgentAnswer = {
  /** Large ones are text. */
  outputs: Record<string, unknown> | JsonText;
  warnings: string[];
  grounding?: Grounding;
  usage?: Usage;
  provenance?: Record<string, unknown>;
  artifacts?: string[];
};

export type AgentResult = AgentAnswer & { attempts: number; durationMs: number };

/** This process's load on an agent. */
export type AgentLoad = {
  inFlight: number;
  /** How many requests it may have under way now. */
  limit: number;
  queued: number;
  /** Milliseconds for which the oldest queued request has waited. */
  oldestMs: number;
  /** Geometric mean of the latest latencies; absent before the first answer. */
  latencyMs?: number;
};

/** An agent as callers see it. */
export type AgentStatus = ListedAgent;

export type AttemptReport = {
  agent: string;
  task: string;
  outcome: "ok" | ErrorCode;
  reason?: string;
  durationMs: number;
};

/** What callers may ask of agents, and what they have used. */
export type Allowance = {
  /** @returns milliseconds after which to try the dispatch again; undefined if it may be sent now */
  take(request: DispatchRequest): Promise<number | undefined> | number | undefined;
  /** Called with the usage that an answer reports. */
  used(request: DispatchRequest, usage: Usage): void;
};

/** Callbacks for metrics. They run on the data path, so they must be quick and must not throw. */
export type AgentObserver = {
  onAttempt?: (report: AttemptReport) => void;
  onBreaker?: (agent: string, state: BreakerState) => void;
  onHealth?: (agent: string, status: AgentStatus["status"]) => void;
};
