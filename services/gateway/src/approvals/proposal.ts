import { canonicalJson, sha256, sha256InPieces } from "../canonical-json.ts";
import { JsonText } from "../json-text.ts";

/** What a decision is bound to: the run, the step, and exactly the proposal that the approver saw. */
export function proposalHash(runId: string, step: string, proposal: unknown): string {
  return sha256(boundText(runId, step, proposal));
}

/** Like {@link proposalHash}, for a proposal that may be large. */
export async function proposalHashInPieces(runId: string, step: string, proposal: unknown): Promise<string> {
  return await sha256InPieces(boundText(runId, step, proposal));
}

/** A proposal as canonical JSON. One that is large is such text already: its template gave it in that form, or the store has it. */
export function proposalText(proposal: unknown): string {
  return proposal instanceof JsonText ? proposal.text : canonicalJson(proposal);
}

/** The canonical JSON of the three: the members are sorted. */
function boundText(run: string, step: string, proposal: unknown): string {
  return `{"proposal":${proposalText(proposal)},"run":${JSON.stringify(run)},"step":${JSON.stringify(step)}}`;
}
