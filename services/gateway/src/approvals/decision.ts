import { GatewayError } from "../errors.ts";
import type { IdempotencyKey } from "../store/index.ts";

/** A decision as a caller asks for it. */
export type DecisionRequest = {
  decision: "approve" | "reject" | "edit";
  /** Of the proposal that the caller saw. */
  proposalHash: string;
  note?: string | undefined;
  edits?: unknown;
  idempotency?: IdempotencyKey | undefined;
};

/** The decision is about another version of the proposal than the current one. */
export function staleHash(current: string): GatewayError {
  return new GatewayError("conflict", "The proposal is not the one that the decision is about.", {
    extra: { proposal_hash: current },
  });
}
