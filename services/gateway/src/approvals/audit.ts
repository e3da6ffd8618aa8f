import { canonicalJson, sha256 } from "../canonical-json.ts";
import type { AuditEntry, NewAudit } from "../store/index.ts";

/** A new entry of the decision log, dated now. */
export function newAudit(entry: Omit<AuditEntry, "at">): NewAudit {
  const text = canonicalJson({ ...entry, at: new Date().toISOString() });
  return { text, digest: sha256(text) };
}
