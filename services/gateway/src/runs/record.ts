import type { ModelChoice } from "../models/choose.ts";

/** What a run was accepted with; kept in its record, so that any replica can carry the run on. */
export type RunOrder = {
  message: string;
  inputs?: Readonly<Record<string, unknown>>;
  intent: string;
  target:
    | { kind: "flow"; flow: string; goals: readonly string[] }
    | { kind: "service"; service: string }
    | { kind: "general" };
  model: ModelChoice;
  subject: string;
  /** The caller's own name for the conversation. */
  conversationId?: string;
  /** The request that started the run, for the log. */
  requestId?: string;
  /** Only the answer is asked for, no stream. */
  quiet?: boolean;
  /** W3C trace context of the request that started the run. */
  traceparent?: string;
};

export type RunState =
  | "queued"
  | "running"
  | "paused"
  | "resuming"
  | "finished"
  | "failed"
  | "cancelled"
  | "needs_review";

/** One turn's side of a conversation, as the session keeps it. */
export type TurnEntry =
  | { role: "user"; run_id: string; text: string; at: string; conversation_id?: string }
  | {
      role: "assistant";
      run_id: string;
      text: string;
      at: string;
      status: "ok" | "rejected" | "paused" | "error" | "cancelled";
      code?: string;
    };

/** What a person decided about a step; lies in the journal beside the results, under `approval.<step>`. */
export type StepDecision = {
  approval_id: string;
  decision: "approved" | "rejected" | "expired";
  by: string;
  note?: string;
  /** Exactly what was approved: the step takes this and evaluates nothing anew. */
  proposal?: unknown;
};

/** A step's result: what the journal holds and what later steps' expressions see. */
export type StepResult = {
  outputs?: Readonly<Record<string, unknown>>;
  /** A render step's text. */
  text?: string;
  warnings: readonly string[];
  /** What the step's `keep` expression picks from its last inputs and outputs, for later steps. */
  kept?: unknown;
  /** For steps that repair. */
  rounds?: number;
};

/** What a flow's expressions see. `request.inputs` are the caller's or the flow's default ones. */
export type FlowContext = {
  request: { message: string; inputs: Readonly<Record<string, unknown>> };
  steps: Record<string, StepResult>;
  /** Only for a step that was approved: what was approved, and by whom. */
  approval?: StepDecision;
};
