import { gatewayContract } from "@interlock/contracts";
import { type ApiRequest, headerOf, idempotencyOf, valid } from "../http/index.ts";
import type { Decisions } from "../runs/index.ts";

type Caller = ApiRequest["caller"];
export type Approval = Parameters<Decisions["decide"]>[1];
export type Decided = Awaited<ReturnType<Decisions["decide"]>>;

export type DecideDeps = {
  approvals: {
    /** An approval that the caller may read. @throws GatewayError not_found, forbidden */
    find(caller: Caller, id: string): Promise<Approval>;
    /** One whose request the caller may take back. @throws GatewayError not_found, forbidden */
    findRequest(caller: Caller, id: string): Promise<Approval>;
  };
  decisions: Pick<Decisions, "decide" | "withdraw">;
};

/** Whether a peer's answer says what is decided. */
export const isDecision = (answer: unknown): boolean => Object(answer).decision !== undefined;

/**
 * Decides as the API does: with the caller's own rights.
 * @param answer a decision-request
 * @throws GatewayError as {@link Decisions.decide} does
 */
export async function decide(
  request: ApiRequest,
  id: string,
  answer: unknown,
  { approvals, decisions }: DecideDeps,
): Promise<{ approval: Approval; decided: Decided }> {
  const { req, caller } = request;
  const approval = await approvals.find(caller, id);
  const { proposal_hash: proposalHash, ...said } = valid(gatewayContract.decisionRequest, answer);
  const asked = { ...said, proposalHash, idempotency: idempotencyOf(request) };
  const decided = await decisions.decide(caller, approval, asked, headerOf(req, "authorization"));
  return { approval, decided };
}
