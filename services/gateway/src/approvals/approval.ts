import { encoded } from "../json-text.ts";
import type { ApprovalRule } from "../mesh/index.ts";
import { type NewApproval, type NewAudit, newApprovalFields, type Winner } from "../store/index.ts";
import { newAudit } from "./audit.ts";
import { proposalHashInPieces, proposalText } from "./proposal.ts";

/** An approval as the pause that asks for it writes it. */
export async function newApproval(options: {
  id: string;
  run: { id: string; sessionId: string };
  flow: string;
  step: string;
  requestedBy: string;
  /** The principal whose run it is. */
  owner: string;
  /** Whether the proposal was made from a sample. */
  sample: boolean;
  /** Whether the step changes something outside. */
  takesEffect: boolean;
  rule: ApprovalRule;
  proposal: unknown;
  shown: unknown;
}): Promise<NewApproval & { hash: string }> {
  const { id, run, step, rule, requestedBy, owner, sample, takesEffect, proposal, flow, shown } = options;
  const hash = await proposalHashInPieces(run.id, step, proposal);
  const expiresInMs = rule.expiresInS * 1000;
  const fields = newApprovalFields({
    id,
    runId: run.id,
    sessionId: run.sessionId,
    flow,
    step,
    requestedBy,
    owner,
    sample,
    takesEffect,
    roles: rule.roles,
    fourEyes: rule.fourEyes,
    ...(rule.maxAgeS === undefined ? {} : { maxAgeS: rule.maxAgeS }),
    proposal: await encoded(proposalText(proposal)),
    proposalHash: hash,
    shown,
    warnBeforeMs: rule.warnBeforeS * 1000,
    expiresInMs,
    onExpiry: rule.onExpiry,
    escalateTo: rule.escalateTo,
  });
  const audit = newAudit({ approval: id, action: "requested", by: requestedBy, proposal_hash: hash });
  return { id, fields, expiresInMs, audit, hash };
}

/** The winner of an approval that is decided now, and its entry of the decision log. */
export function newWinner(
  approvalId: string,
  decision: Winner["decision"],
  by: string,
  details: { proposalHash?: string; note?: string } = {},
): { winner: Winner; audit: NewAudit } {
  const note = details.note === undefined ? {} : { note: details.note };
  const proposal_hash = details.proposalHash ?? "";
  const at = new Date().toISOString();
  return {
    winner: { decision, by, at, ...note },
    audit: newAudit({ approval: approvalId, action: decision, by, proposal_hash, ...note }, at),
  };
}
