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
  decision: "approved" | "rejected" | "expired";
  by: string;
  note?: string | undefined;
  /** Of the proposal that the caller saw; an expiry is about any. */
  proposalHash?: string | undefined;
  idempotency?: IdempotencyKey | undefined;
  /** Whether this replica carries the run on; otherwise the queue finds it a holder. */
  claim: boolean;
};

const ACTIONS = { approved: "approve", rejected: "reject", expired: "expire" } as const;

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
    decision: decision === "approved" ? "approved" : "rejected",
    by,
    at: winner.at,
    proposal_hash: approval.proposalHash,
  };
  const operation: ApprovalOperation = {
    action: ACTIONS[decision],
    // Several replicas may find the same expiry: it is one operation.
    id: decision === "expired" ? `expire-${approval.expiresAt}` : newId(),
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
