import { type ApprovalSummary, type RunView, traceIdOf } from "@interlock/contracts";
import type { Approval } from "../approvals/index.ts";
import { decodeEnd } from "../events/index.ts";
import { type RunRecord, serviceOf } from "../runs/index.ts";

/** Characters of a message that lists show. */
const ASKED_LENGTH = 120;

/** A run as its readers see it; the terminal event's data is the result. */
export function runView(record: RunRecord): RunView {
  const { order } = record;
  const service = serviceOf(order);
  const traceId = traceIdOf(order);
  return {
    run_id: record.id,
    session_id: record.sessionId,
    kind: record.kind,
    state: record.state,
    intent: order.intent,
    ...(order.target.kind === "flow" ? { flow: order.target.flow, goals: [...order.target.goals] } : {}),
    ...(service === undefined ? {} : { service }),
    ...(order.message === "" ? {} : { asked: order.message.slice(0, ASKED_LENGTH) }),
    subject: record.owner,
    model: order.model.chosen,
    seq: record.seq,
    attempts: record.attempts,
    created_at: new Date(record.createdAt).toISOString(),
    ...(record.finishedAt === undefined ? {} : { finished_at: new Date(record.finishedAt).toISOString() }),
    ...(record.approvalId === undefined ? {} : { approval_id: record.approvalId }),
    ...(record.terminal === undefined ? {} : { result: { ...decodeEnd(record.terminal).data } }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    links: runLinks(record.id),
  };
}

export function runLinks(runId: string): RunView["links"] {
  const self = `/api/v1/runs/${runId}`;
  return { self, events: `${self}/events`, cancel: `${self}/cancel` };
}

/** What the approval is to the caller who reads it. */
export type ApprovalStanding = { mayApprove: boolean; deciders: readonly string[] };

export function approvalLinks({ id, runId }: Approval): ApprovalSummary["links"] {
  const self = `/api/v1/approvals/${id}`;
  return { self, decision: `${self}/decision`, audit: `${self}/audit`, run: `/api/v1/runs/${runId}` };
}

/** An approval without its proposal. */
export function approvalSummary(
  approval: Approval,
  { mayApprove, deciders }: ApprovalStanding,
): ApprovalSummary {
  return {
    id: approval.id,
    run_id: approval.runId,
    session_id: approval.sessionId,
    flow: approval.flow,
    step: approval.step,
    state: approval.state,
    proposal_hash: approval.proposalHash,
    requested_by: approval.requestedBy,
    allowed_roles: [...approval.roles],
    deciding_roles: [...deciders],
    may_approve: mayApprove,
    ...(approval.sample === undefined ? {} : { sample: approval.sample }),
    four_eyes: approval.fourEyes,
    editors: [...approval.editors],
    created_at: new Date(approval.createdAt).toISOString(),
    expires_at: new Date(approval.expiresAt).toISOString(),
    on_expiry: approval.onExpiry,
    winner: approval.winner ?? null,
    links: approvalLinks(approval),
  };
}
