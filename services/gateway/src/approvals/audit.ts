import { sealed } from "../audit/index.ts";
import type { AuditEntry, NewAudit } from "../store/index.ts";

/** A new entry of the decision log. */
export function newAudit(entry: Omit<AuditEntry, "at">, at = new Date().toISOString()): NewAudit {
  return sealed({ ...entry, at });
}
