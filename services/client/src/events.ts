import type { LogEvent, ChatToolCall as ToolCall } from "@interlock/contracts/types";

export type { ToolCall };

/** One event of the chat stream, told apart by `type`; the other fields are those of the wire. */
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
  /** The run's id; on the first event and the last. */
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

/** A rest that is past: read again, after the run went on. */
export type ChatRest = Going<"rest"> & {
  readonly status: "paused" | "needs_review";
  readonly message?: string;
  readonly approval?: ApprovalRef;
};

/** An event of a kind that this version does not know. */
export type ChatOther = Going<"other"> & { readonly [field: string]: unknown };

type Ended = ChatFields & {
  readonly type: "end";
  readonly done: true;
  readonly message?: string;
  readonly tools_used?: readonly string[];
  readonly warnings?: readonly string[];
};

/** The last event. */
export type ChatEnd = ChatResult | ChatFailure;

/** The end of a turn that did what was asked, whose proposal was rejected, or that waits for an approval. */
export type ChatResult =
  | (Ended & { readonly status: "ok" | "rejected" })
  | (Ended & { readonly status: "paused"; readonly approval: ApprovalRef });

/** The end of a turn that failed, was cancelled, or was left for a person to look at. */
export type ChatFailure = Ended & {
  readonly status: "error" | "cancelled" | "needs_review";
  readonly error: string;
  readonly code: string;
  readonly retryable: boolean;
};

/** What a paused run waits for. */
export type ApprovalRef = {
  readonly id: string;
  /** Of exactly what is to be approved. */
  readonly proposal_hash?: string;
  readonly roles?: readonly string[];
  readonly expires_in_s?: number;
};

/**
 * The log before here is no longer held: what was shown of the run so far stands no more, `run` is what is still known. What
 * follows carries on behind the gap.
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
  }
>;
export type RunFailed = Extract<LogEvent, { type: "run_failed" }>;
export type RunCancelled = Extract<LogEvent, { type: "run_cancelled" }>;

/** The run waits for a decision; its log goes on after that. */
export type RunPaused = LoggedStep<
  "run_paused",
  {
    readonly status: "paused";
    readonly message: string;
    readonly approval: ApprovalRef;
    readonly model?: string;
  }
>;

/** Nobody carries the run on by itself: a person has to look at it. */
export type RunParked = Logged<
  "run_parked",
  { readonly status: "needs_review"; readonly message: string; readonly code: string }
>;

export type ApprovalEvent =
  | LoggedStep<
      "approval_decided",
      {
        readonly approval_id: string;
        readonly decision: "approved" | "rejected" | "expired";
        readonly by: string;
      }
    >
  | LoggedStep<
      "approval_edited",
      { readonly approval_id: string; readonly by: string; readonly proposal_hash: string }
    >
  | LoggedStep<"approval_expiring", { readonly approval_id: string }>
  | LoggedStep<"approval_escalated", { readonly approval_id: string; readonly roles: readonly string[] }>;

/** What a run's stream can end with. Of those a pause and a parking are an end only where nothing follows. */
export type RunEnd = RunFinished | RunFailed | RunCancelled | RunPaused | RunParked;

/** The end of a run that did what was asked, whose proposal was rejected, or that waits for an approval. */
export type RunResult = RunFinished | RunPaused;

type Described = RunEnd | ApprovalEvent;

/** One entry of a run's log. A newer gateway may send types that are not listed: give a switch a default. */
export type RunEvent = Exclude<LogEvent, { type: Described["type"] }> | Described | ResetEvent;

/** Events as a dialect carries them; a reset stands outside of the dialects. */
export type ChatItem = Exclude<ChatEvent, ResetEvent>;
export type RunItem = Exclude<RunEvent, ResetEvent>;
