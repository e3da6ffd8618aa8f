import type { RequestListener } from "node:http";
import type {
  AgentCard,
  CardLimits,
  Grounding,
  JsonSchema,
  RunRequest,
  TraceContext,
  Usage,
} from "@interlock/contracts";
import type { IdempotencyStore } from "./idempotency/store.ts";
import type { VerifiedCaller, VerifyCaller } from "./identity/caller.ts";
import type { Log, TaskLog } from "./log.ts";

/** Sent as a `progress` event with these fields. Readers look for `message`, `completed` and `total`. */
export type Progress = {
  readonly type: "progress";
  readonly message?: string;
  readonly completed?: number;
  readonly total?: number;
  readonly [field: string]: unknown;
};

/** Sent as a `token` event: the next piece of generated text. */
export type Token = { readonly type: "token"; readonly text: string };

/** The contract's request, with validated inputs and the default for `mode` filled in. */
export type TaskRequest<Inputs> = Readonly<Omit<RunRequest, "inputs" | "mode">> & {
  readonly inputs: Inputs;
  readonly mode: "DEMO" | "LIVE";
  /** Whether the request had no inputs, so that these are the task's sample. */
  readonly sample: boolean;
};

export type TaskContext = {
  /** Aborts when the deadline passes, the caller disconnects or the agent shuts down. */
  readonly signal: AbortSignal;
  readonly log: TaskLog;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
  /**
   * Where the task belongs in its caller's trace: `traceparent` and `tracestate`, to be sent with every request that the task makes. Empty
   * where the caller has sent none.
   */
  readonly trace: TraceContext;
  /** `trace.traceparent`. */
  readonly traceparent?: string;
  /** The language that the request asks for, as in BCP 47. A `language` among the task's own inputs wins. */
  readonly language?: string;
  /** The caller's Idempotency-Key. Use it where the task itself has effects. */
  readonly idempotencyKey?: string;
  /** On whose behalf the task runs, as the gateway has signed it. Undefined where the agent does not verify it. */
  readonly caller?: VerifiedCaller;
  /** Adds to the answer's `warnings`. */
  warn(text: string): void;
  /** Adds fields to the answer's `provenance`. */
  provenance(fields: Readonly<Record<string, unknown>>): void;
  /** Appends to the answer's `grounding`. */
  cite(grounding: Readonly<Grounding>): void;
  /** Adds to the answer's `usage`; numbers of the same name are summed. */
  use(usage: Readonly<Usage>): void;
  /** Adds a reference to the answer's `artifacts`: a name, or a URI (a data URI for something small). */
  attach(artifact: string): void;
  /** Lets the event loop serve timers and other requests. Throws if the run was cancelled meanwhile. */
  pause(): Promise<void>;
};

/** `inputs` and `outputs` are JSON Schemas (2020-12) of objects. `run` gets only inputs that match. */
export type TaskDefinition = {
  readonly description?: string;
  readonly inputs: JsonSchema;
  readonly outputs: JsonSchema;
  /** The inputs in DEMO mode if the request has none. */
  readonly sample?: () => object;
  /** Example inputs for the card. */
  readonly examples?: readonly object[];
  /** Yields progress and tokens and returns the outputs. Throws TaskError for a failure that it can name. */
  run(request: TaskRequest<never>, context: TaskContext): AsyncGenerator<Progress | Token, object, void>;
};

export type AgentDefinition = {
  readonly card: {
    readonly name: string;
    readonly version: string;
    readonly description?: string;
    readonly limits?: Readonly<CardLimits>;
  };
  readonly tasks: Readonly<Record<string, TaskDefinition>>;
};

export type AgentSettings = {
  readonly log: Log;
  /** Limit of concurrent runs. Further requests are refused with 429. */
  readonly maxConcurrent: number;
  readonly idempotency: IdempotencyStore;
  /** Absent: everybody who can reach the agent may use it. */
  readonly verifyCaller?: VerifyCaller;
  /** A stream that has been silent for this long gets a comment. */
  readonly keepaliveMs: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
};

export type Agent = {
  /** Answers all of the agent's requests. */
  readonly app: RequestListener;
  readonly card: AgentCard;
  /** Replaces settings. Call it before the first request. */
  configure(settings: Partial<AgentSettings>): void;
  readonly log: Log;
  /** Adds metrics of the process to /metrics. Call it for one agent per process. */
  collectProcessMetrics(): void;
  /** Refuses new runs and aborts those that are still in progress after `graceMs`. Resolves once all are answered. */
  drain(graceMs: number): Promise<void>;
  /** Closes the idempotency store. */
  close(): Promise<void>;
};
