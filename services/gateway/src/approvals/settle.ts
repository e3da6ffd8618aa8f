import type { DecisionAnswer } from "@interlock/contracts";
import { eventAround } from "../events/index.ts";
import { newId } from "../ids.ts";
import { encoded } from "../json-text.ts";
import {
  type Approval,
  type ApprovalOperation,
  decisionField,
  type IdempotencyKey,
  type StepDecision,
  writeDecision,
} from "../store/index.ts";
import { newWinner } from "./approval.ts";

export type Settlement = {
  decision: "approved" | "rejected" | "withdrawn" | "expired";
  by: string;
  note?: string | undefined;
  /** Of the proposal that the caller saw; an expiry or a withdrawal is about any. */
  proposalHash?: string | undefined;
  idempotency?: IdempotencyKey | undefined;
  /** Whether this replica resumes the run; otherwise the queue finds it a holder. */
  claim: boolean;
};

/** What the store calls the operation that makes a decision. */
export const ACTIONS = {
  approved: "approve",
  rejected: "reject",
  withdrawn: "withdraw",
  expired: "expire",
} as const;

/** The operation that decides an approval, and what its caller is told. */
export async function settleOperation(
  approval: Approval,
  { decision, by, note, proposalHash, idempotency, claim }: Settlement,
): Promise<{ operation: ApprovalOperation; answer: DecisionAnswer }> {
  const noted = note === undefined ? {} : { note };
  const { winner, audit } = newWinner(approval.id, decision, by, {
    proposalHash: approval.proposalHash,
    ...noted,
  });
  const stepDecision: StepDecision = {
    approval_id: approval.id,
    decision,
    by,
    ...noted,
    proposal: approval.proposal,
  };
  const answer: DecisionAnswer = {
    approval_id: approval.id,
    run_id: approval.runId,
    decision: decision === "expired" ? "rejected" : decision,
    by,
    at: winner.at,
    proposal_hash: approval.proposalHash,
  };
  const operation: ApprovalOperation = {
    action: ACTIONS[decision],
    id: operationId(approval, decision),
    ...(proposalHash === undefined ? {} : { hash: proposalHash }),
    ...(idempotency ? { idempotency } : {}),
    answer: JSON.stringify(answer),
    winner: JSON.stringify(winner),
    event: eventAround(
      approval.runId,
      {
        type: "approval_decided",
        node: approval.step,
        data: { approval_id: approval.id, decision, by },
      },
      winner.at,
    ),
    journal: [decisionField(approval.step), await encoded(...writeDecision(stepDecision))],
    audit,
    claim,
  };
  return { operation, answer };
}

/** Operations that several requests or replicas may repeat: an expiry, and a withdrawal. */
function operationId({ expiresAt }: Approval, decision: Settlement["decision"]): string {
  if (decision === "expired") return `expire-${expiresAt}`;
  return decision === "withdrawn" ? "withdraw" : newId();
}
