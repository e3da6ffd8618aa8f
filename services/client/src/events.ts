import type { LogEvent, StatusEvent as SentStatus, ChatToolCall as ToolCall } from "#contract";

export type { ToolCall };

/** One event of the chat stream, discriminated by `type`. All other fields are as on the wire. */
export type ChatEvent =
  | ChatStarted
  | ChatToken
  | ChatCall
  | ChatProgress
  | ChatRest
  | ChatOther
  | ChatEnd
  | ResetEvent;

type ChatFields = {
  readonly seq: number;
  readonly node?: string;
  readonly model?: string;
  /** The run's id, on the first and on the last event. */
  readonly thread_id?: string;
};
type Going<T extends string> = ChatFields & { readonly type: T; readonly done: false };

/** The first event of a run. */
export type ChatStarted = Going<"started"> & {
  readonly thread_id: string;
  readonly progress?: Readonly<Record<string, unknown>>;
};
export type ChatToken = Going<"token"> & { readonly token: string };
export type ChatCall = Going<"tool_call"> & { readonly tool_call: ToolCall };
/** What an agent sent as its progress is any JSON value; what the gateway adds of its own is an object with `stage`. */
export type ChatProgress = Going<"progress"> & { readonly progress: unknown };

/**
 * A pause, or a need for review, that the run has left since:
 * only a reader of an older part of the log gets it.
 */
export type ChatRest = Going<"rest"> & {
  readonly status: "paused" | "needs_review";
  readonly message?: string;
  readonly approval?: ApprovalRef;
};

/** An event of a kind that this version of the client does not know. */
export type ChatOther = Going<"other"> & { readonly [field: string]: unknown };

type Ended = ChatFields & {
  readonly type: "end";
  readonly done: true;
  readonly message?: string;
  readonly tools_used?: readonly string[];
  readonly warnings?: readonly string[];
  /** The results were made from a sample, since nobody gave inputs. */
  readonly sample?: true;
} & Outputs;

/** The raw outputs, where the manifest has no template for an answer. */
type Outputs = {
  /** The outputs of the agent, or by step those of a flow's goals. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Steps whose outputs are too large to be repeated: the `tool_call` events of the run have them. */
  readonly large_outputs?: readonly { readonly node: string; readonly bytes: number }[];
};

/** The last event of the stream. */
export type ChatEnd = ChatResult | ChatFailure;

/** The last event of a turn that succeeded, whose proposal was rejected, or that waits for an approval. */
export type ChatResult =
  | (Ended & { readonly status: "ok" | "rejected" })
  | (Ended & { readonly status: "paused"; readonly approval: ApprovalRef });

/** The last event of a turn that failed, was cancelled or needs review. */
export type ChatFailure = Ended & {
  readonly status: "error" | "cancelled" | "needs_review";
  readonly error: string;
  readonly code: string;
  readonly retryable: boolean;
};

/** The approval that a paused run waits for. */
export type ApprovalRef = {
  readonly id: string;
  /** Hash of the proposal that is to be approved. */
  readonly proposal_hash?: string;
  readonly roles?: readonly string[];
  readonly expires_in_s?: number;
};

/**
 * The gateway no longer keeps the earlier part of the log. Discard what was shown of the run: `run` is the
 * run's record, and the events that follow begin after the gap.
 */
export type ResetEvent = { readonly type: "reset"; readonly run: Readonly<Record<string, unknown>> };

type Logged<T extends string, D> = {
  readonly run_id: string;
  readonly seq: number;
  readonly type: T;
  readonly at: string;
  readonly data: D;
};
type LoggedStep<T extends string, D> = Logged<T, D> & { readonly node: string };

export type RunFinished = Logged<
  "run_finished",
  {
    readonly status: "ok" | "rejected";
    readonly message: string;
    readonly tools_used: readonly string[];
    readonly model: string;
    readonly warnings: readonly string[];
  } & Outputs
>;
export type RunFailed = Extract<LogEvent, { type: "run_failed" }>;
export type RunCancelled = Extract<LogEvent, { type: "run_cancelled" }>;

/** The run waits for a decision. Its log continues after the decision. */
export type RunPaused = LoggedStep<
  "run_paused",
  {
    readonly status: "paused";
    readonly message: string;
    readonly approval: ApprovalRef;
    readonly model?: string;
    readonly ui_hint?: { readonly buttons: readonly string[] };
  }
>;

/** The gateway does not resume this run by itself: a person has to review it. */
export type RunParked = Logged<
  "run_parked",
  { readonly status: "needs_review"; readonly message: string; readonly code: string }
>;

export type ApprovalEvent =
  | LoggedStep<
      "approval_decided",
      {
        readonly approval_id: string;
        readonly decision: "approved" | "rejected" | "withdrawn" | "expired";
        readonly by: string;
      }
    >
  | LoggedStep<
      "approval_edited",
      { readonly approval_id: string; readonly by: string; readonly proposal_hash: string }
    >
  | LoggedStep<"approval_expiring", { readonly approval_id: string }>
  | LoggedStep<"approval_escalated", { readonly approval_id: string; readonly roles: readonly string[] }>;

/** Events that a run's stream can end with. `run_paused` and `run_parked` end it only if no event follows. */
export type RunEnd = RunFinished | RunFailed | RunCancelled | RunPaused | RunParked;

/** The last event of a run that succeeded, whose proposal was rejected, or that waits for an approval. */
export type RunResult = RunFinished | RunPaused;

type Described = RunEnd | ApprovalEvent;

/**
 * One event of a run's log. A newer gateway may send other types, so a switch over `type` needs a default.
 */
export type RunEvent = Exclude<LogEvent, { type: Described["type"] }> | Described | ResetEvent;

/** Events that the dialects encode. A reset has no seq and belongs to no dialect. */
export type ChatItem = Exclude<ChatEvent, ResetEvent>;
export type RunItem = Exclude<RunEvent, ResetEvent>;

/**
 * One event of a run's log in the status dialect, discriminated by `type`. A newer gateway may send other types,
 * so a switch over `type` needs a default.
 */
export type StatusEvent = StatusItem | ResetEvent;
export type StatusItem = SentStatus;
/** The last event of a turn that succeeded, whose proposal was rejected, or that waits for an approval. */
export type StatusResult = Extract<SentStatus, { type: "complete" }>;
