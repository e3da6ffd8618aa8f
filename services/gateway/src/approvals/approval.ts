import type { Caller } from "../identity/caller.ts";
import type { ApprovalRule } from "../mesh.ts";
import type { NewApproval } from "../store/event-log.ts";
import { auditRecord } from "./audit.ts";
import { canonicalJson, proposalHash } from "./proposal.ts";

export type ApprovalState = "pending" | "approved" | "rejected" | "expired" | "cancelled";

/** Who decided what; what a caller that came too late is told. */
export type Winner = {
  decision: "approved" | "rejected" | "expired" | "cancelled";
  by: string;
  at: string;
  note?: string;
};

export type Approval = {
  id: string;
  runId: string;
  sessionId: string;
  flow: string;
  step: string;
  state: ApprovalState;
  requestedBy: string;
  roles: readonly string[];
  fourEyes: boolean;
  /** Who changed the proposal since it was made. */
  editors: readonly string[];
  proposal: unknown;
  proposalHash: string;
  /** What the flow shows beside the proposal. */
  shown: unknown;
  createdAt: number;
  expiresAt: number;
  warnBeforeMs: number;
  expiresInMs: number;
  onExpiry: "reject" | "escalate";
  escalateTo: readonly string[];
  winner?: Winner;
};

/** An approval as its pause writes it. */
export function newApproval(options: {
  id: string;
  runId: string;
  sessionId: string;
  flow: string;
  step: string;
  requestedBy: string;
  rule: ApprovalRule;
  proposal: unknown;
  shown: unknown;
}): NewApproval & { hash: string } {
  const { id, runId, sessionId, flow, step, requestedBy, rule, proposal, shown } = options;
  const hash = proposalHash(runId, step, proposal);
  const expiresInMs = rule.expiresInS * 1000;
  const fields = {
    id,
    run: runId,
    session: sessionId,
    flow,
    step,
    requested_by: requestedBy,
    roles: JSON.stringify(rule.roles),
    four_eyes: rule.fourEyes ? 1 : 0,
    editors: "[]",
    proposal: canonicalJson(proposal),
    hash,
    shown: JSON.stringify(shown ?? null),
    warn_before: rule.warnBeforeS * 1000,
    expires_in: expiresInMs,
    on_expiry: rule.onExpiry,
    escalate_to: JSON.stringify(rule.escalateTo),
  };
  const { entry, digest } = auditRecord({
    approval: id,
    action: "requested",
    by: requestedBy,
    proposal_hash: hash,
  });
  return { id, fields, expiresInMs, auditEntry: entry, auditDigest: digest, hash };
}

/** @param fields the approval as the store holds it; undefined where there is none */
export function readApproval(fields: Readonly<Record<string, string>>): Approval | undefined {
  const { id, run, step, state, hash } = fields;
  if (id === undefined || run === undefined || step === undefined || hash === undefined) return undefined;
  const approval: Approval = {
    id,
    runId: run,
    sessionId: fields.session ?? "",
    flow: fields.flow ?? "",
    step,
    state: state as ApprovalState,
    requestedBy: fields.requested_by ?? "",
    roles: JSON.parse(fields.roles ?? "[]") as string[],
    fourEyes: fields.four_eyes !== "0",
    editors: JSON.parse(fields.editors ?? "[]") as string[],
    proposal: JSON.parse(fields.proposal ?? "null") as unknown,
    proposalHash: hash,
    shown: JSON.parse(fields.shown ?? "null") as unknown,
    createdAt: Number(fields.created),
    expiresAt: Number(fields.expires),
    warnBeforeMs: Number(fields.warn_before),
    expiresInMs: Number(fields.expires_in),
    onExpiry: fields.on_expiry === "escalate" ? "escalate" : "reject",
    escalateTo: JSON.parse(fields.escalate_to ?? "[]") as string[],
  };
  if (fields.winner) approval.winner = JSON.parse(fields.winner) as Winner;
  return approval;
}

/** Whether the caller may see and decide it at all. */
export function mayDecide(approval: Approval, caller: Caller): boolean {
  return approval.roles.length === 0 || approval.roles.some((role) => caller.roles.includes(role));
}

/** Four eyes: nobody approves what they asked for or changed themselves. */
export function isOwnWork(approval: Approval, caller: Caller): boolean {
  return approval.requestedBy === caller.subject || approval.editors.includes(caller.subject);
}

/** What stands in the store when an approval is over: who won, and the audit entry of it. */
export function winnerAudit(
  approvalId: string,
  decision: Winner["decision"],
  by: string,
  details: { proposalHash?: string; note?: string } = {},
): { winner: string; auditEntry: string; auditDigest: string } {
  const note = details.note === undefined ? {} : { note: details.note };
  const winner: Winner = { decision, by, at: new Date().toISOString(), ...note };
  const { entry, digest } = auditRecord({
    approval: approvalId,
    action: decision,
    by,
    proposal_hash: details.proposalHash ?? "",
    ...note,
  });
  return { winner: JSON.stringify(winner), auditEntry: entry, auditDigest: digest };
}
