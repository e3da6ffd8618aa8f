import type {
  ListedAgent,
  ModelList,
  RunView,
  SessionList,
  SessionView,
  ToolList,
} from "@interlock/contracts/types";

/** What the gateway answers, in the names of the wire. Fields that a newer gateway adds are passed on. */

export type Run = RunView & {
  readonly attempts?: number;
  /** What a paused run waits for. */
  readonly approval_id?: string;
};
export type RunState = Run["state"];
export type RunLinks = { readonly self: string; readonly events: string; readonly cancel?: string };
export type StartedRun = { readonly run_id: string; readonly session_id: string; readonly links: RunLinks };
export type CancelledRun = { readonly run_id: string; readonly state: "cancelled" };

/** `next`, where there is one, is the `before` of the page that follows. */
export type RunPage = { readonly runs: readonly Run[]; readonly next?: string };
export type SessionPage = SessionList;
export type Session = SessionView;
export type ApprovalPage = { readonly approvals: readonly Approval[]; readonly next?: string };

export type Approval = {
  readonly id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly flow: string;
  readonly step: string;
  readonly state: "pending" | "approved" | "rejected" | "expired" | "cancelled";
  /** Of exactly what is to be approved; a decision names it. */
  readonly proposal_hash: string;
  readonly requested_by: string;
  /** Empty: anyone of the tenant. */
  readonly allowed_roles: readonly string[];
  readonly four_eyes: boolean;
  readonly editors: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly on_expiry: "reject" | "escalate";
  readonly winner: Winner | null;
};

/** The proposal, and what the flow shows beside it. */
export type ApprovalDetail = Approval & { readonly proposal: unknown; readonly shown: unknown };

/** Who decided what. The error of a decision that came too late holds it in `details.winner`. */
export type Winner = {
  readonly decision: "approved" | "rejected" | "expired" | "cancelled";
  readonly by: string;
  readonly at: string;
  readonly note?: string;
};

export type Decision = {
  decision: "approve" | "reject" | "edit";
  /** Of the proposal that the decider has seen. */
  proposalHash: string;
  note?: string;
  /** For an edit: what the flow's edit expression takes. */
  edits?: unknown;
};

export type Decided = {
  readonly approval_id: string;
  readonly run_id: string;
  readonly decision: "approved" | "rejected" | "edited";
  readonly by: string;
  readonly at: string;
  /** After an edit, that of the new proposal. */
  readonly proposal_hash: string;
};

export type Agent = ListedAgent;
export type Tool = ToolList[number];
export type Models = ModelList;
