import type {
  BookPage as GatewayBookPage,
  ListedAgent,
  ModelList,
  RunView,
  SessionList,
  SessionView,
  ToolList,
} from "#contract";

/** Answers of the gateway, with the field names of the wire. Fields that a newer gateway adds are kept. */

export type Run = RunView & {
  readonly attempts?: number;
  /** The approval that a paused run waits for. */
  readonly approval_id?: string;
};
export type RunState = Run["state"];
export type RunLinks = { readonly self: string; readonly events: string; readonly cancel?: string };
export type StartedRun = { readonly run_id: string; readonly session_id: string; readonly links: RunLinks };
export type CancelledRun = { readonly run_id: string; readonly state: "cancelled" };

/** If `next` is set, pass it as `before` to get the next page. */
export type RunPage = { readonly runs: readonly Run[]; readonly next?: string };
export type SessionPage = SessionList;
export type Session = SessionView;
/** If `next` is set, pass it as `before` to get the next page. */
export type BookPage = GatewayBookPage;
export type BookEntry = BookPage["entries"][number];
export type ApprovalPage = {
  readonly approvals: readonly Approval[];
  readonly next?: string;
  /** Whether any of the caller's roles may decide approvals at all. */
  readonly can_decide?: boolean;
  /** Why the list is empty, where the caller's roles may see no approvals. */
  readonly note?: string;
};

export type Approval = {
  readonly id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly flow: string;
  readonly step: string;
  readonly state: "pending" | "approved" | "rejected" | "withdrawn" | "expired" | "cancelled";
  /** Hash of the proposal; a decision must carry it. */
  readonly proposal_hash: string;
  readonly requested_by: string;
  /** Roles that may decide; if empty, anyone of the tenant may. */
  readonly allowed_roles: readonly string[];
  /** The roles that may decide, also where the approval names none. */
  readonly deciding_roles?: readonly string[];
  /** Whether the caller may approve it as it stands. */
  readonly may_approve?: boolean;
  /** Whether the proposal was made from a sample, since nobody gave inputs. */
  readonly sample?: boolean;
  readonly four_eyes: boolean;
  readonly editors: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly on_expiry: "reject" | "escalate";
  readonly winner: Winner | null;
  readonly links?: {
    readonly self: string;
    readonly decision: string;
    readonly audit: string;
    readonly run: string;
  };
};

/** An approval with its proposal, and with the output of the flow's `show` expression. */
export type ApprovalDetail = Approval & { readonly proposal: unknown; readonly shown: unknown };

/** The decision that counted. A later decision fails with a conflict that has it in `details.winner`. */
export type Winner = {
  readonly decision: "approved" | "rejected" | "withdrawn" | "expired" | "cancelled";
  readonly by: string;
  readonly at: string;
  readonly note?: string;
};

export type Decision = {
  decision: "approve" | "reject" | "edit";
  /** Hash of the proposal that the decider has seen. */
  proposalHash: string;
  note?: string;
  /** For an edit: the input of the flow's `edit` expression. */
  edits?: unknown;
};

/** What one decision of several came to: as it would have been answered alone. */
export type DecisionOutcome = {
  readonly approval_id: string;
  readonly status: number;
  /** Where it was decided. */
  readonly decided?: Decided;
  /** Where it was not. */
  readonly refused?: { readonly error: string; readonly code: string; readonly retryable: boolean };
};

export type Decided = {
  readonly approval_id: string;
  readonly run_id: string;
  readonly decision: "approved" | "rejected" | "withdrawn" | "edited";
  readonly by: string;
  readonly at: string;
  /** After an edit: the hash of the new proposal. */
  readonly proposal_hash: string;
};

export type Agent = ListedAgent;
export type Tool = ToolList[number];
export type Models = ModelList;
