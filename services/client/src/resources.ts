import type { AgentCard } from "@interlock/contracts";

/** What the gateway answers, in the names of the wire. Fields that a newer gateway adds are passed on. */

export type RunState =
  | "queued"
  | "running"
  | "paused"
  | "resuming"
  | "finished"
  | "failed"
  | "cancelled"
  | "needs_review";

export type RunLinks = { readonly self: string; readonly events: string; readonly [name: string]: string };

export type Run = {
  readonly run_id: string;
  readonly session_id: string;
  readonly state: RunState;
  readonly kind?: string;
  readonly intent?: string;
  readonly flow?: string;
  readonly goals?: readonly string[];
  readonly model?: string;
  /** The last event of its log. */
  readonly seq: number;
  readonly created_at: string;
  readonly finished_at?: string;
  /** The data of the event that ended it. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly links: RunLinks;
};

export type StartedRun = { readonly run_id: string; readonly links: RunLinks };

/** `next`, given as `before`, brings the page that follows. */
export type Page = { readonly next?: number | string };
export type RunPage = Page & { readonly runs: readonly Run[] };
export type ApprovalPage = Page & { readonly approvals: readonly Approval[] };
export type SessionPage = Page & { readonly sessions: readonly SessionHead[] };

export type Approval = {
  readonly id: string;
  readonly state: string;
  readonly run_id: string;
  /** Of exactly what is to be approved; a decision names it. */
  readonly proposal_hash: string;
  readonly requested_by?: string;
  readonly roles?: readonly string[];
  readonly expires_at?: string;
  readonly [field: string]: unknown;
};

export type Decision = {
  decision: "approve" | "reject" | "edit";
  /** Of the proposal that the decider has seen. */
  proposalHash: string;
  note?: string;
  edits?: unknown;
};

export type Turn = {
  readonly role: "user" | "assistant";
  readonly run_id: string;
  readonly text: string;
  readonly at: string;
  readonly status?: "ok" | "error" | "cancelled";
  readonly code?: string;
};

export type SessionHead = {
  readonly session_id: string;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly active_run?: string;
};

export type Session = SessionHead & { readonly turns: readonly Turn[] };

export type Agent = {
  readonly name: string;
  readonly tasks: readonly string[];
  readonly description?: string;
  readonly status: "ready" | "not_ready" | "unknown";
  readonly version?: string;
  readonly card?: {
    readonly name: string;
    readonly contract: AgentCard["contract"];
    readonly description?: string;
    readonly task_types: readonly string[];
  };
  readonly checked_at?: string;
  readonly breaker: "closed" | "open" | "half_open";
};

export type Tool = { readonly name: string; readonly description: string };

export type Models = {
  readonly default: string;
  readonly models: readonly { readonly id: string; readonly default: boolean }[];
};
