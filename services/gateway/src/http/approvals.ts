import { gatewayContract } from "@interlock/contracts";
import type { Approval } from "../approvals/approval.ts";
import type { Approvals } from "../approvals/approvals.ts";
import { GatewayError } from "../errors.ts";
import type { Runs } from "../runs/runs.ts";
import type { Handler } from "./context.ts";
import { idempotencyOf } from "./idempotency.ts";
import { sendJson } from "./json.ts";
import { cursorText, idParam, query, readQuery, valid } from "./request.ts";

export type ApprovalRoutesDeps = { approvals: Approvals; runs: Runs };

const LIST_PARAMETERS = {
  state: query.oneOf("pending", "all"),
  limit: query.integer(1, 200),
  cursor: query.cursor,
};

/** GET /api/v1/approvals: those that the caller's roles may decide; `next` is the `cursor` of the next page. */
export function listApprovals({ approvals }: ApprovalRoutesDeps): Handler {
  return async (context) => {
    const { state = "pending", limit = 50, cursor } = readQuery(context, LIST_PARAMETERS);
    const page = await approvals.list(context.caller, { pending: state === "pending", limit, cursor });
    sendJson(context.res, {
      approvals: page.approvals.map(summaryOf),
      ...(page.next === undefined ? {} : { next: cursorText(page.next) }),
    });
  };
}

/** GET /api/v1/approvals/{id}: the proposal, and beside it what the flow shows: before, violations, robustness. */
export function getApproval({ approvals }: ApprovalRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    const approval = await approvals.find(context.caller, idParam(context));
    sendJson(context.res, { ...summaryOf(approval), proposal: approval.proposal, shown: approval.shown });
  };
}

/** GET /api/v1/approvals/{id}/audit: the approval's entries of the decision log, oldest first. */
export function getAudit({ approvals }: ApprovalRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    const entries = await approvals.audit(context.caller, idParam(context));
    sendJson(context.res, {
      entries: entries.map(({ id, entry, digest, link }) => ({ id, ...entry, digest, link })),
    });
  };
}

/** POST /api/v1/approvals/{id}/decision */
export function decideApproval({ approvals }: ApprovalRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    const body = valid(gatewayContract.decisionRequest, context.body);
    const { caller, res } = context;
    const idempotency = idempotencyOf(context, body);
    const before = idempotency && (await approvals.answered(caller, idempotency));
    sendJson(
      res,
      before ??
        (await approvals.decide(caller, await approvals.find(caller, idParam(context)), {
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
export function approveThread({ approvals, runs }: ApprovalRoutesDeps): Handler {
  return async (context) => {
    readQuery(context, {});
    const body = valid(gatewayContract.approveRequest, context.body);
    const { caller, res } = context;
    const idempotency = idempotencyOf(context, body);
    // Looked up first: by now the run may wait for another approval, which this request has not seen.
    const before = idempotency && (await approvals.answered(caller, idempotency));
    if (before) {
      sendJson(res, before);
      return;
    }
    const run = await runs.find(caller, body.thread_id);
    if (run.approvalId === undefined) {
      throw new GatewayError("conflict", "The run does not wait for an approval.", {
        extra: { state: run.state },
      });
    }
    const approval = await approvals.find(caller, run.approvalId);
    sendJson(
      res,
      await approvals.decide(caller, approval, {
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
