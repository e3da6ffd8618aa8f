export type { Approval } from "../store/index.ts";
export { newApproval, newWinner } from "./approval.ts";
export { Approvals, NO_ROLE, type Operated } from "./approvals.ts";
export { type DecisionRequest, staleHash } from "./decision.ts";
export type { Editing } from "./edit.ts";
export { type Expiry, SYSTEM } from "./expiry.ts";
export { aroundSeq, mirroredApproval, mirroredApprovalId, toldOperation } from "./mirrored.ts";
export type { Settlement } from "./settle.ts";
