export { Audit, type AuditOutcome } from "./audit.ts";
export { type SecurityNote, sealed } from "./entry.ts";
export { type ErasureRequest, Erasures } from "./erasures.ts";
