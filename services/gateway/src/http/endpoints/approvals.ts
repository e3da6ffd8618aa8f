import {
  type ApprovalView,
  type BatchOutcome,
  type DecisionAnswer,
  gatewayContract,
} from "@interlock/contracts";
import { type Approval, type Approvals, NO_ROLE } from "../../approvals/index.ts";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { JsonText, writeJson } from "../../json-text.ts";
import type { Mesh } from "../../mesh/index.ts";
import type { Decisions } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { idempotencyOf, idempotencyWithin } from "../idempotency.ts";
import { cursorText, query } from "../query.ts";
import { headerOf } from "../request.ts";
import { apiError, sendJson, sendJsonText, toGatewayError } from "../respond.ts";
import { approvalLinks, approvalSummary } from "../views.ts";
import { DEFAULT_LIMIT, LIMIT } from "./parameters.ts";

export type ApprovalEndpointsDeps = {
  mesh: Pick<Mesh, "flows">;
  approvals: Approvals;
  decisions: Decisions;
  /** Called when a part of a request that is answered all the same is refused for who asks. */
  onRefused: (caller: Caller, resource: string, error: GatewayError) => void;
};

const STATE = query.oneOf("pending", "all");

export function approvalEndpoints({
  mesh,
  approvals,
  decisions,
  onRefused,
}: ApprovalEndpointsDeps): Endpoint[] {
  const summary = (caller: Caller, approval: Approval) =>
    approvalSummary(approval, {
      mayApprove: approvals.mayApprove(caller, approval),
      deciders: approvals.deciders(approval),
    });
  const decide = async (
    caller: Caller,
    id: string,
    asked: Parameters<Decisions["decide"]>[2],
    authorization: string | undefined,
  ): Promise<DecisionAnswer> => {
    const before = asked.idempotency && (await approvals.answered(caller, asked.idempotency));
    return before ?? (await decisions.decide(caller, await approvals.find(caller, id), asked, authorization));
  };
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

    /** Several decisions, each with its own outcome. Before `:id`, which would take its name for one. */
    endpoint({
      method: "POST",
      path: "/api/v1/approvals/decisions",
      body: gatewayContract.batchDecisionRequest,
      async handler(request) {
        const { req, res, caller, body, requestId } = request;
        if (new Set(body.decisions.map((one) => one.approval_id)).size < body.decisions.length)
          throw new GatewayError("invalid_request", "An approval may stand once in `decisions`.");
        const key = idempotencyOf(request);
        const authorization = headerOf(req, "authorization");
        const outcomes: BatchOutcome[] = [];
        for (const one of body.decisions) {
          const { approval_id, note, decision, proposal_hash: proposalHash } = one;
          const idempotency = key && idempotencyWithin(key, approval_id, one);
          try {
            const asked = { decision, proposalHash, note, idempotency };
            const decided = await decide(caller, approval_id, asked, authorization);
            outcomes.push({ approval_id, status: 200, decided });
          } catch (error) {
            const refused = toGatewayError(error);
            if (refused.status === 401 || refused.status === 403)
              onRefused(caller, `approval ${approval_id}`, refused);
            outcomes.push({ approval_id, status: refused.status, refused: apiError(refused, requestId) });
          }
        }
        sendJson(res, { outcomes });
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
          : {
              ...summary(caller, approval),
              ...{ proposal: approval.proposal, shown: approval.shown },
              ...editOf(approval, { mesh, decisions }),
            };
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
        const { decision, proposal_hash: proposalHash, note, edits } = body;
        const asked = { decision, proposalHash, note, edits, idempotency: idempotencyOf(request) };
        sendJson(res, await decide(caller, id, asked, headerOf(req, "authorization")));
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

/** How an approver may change what is proposed, as the manifest has it now. */
function editOf(
  approval: Approval,
  { mesh: { flows }, decisions }: Pick<ApprovalEndpointsDeps, "mesh" | "decisions">,
): Pick<ApprovalView, "edit"> {
  const ofCall = decisions.callEdit(approval);
  if (ofCall) return { edit: ofCall };
  const { flow, step } = approval;
  const rule = flows.get(flow)?.steps.get(step)?.approval?.edit;
  if (!rule) return {};
  const { keys, set, schema } = rule;
  return { edit: { keys: [...keys], set, ...(schema ? { schema } : {}) } };
}
