import { createHash } from "node:crypto";
import type { LogEvent } from "@interlock/contracts";
import type { StoredEvent } from "../events/index.ts";
import {
  type Approval,
  type ApprovalOperation,
  decisionField,
  type NewApproval,
  newApprovalFields,
  writeDecision,
} from "../store/index.ts";
import { newWinner } from "./approval.ts";
import { newAudit } from "./audit.ts";
import { ACTIONS } from "./settle.ts";

/**
 * The id here of an approval that another gateway asks for. It follows from both ids, so that every replica names it alike, and what another
 * gateway says cannot name an approval of this one.
 */
export function mirroredApprovalId(runId: string, remoteId: string): string {
  return createHash("sha256").update(`${runId} ${remoteId}`).digest("hex").slice(0, 32);
}

/** The record here of an approval that another gateway asks for: it says who may see it here, and where it is decided. */
export function mirroredApproval(options: {
  id: string;
  run: { id: string; sessionId: string };
  service: string;
  step: string;
  requestedBy: string;
  /** The principal whose run it is here. */
  owner: string;
  /** What the other gateway says of it; an older one says nothing. */
  sample: boolean | undefined;
  asked: Extract<LogEvent, { type: "run_paused" }>["data"]["approval"];
  remoteRun: string;
}): NewApproval {
  const { id, run, service, step, requestedBy, owner, sample, asked, remoteRun } = options;
  const expiresInMs = Math.round(asked.expires_in_s * 1_000);
  const fields = newApprovalFields({
    id,
    runId: run.id,
    sessionId: run.sessionId,
    flow: service,
    step,
    requestedBy,
    owner,
    ...(sample === undefined ? {} : { sample }),
    roles: asked.roles,
    // Only the other gateway knows whether four eyes are required.
    fourEyes: true,
    proposal: "null",
    proposalHash: asked.proposal_hash,
    shown: null,
    warnBeforeMs: 0,
    expiresInMs,
    onExpiry: "reject",
    escalateTo: [],
    remote: { service, run: remoteRun, approval: asked.id },
  });
  const audit = newAudit({
    approval: id,
    action: "requested",
    by: requestedBy,
    proposal_hash: asked.proposal_hash,
  });
  return { id, fields, expiresInMs, audit };
}

/** What an event of the other gateway's log changes of the record here; undefined where it is about something else. */
export function toldOperation(
  approval: Approval,
  stored: StoredEvent,
  event: LogEvent,
  claim: boolean,
): ApprovalOperation | undefined {
  const common = {
    // Several replicas may read the same event.
    id: `told-${stored.seq}`,
    answer: "{}",
    event: aroundSeq(stored),
    told: true,
  };
  const noted = (action: "edited" | "warned" | "escalated", by: string, hash = approval.proposalHash) => ({
    audit: newAudit({ approval: approval.id, action, by, proposal_hash: hash }, event.at),
  });
  switch (event.type) {
    case "approval_decided": {
      const { decision, by } = event.data;
      const { winner, audit } = newWinner(approval.id, decision, by, { proposalHash: approval.proposalHash });
      const journal = writeDecision({ approval_id: approval.id, decision, by }).join("");
      return {
        ...common,
        action: ACTIONS[decision],
        winner: JSON.stringify({ ...winner, at: event.at }),
        journal: [decisionField(approval.step), journal],
        claim,
        audit,
      };
    }
    case "approval_edited": {
      const { by, proposal_hash: newHash } = event.data;
      const editors = [...new Set([...approval.editors, by])];
      return {
        ...common,
        action: "edit",
        ...noted("edited", by, newHash),
        proposal: "null",
        newHash,
        editors,
      };
    }
    case "approval_expiring":
      return { ...common, action: "warn", ...noted("warned", "system") };
    case "approval_escalated": {
      const { roles } = event.data;
      const { expiresInMs } = approval;
      return { ...common, action: "escalate", ...noted("escalated", "system"), roles, expiresInMs };
    }
    default:
      return undefined;
  }
}

/** An event's text before and after its seq. */
export function aroundSeq({ json, seq }: StoredEvent): [before: string, after: string] {
  const mark = '"seq":';
  const at = json.indexOf(mark) + mark.length;
  return [json.slice(0, at), json.slice(at + String(seq).length)];
}
