import type { AgentCard, CardLimits, Grounding, JsonSchema, RunRequest, Usage } from "@interlock/contracts";
import type { Application } from "express";
import type { IdempotencyStore } from "./idempotency/store.ts";
import type { Log, TaskLog } from "./log.ts";

/** Becomes a `progress` event of its fields. `message`, `completed` and `total` are what readers look for. */
export type Progress = {
  readonly type: "progress";
  readonly message?: string;
  readonly completed?: number;
  readonly total?: number;
  readonly [field: string]: unknown;
};

/** Becomes a `token` event: the next piece of generated text. */
export type Token = { readonly type: "token"; readonly text: string };

/** What a task is asked: the request of the contract with its inputs checked and its mode settled. */
export type TaskRequest<Inputs> = Readonly<Omit<RunRequest, "inputs" | "mode">> & {
  readonly inputs: Inputs;
  readonly mode: "DEMO" | "LIVE";
};

export type TaskContext = {
  /** Fires when the deadline has passed, the caller has gone or the agent shuts down. */
  readonly signal: AbortSignal;
  readonly log: TaskLog;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
  /** The caller's W3C trace context, to be sent along with every call that the task makes. */
  readonly traceparent?: string;
  /** The caller's key, for a task that has an effect of its own to guard. */
  readonly idempotencyKey?: string;
  /** Adds to the answer's `warnings`. */
  warn(text: string): void;
  /** Adds fields to the answer's `provenance`. */
  provenance(fields: Readonly<Record<string, unknown>>): void;
  /** Appends to the answer's `grounding`. */
  cite(grounding: Readonly<Grounding>): void;
  /** Adds to the answer's `usage`; numbers of the same name are summed. */
  use(usage: Readonly<Usage>): void;
  /** Adds a name to the answer's `artifacts`. */
  attach(artifact: string): void;
};

/** `inputs` and `outputs` are JSON Schemas (2020-12) of objects; `run` is only called with inputs that fit. */
export type TaskDefinition = {
  readonly description?: string;
  readonly inputs: JsonSchema;
  readonly outputs: JsonSchema;
  /** What the task runs on in DEMO mode when the request brings no inputs. */
  readonly sample?: () => object;
  /** Inputs to show on the card. */
  readonly examples?: readonly object[];
  /** Yields progress and tokens, returns the outputs; throws TaskError for a failure it can name. */
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
  /** Runs at once; the next is refused with 429. */
  readonly maxConcurrent: number;
  readonly idempotency: IdempotencyStore;
  /** A stream that has been silent so long gets a comment. */
  readonly keepaliveMs: number;
  /** A reader that takes nothing for so long is dropped. */
  readonly stallMs: number;
};

export type Agent = {
  readonly app: Application;
  readonly card: AgentCard;
  /** Replaces settings; for before the first request. */
  configure(settings: Partial<AgentSettings>): void;
  readonly log: Log;
  /** Adds memory, event loop and the like to /metrics; they are the process's own, so once a process. */
  collectProcessMetrics(): void;
  /** Takes no new runs, gives those under way so many milliseconds, then aborts them; returns once all are answered. */
  drain(graceMs: number): Promise<void>;
  /** Lets go of what outlives requests: the idempotency store's connection. */
  close(): Promise<void>;
};
