import { canonicalJson, sha256 } from "../canonical-json.ts";

/** What a decision is bound to: the run, the step, and exactly the proposal that the approver saw. */
export function proposalHash(runId: string, step: string, proposal: unknown): string {
  return sha256(canonicalJson({ run: runId, step, proposal }));
}
