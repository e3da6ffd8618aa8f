import { canonicalJson, sha256 } from "./proposal.ts";

/** One entry of the decision log. It names who did what to which proposal, never the proposal itself. */
export type AuditEntry = {
  approval: string;
  action: "requested" | "approved" | "rejected" | "expired" | "cancelled" | "edited" | "escalated" | "warned";
  by: string;
  at: string;
  proposal_hash: string;
  note?: string;
};

/** An entry as the log holds it: `digest` is the SHA-256 of its text, `link` binds it to all before it. */
export type AuditRecord = { id: string; entry: AuditEntry; digest: string; link: string };

export function auditRecord(entry: Omit<AuditEntry, "at">): { entry: string; digest: string } {
  const text = canonicalJson({ ...entry, at: new Date().toISOString() });
  return { entry: text, digest: sha256(text) };
}
