import { gatewayContract } from "@interlock/contracts";
import type { Request, Response } from "express";
import type { Approval } from "../approvals/approval.ts";
import type { Approvals } from "../approvals/approvals.ts";
import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { Runs } from "../runs/runs.ts";
import { idempotencyOf } from "./idempotency.ts";
import { cursorText, idParam, query, readQuery, valid } from "./request.ts";

export type ApprovalRoutesDeps = { approvals: Approvals; runs: Runs };

const LIST_PARAMETERS = {
  state: query.oneOf("pending", "all"),
  limit: query.integer(1, 200),
  cursor: query.cursor,
};

/** GET /api/v1/approvals: those that the caller's roles may decide; `next` is the `cursor` of the next page. */
export function listApprovals({ approvals }: ApprovalRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    const { state = "pending", limit = 50, cursor } = readQuery(req, LIST_PARAMETERS);
    const page = await approvals.list(res.locals.caller, { pending: state === "pending", limit, cursor });
    res.json({
      approvals: page.approvals.map(summaryOf),
      ...(page.next === undefined ? {} : { next: cursorText(page.next) }),
    });
  };
}

/** GET /api/v1/approvals/{id}: the proposal, and beside it what the flow shows: before, violations, robustness. */
export function getApproval({ approvals }: ApprovalRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    readQuery(req, {});
    const approval = await approvals.find(res.locals.caller, idParam(req, "id"));
    res.json({ ...summaryOf(approval), proposal: approval.proposal, shown: approval.shown });
  };
}

/** GET /api/v1/approvals/{id}/audit: the approval's entries of the decision log, oldest first. */
export function getAudit({ approvals }: ApprovalRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    readQuery(req, {});
    const entries = await approvals.audit(res.locals.caller, idParam(req, "id"));
    res.json({ entries: entries.map(({ id, entry, digest, link }) => ({ id, ...entry, digest, link })) });
  };
}

/** POST /api/v1/approvals/{id}/decision */
export function decideApproval({ approvals }: ApprovalRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    readQuery(req, {});
    const body = valid(gatewayContract.decisionRequest, req.body);
    const caller: Caller = res.locals.caller;
    const idempotency = idempotencyOf(req, caller, body);
    const before = idempotency && (await approvals.answered(caller, idempotency));
    res.json(
      before ??
        (await approvals.decide(caller, idParam(req, "id"), {
          decision: body.decision,
          proposalHash: body.proposal_hash,
          ...(body.note === undefined ? {} : { note: body.note }),
          ...(body.edits === undefined ? {} : { edits: body.edits }),
          ...(idempotency ? { idempotency } : {}),
        })),
    );
  };
}

/** POST /api/v1/chat/approve: approves what the run waits for, as it stands now. */
export function approveThread({ approvals, runs }: ApprovalRoutesDeps) {
  return async (req: Request, res: Response): Promise<void> => {
    readQuery(req, {});
    const body = valid(gatewayContract.approveRequest, req.body);
    const caller: Caller = res.locals.caller;
    const idempotency = idempotencyOf(req, caller, body);
    // Looked up first: by now the run may wait for another approval, which this request has not seen.
    const before = idempotency && (await approvals.answered(caller, idempotency));
    if (before) {
      res.json(before);
      return;
    }
    const run = await runs.find(caller, body.thread_id);
    if (run.approvalId === undefined) {
      throw new GatewayError("conflict", "The run does not wait for an approval.", {
        extra: { state: run.state },
      });
    }
    const approval = await approvals.find(caller, run.approvalId);
    res.json(
      await approvals.decide(caller, approval.id, {
        decision: "approve",
        proposalHash: approval.proposalHash,
        ...(body.note === undefined ? {} : { note: body.note }),
        ...(idempotency ? { idempotency } : {}),
      }),
    );
  };
}

function summaryOf(approval: Approval): Record<string, unknown> {
  return {
    id: approval.id,
    run_id: approval.runId,
    session_id: approval.sessionId,
    flow: approval.flow,
    step: approval.step,
    state: approval.state,
    proposal_hash: approval.proposalHash,
    requested_by: approval.requestedBy,
    allowed_roles: approval.roles,
    four_eyes: approval.fourEyes,
    editors: approval.editors,
    created_at: new Date(approval.createdAt).toISOString(),
    expires_at: new Date(approval.expiresAt).toISOString(),
    on_expiry: approval.onExpiry,
    winner: approval.winner ?? null,
  };
}
