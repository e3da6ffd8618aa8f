import { eventAround, type RunEventBody } from "../events/index.ts";
import type { Approval, ApprovalOperation } from "../store/index.ts";
import { newAudit } from "./audit.ts";

/** The decider in the record of an approval that expired. */
export const SYSTEM = "system";

/** Delay timers slightly: one that fires early would find nothing due. */
const LATE_MS = 20;

/** Interval between two checks of another gateway's decision; it grows with the age of the approval. */
const SOONEST_LOOK_MS = 1_000;
const LATEST_LOOK_MS = 30_000;

/** What a pending approval's time asks for. @param now milliseconds by the store's clock */
export function dueOf(approval: Approval, now: number): "warn" | "expire" | undefined {
  if (now >= approval.expiresAt) return "expire";
  return now >= warningAt(approval) ? "warn" : undefined;
}

/** Nobody is warned of an approval that is about to expire from the start. */
function warningAt({ expiresAt, expiresInMs, warnBeforeMs }: Approval): number {
  return warnBeforeMs < expiresInMs ? expiresAt - warnBeforeMs : expiresAt;
}

/** In how many milliseconds to look at a pending approval again. @param now milliseconds by the store's clock */
export function nextLookInMs(approval: Approval, now: number): number {
  const { remote, createdAt, expiresAt } = approval;
  if (remote) return Math.min(LATEST_LOOK_MS, Math.max(SOONEST_LOOK_MS, (now - createdAt) / 10));
  const at = dueOf(approval, now) === undefined ? warningAt(approval) : expiresAt;
  return Math.max(0, at - now) + LATE_MS;
}

export function warnOperation(approval: Approval): ApprovalOperation {
  const data = { approval_id: approval.id };
  return {
    action: "warn",
    ...noteOf(approval, "warn", { type: "approval_expiring", node: approval.step, data }),
  };
}

export function escalateOperation(approval: Approval): ApprovalOperation {
  const data = { approval_id: approval.id, roles: approval.escalateTo };
  return {
    action: "escalate",
    ...noteOf(approval, "escalate", { type: "approval_escalated", node: approval.step, data }),
    roles: approval.escalateTo,
    expiresInMs: approval.expiresInMs,
  };
}

const NOTED = { warn: "warned", escalate: "escalated" } as const;

function noteOf(approval: Approval, action: keyof typeof NOTED, event: RunEventBody) {
  return {
    id: `${action}-${approval.expiresAt}`,
    answer: "{}",
    event: eventAround(approval.runId, event, new Date().toISOString()),
    audit: newAudit({
      approval: approval.id,
      action: NOTED[action],
      by: SYSTEM,
      proposal_hash: approval.proposalHash,
    }),
  };
}
