import type { JsonSchema, TraceContext } from "@interlock/contracts";
import type { BreakerState } from "../breaker.ts";
import type { Caller } from "../caller.ts";
import type { ModelChoice, UsageAmounts } from "../store/index.ts";
import type { FailureCode } from "./failure.ts";
import type { PromptRef } from "./prompts/index.ts";

export type ModelToolCall = { id: string; name: string; input: unknown };

/** One message for a model. */
export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; toolCalls?: readonly ModelToolCall[] }
  | { role: "tool"; results: readonly { id: string; name: string; output: string }[] };

/** What a model may ask to be called. */
export type ModelTool = { name: string; description?: string; inputSchema: JsonSchema };

/** One question to a model. */
export type ModelCall = {
  /** What it is for: the manifest's `models.tasks` says which model it gets, and how that is asked. */
  task: string;
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[];
  /** The model that the request asks for. */
  hint?: string | undefined;
  caller: Pick<Caller, "tenant" | "issuer" | "subject">;
  /** Absent where the call belongs to no conversation. */
  sessionId?: string | undefined;
  runId?: string | undefined;
  /** Where the call belongs. */
  trace?: TraceContext | undefined;
  /** At most so many tokens, and this temperature; the manifest's own limit stands where it is less. */
  maxTokens?: number;
  temperature?: number;
  /** The template that made the messages. */
  prompt?: PromptRef;
  /** No fallbacks: only the chosen model may answer. */
  disableFallbacks?: boolean | undefined;
  /** Whether a fallback may answer this caller; absent: each may. */
  mayAsk?: (model: string) => boolean;
  /** Called with the model that answers, before the first part of its answer is passed on. */
  onModel?: (model: string) => void;
  signal?: AbortSignal;
};

/** `schema`: the answer is JSON that it describes. */
export type GenerateCall = ModelCall & { schema?: JsonSchema };

export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls" | "other";

/** One request to one model, or the reason why none was sent. */
export type Attempt = {
  model: string;
  outcome: "ok" | FailureCode;
  durationMs: number;
  /** Until the first token; absent where there was none, or the answer was not streamed. */
  firstTokenMs?: number;
  used: UsageAmounts;
};

export type ModelAnswer = {
  text: string;
  /** What `text` says, where the call has a schema. */
  object?: unknown;
  toolCalls: readonly ModelToolCall[];
  finish: FinishReason;
  /** The model that really answered. */
  model: string;
  choice: ModelChoice;
  attempts: readonly Attempt[];
  /** Of all attempts. */
  used: UsageAmounts;
};

/** What a stream tells, in order; `final` comes once, last. */
export type ModelPart =
  | { type: "text"; text: string }
  | { type: "tool_call"; call: ModelToolCall }
  | { type: "final"; answer: ModelAnswer };

/** How a call ended, for log and metrics. Neither the question nor the answer is in it. */
export type CallReport = {
  task: string;
  choice: ModelChoice;
  /** The model that answered. */
  model?: string;
  outcome: "ok" | FailureCode | "interrupted" | "unavailable";
  attempts: readonly Attempt[];
  prompt?: PromptRef;
  sessionId?: string | undefined;
  runId?: string | undefined;
  durationMs: number;
};

/** Observes calls. Its functions must not throw. */
export type ModelObserver = {
  onAttempt?: (call: ModelCall, attempt: Attempt) => void;
  onCall?: (report: CallReport) => void;
  onBreaker?: (model: string, state: BreakerState) => void;
};
