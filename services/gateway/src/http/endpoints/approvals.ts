import { gatewayContract } from "@interlock/contracts";
import { type Approval, type Approvals, NO_ROLE } from "../../approvals/index.ts";
import type { Caller } from "../../caller.ts";
import { JsonText, writeJson } from "../../json-text.ts";
import type { Decisions } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { idempotencyOf } from "../idempotency.ts";
import { cursorText, query } from "../query.ts";
import { headerOf } from "../request.ts";
import { sendJson, sendJsonText } from "../respond.ts";
import { approvalLinks, approvalSummary } from "../views.ts";
import { DEFAULT_LIMIT, LIMIT } from "./parameters.ts";

export type ApprovalEndpointsDeps = { approvals: Approvals; decisions: Decisions };

const STATE = query.oneOf("pending", "all");

export function approvalEndpoints({ approvals, decisions }: ApprovalEndpointsDeps): Endpoint[] {
  const summary = (caller: Caller, approval: Approval) =>
    approvalSummary(approval, {
      mayApprove: approvals.mayApprove(caller, approval),
      deciders: approvals.deciders(approval),
    });
  return [
    /** Those that the caller may see; `next` is the `cursor` of the next page. */
    endpoint({
      method: "GET",
      path: "/api/v1/approvals",
      query: { state: STATE, limit: LIMIT, cursor: query.cursor },
      async handler({ res, caller, query: { state = "pending", limit = DEFAULT_LIMIT, cursor } }) {
        const page = await approvals.list(caller, { pending: state === "pending", limit, cursor });
        const { sees, decides } = approvals.reach(caller);
        sendJson(res, {
          approvals: page.approvals.map((approval) => summary(caller, approval)),
          can_decide: decides,
          ...(sees ? {} : { note: NO_ROLE, your_roles: caller.roles }),
          ...(page.next ? { next: cursorText(page.next) } : {}),
        });
      },
    }),

    /** The proposal, and beside it what the flow shows: before, violations, robustness. */
    endpoint({
      method: "GET",
      path: "/api/v1/approvals/:id",
      async handler({ req, res, caller, id }) {
        const approval = await approvals.find(caller, id);
        const view = approval.remote
          ? {
              ...(await decisions.viewRemote(caller, approval, headerOf(req, "authorization"))),
              links: approvalLinks(approval),
            }
          : { ...summary(caller, approval), proposal: approval.proposal, shown: approval.shown };
        const isLarge = Object.values(view).some((value) => value instanceof JsonText);
        if (isLarge) await sendJsonText(res, writeJson(view));
        else sendJson(res, view);
      },
    }),

    /** The approval's entries of the decision log, oldest first. */
    endpoint({
      method: "GET",
      path: "/api/v1/approvals/:id/audit",
      async handler({ res, caller, id }) {
        const records = await approvals.audit(caller, id);
        const entries = records.map(({ id: place, entry, digest, link }) => ({
          id: place,
          ...entry,
          digest,
          link,
        }));
        sendJson(res, { entries });
      },
    }),

    endpoint({
      method: "POST",
      path: "/api/v1/approvals/:id/decision",
      body: gatewayContract.decisionRequest,
      async handler(request) {
        const { req, res, caller, id, body } = request;
        const idempotency = idempotencyOf(request);
        const before = idempotency && (await approvals.answered(caller, idempotency));
        if (before) return sendJson(res, before);
        const approval = await approvals.find(caller, id);
        const { decision, proposal_hash: proposalHash, note, edits } = body;
        const asked = { decision, proposalHash, note, edits, idempotency };
        sendJson(res, await decisions.decide(caller, approval, asked, headerOf(req, "authorization")));
      },
    }),

    /** Takes the request back. */
    endpoint({
      method: "POST",
      path: "/api/v1/approvals/:id/withdraw",
      async handler({ req, res, caller, id }) {
        sendJson(res, await decisions.withdraw(caller, id, headerOf(req, "authorization")));
      },
    }),

    /** Approves what the run waits for, as it stands now. */
    endpoint({
      method: "POST",
      path: "/api/v1/chat/approve",
      body: gatewayContract.approveRequest,
      async handler(request) {
        const { req, res, caller, body } = request;
        const idempotency = idempotencyOf(request);
        // Looked up first: by now the run may wait for another approval, which this request is not about.
        const before = idempotency && (await approvals.answered(caller, idempotency));
        if (before) return sendJson(res, before);
        const asked = { note: body.note, idempotency };
        const authorization = headerOf(req, "authorization");
        sendJson(res, await decisions.approveRun(caller, body.thread_id, asked, authorization));
      },
    }),
  ];
}
