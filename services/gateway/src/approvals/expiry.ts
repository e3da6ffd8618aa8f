import { eventAround, type RunEventBody } from "../events/index.ts";
import type { Approval, ApprovalOperation } from "../store/index.ts";
import { newAudit } from "./audit.ts";

/** The decider in the record of an approval that expired. */
export const SYSTEM = "system";

/** When to check an approval: `expires` (ms since 1970) is the expiry to which the delays belong. */
export type Expiry = { expires: number; warnInMs: number; expireInMs: number };

/** Delay timers slightly: one that fires early would find nothing due. */
const LATE_MS = 20;

/** Interval between two checks of another gateway's decision; it grows with the age of the approval. */
const SOONEST_LOOK_MS = 1_000;
const LATEST_LOOK_MS = 30_000;

/** When to check again whether another gateway has decided. @param now milliseconds by the store's clock */
export function lookInMs({ createdAt }: Approval, now: number): number {
  return Math.min(LATEST_LOOK_MS, Math.max(SOONEST_LOOK_MS, (now - createdAt) / 10));
}

/** @param now milliseconds by the store's clock */
export function expiryOf(approval: Approval, now: number): Expiry {
  if (approval.remote)
    return { expires: approval.expiresAt, warnInMs: 0, expireInMs: lookInMs(approval, now) };
  const leftMs = approval.expiresAt - now;
  return {
    expires: approval.expiresAt,
    warnInMs: leftMs - approval.warnBeforeMs,
    expireInMs: Math.max(0, leftMs) + LATE_MS,
  };
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
