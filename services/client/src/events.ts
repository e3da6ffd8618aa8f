/** One event of the chat stream, told apart by `type`; the other fields are those of the wire. */
export type ChatEvent =
  | ChatStarted
  | ChatToken
  | ChatToolCall
  | ChatProgress
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

/** The first event of a run. */
export type ChatStarted = ChatFields & {
  readonly type: "started";
  readonly done: false;
  readonly thread_id: string;
  readonly progress?: Readonly<Record<string, unknown>>;
};

export type ChatToken = ChatFields & { readonly type: "token"; readonly done: false; readonly token: string };

export type ToolCall = {
  readonly name: string;
  readonly status: "started" | "ok" | "error";
  readonly agent?: string;
  readonly attempt?: number;
  readonly duration_ms?: number;
  readonly warnings?: readonly string[];
  readonly outputs?: unknown;
  readonly code?: string;
  readonly error?: string;
};

export type ChatToolCall = ChatFields & {
  readonly type: "tool_call";
  readonly done: false;
  readonly tool_call: ToolCall;
};

export type ChatProgress = ChatFields & {
  readonly type: "progress";
  readonly done: false;
  readonly progress: Readonly<Record<string, unknown>>;
};

/** An event of a kind that this version does not know. */
export type ChatOther = ChatFields & {
  readonly type: "other";
  readonly done: false;
  readonly [field: string]: unknown;
};

type ChatEndFields = ChatFields & {
  readonly type: "end";
  readonly done: true;
  readonly message?: string;
  readonly tools_used?: readonly string[];
  readonly warnings?: readonly string[];
};

/** The last event. */
export type ChatEnd =
  | (ChatEndFields & { readonly status: "ok" })
  | (ChatEndFields & { readonly status: "paused"; readonly approval: ApprovalRef })
  | (ChatEndFields & {
      readonly status: "error" | "cancelled";
      readonly error: string;
      readonly code: string;
      readonly retryable: boolean;
    });

/** The end of a turn that succeeded, or that waits for an approval. */
export type ChatResult = Extract<ChatEnd, { readonly status: "ok" | "paused" }>;

/** What a paused run waits for. */
export type ApprovalRef = { readonly id: string; readonly [field: string]: unknown };

/**
 * The log before here is no longer held: what was shown of the run so far stands no more, `run` is what is still known. What
 * follows carries on behind the gap.
 */
export type ResetEvent = { readonly type: "reset"; readonly run: Readonly<Record<string, unknown>> };

type RunFields<T extends string, D> = {
  readonly run_id: string;
  readonly seq: number;
  readonly type: T;
  readonly at: string;
  readonly data: D;
};
type StepFields<T extends string, D> = RunFields<T, D> & { readonly node: string };
type StepTask = { readonly agent: string; readonly task_type: string };
type EndData = {
  readonly message: string;
  readonly tools_used: readonly string[];
  readonly model: string;
};

export type PlannedStep = {
  readonly id: string;
  readonly agent?: string;
  readonly task_type?: string;
  readonly needs: readonly string[];
};

export type RunFinished = RunFields<
  "run_finished",
  EndData & { readonly status: "ok"; readonly warnings: readonly string[] }
>;
export type RunFailed = RunFields<
  "run_failed",
  EndData & {
    readonly status: "error";
    readonly code: string;
    readonly error: string;
    readonly retryable: boolean;
    readonly node?: string;
    readonly agent_code?: string;
    readonly reason?: string;
  }
>;
export type RunCancelled = RunFields<"run_cancelled", EndData & { readonly status: "cancelled" }>;
export type RunPaused = RunFields<
  "run_paused",
  { readonly message?: string; readonly approval: ApprovalRef; readonly [field: string]: unknown }
>;

/** What a run's stream can end with. A pause is an end only where nothing follows it. */
export type RunEnd = RunFinished | RunFailed | RunCancelled | RunPaused;

/** The end of a run that succeeded, or that waits for an approval. */
export type RunResult = RunFinished | RunPaused;

/** One entry of a run's log. A newer gateway may send types that are not listed: give a switch a default. */
export type RunEvent =
  | RunFields<
      "run_started",
      { readonly session_id: string; readonly intent: string; readonly flow?: string; readonly model: string }
    >
  | RunFields<
      "plan",
      {
        readonly flow: string;
        readonly goals: readonly string[];
        readonly steps: readonly PlannedStep[];
      }
    >
  | StepFields<"step_started", StepTask & { readonly attempt: number }>
  | StepFields<"progress", Readonly<Record<string, unknown>>>
  | StepFields<"token", { readonly text: string }>
  | StepFields<
      "step_finished",
      StepTask & {
        readonly status: "ok";
        readonly duration_ms: number;
        readonly warnings: readonly string[];
        readonly outputs?: unknown;
      }
    >
  | StepFields<
      "step_failed",
      StepTask & {
        readonly status: "error";
        readonly code: string;
        readonly error: string;
        readonly optional: boolean;
        readonly agent_code?: string;
        readonly reason?: string;
      }
    >
  | StepFields<"step_repair", { readonly round: number; readonly max_rounds: number }>
  | RunEnd
  | ResetEvent;

/** Events as a dialect carries them; a reset stands outside of the dialects. */
export type ChatItem = Exclude<ChatEvent, ResetEvent>;
export type RunItem = Exclude<RunEvent, ResetEvent>;
