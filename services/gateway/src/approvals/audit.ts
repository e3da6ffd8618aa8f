import { canonicalJson, sha256 } from "../canonical-json.ts";
import type { AuditEntry, NewAudit } from "../store/index.ts";

/** A new entry of the decision log. */
export function newAudit(entry: Omit<AuditEntry, "at">, at = new Date().toISOString()): NewAudit {
  const text = canonicalJson({ ...entry, at });
  return { text, digest: sha256(text) };
}
