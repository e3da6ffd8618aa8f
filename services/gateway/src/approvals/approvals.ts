import type { DecisionAnswer } from "@interlock/contracts";
import { type Caller, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access } from "../identity/index.ts";
import { ID_PATTERN } from "../ids.ts";
import {
  type Approval,
  type ApprovalHead,
  type ApprovalOperation,
  type ApprovalStore,
  type AuditRecord,
  type IdempotencyKey,
  keysOf,
  type OperationOutcome,
  type PageCursor,
} from "../store/index.ts";
import {
  isOwnWork,
  knowsOf,
  mayDecide,
  mayView,
  mayWithdraw,
  refuseStale,
  undecidable,
} from "./authorize.ts";
import { type DecisionRequest, staleHash } from "./decision.ts";
import { type Editing, editedProposal, editOperation } from "./edit.ts";
import { editedCall, type ProposedCall } from "./edit-call.ts";
import { escalateOperation, warnOperation } from "./expiry.ts";
import { type Settlement, settleOperation } from "./settle.ts";

/** The note for callers whose roles can see no approval at all. */
export const NO_ROLE = "None of your roles may see or decide approvals.";

/** The outcome of an operation, and what its caller is told if it took effect. */
export type Operated = { outcome: OperationOutcome; answer: DecisionAnswer };

/**
 * The approvals of the mesh. Every change is one operation of the store, so that of concurrent decisions one wins. Nothing here resumes
 * a run: the use case that decides does (runs/decide.ts).
 */
export class Approvals {
  readonly #store: ApprovalStore;
  readonly #access: Access;

  constructor(store: ApprovalStore, access: Access) {
    this.#store = store;
    this.#access = access;
  }

  /**
   * @throws GatewayError not_found: an approval that the caller may not see looks like one that does not exist; forbidden, where the caller
   *   may read its run, and so knows of it, but not the approval
   */
  async find(caller: Caller, id: string): Promise<Approval> {
    const keys = keysOf(caller.tenant);
    const address = ID_PATTERN.test(id) ? await this.#store.address(keys, id) : undefined;
    if (!address) throw this.unknown(caller);
    if (!mayView(address, caller, this.#access)) {
      if (knowsOf(address, caller, this.#access)) throw undecidable(address, this.#access);
      throw this.unknown(caller);
    }
    const approval = await this.#store.find(keys, id);
    if (!approval) throw this.unknown(caller);
    return approval;
  }

  /**
   * An approval whose request this caller may take back.
   * @throws GatewayError not_found, as {@link find} does; forbidden, where the caller may read it or its run, but not cancel the run
   */
  async findRequest(caller: Caller, id: string): Promise<Approval> {
    const keys = keysOf(caller.tenant);
    const address = ID_PATTERN.test(id) ? await this.#store.address(keys, id) : undefined;
    if (!address) throw this.unknown(caller);
    if (!mayWithdraw(address, caller, this.#access)) {
      if (!knowsOf(address, caller, this.#access) && !mayView(address, caller, this.#access))
        throw this.unknown(caller);
      throw new GatewayError(
        "forbidden",
        "Only those who may cancel its run can withdraw an approval request.",
      );
    }
    const approval = await this.#store.find(keys, id);
    if (!approval) throw this.unknown(caller);
    return approval;
  }

  /** What the caller has asked for in a conversation, in the order of the requests. `views`: the caller may read the approval as well. */
  async ofSession(caller: Caller, sessionId: string): Promise<(ApprovalHead & { views: boolean })[]> {
    const heads = await this.#store.ofSession(keysOf(caller.tenant), sessionId);
    const own = heads.filter(({ owner }) => owner === principalOf(caller));
    return own.map((head) => ({ ...head, views: mayView(head, caller, this.#access) }));
  }

  /** Whether the caller may read the approval, and so who decided it. */
  mayView(caller: Caller, approval: Approval): boolean {
    return mayView(approval, caller, this.#access);
  }

  /** The error for approvals that the caller may not know of, the same whether or not they exist. */
  unknown({ roles }: Caller): GatewayError {
    if (this.#access.seesApprovals({ roles })) return new GatewayError("not_found");
    return new GatewayError("not_found", `There is nothing here that you may see. ${NO_ROLE}`, {
      extra: { your_roles: [...roles] },
    });
  }

  /** Whether there can be an approval that the caller may see, or decide. */
  reach(caller: Caller): { sees: boolean; decides: boolean } {
    return { sees: this.#access.seesApprovals(caller), decides: this.#access.decidesApprovals(caller) };
  }

  /** Whether the caller may approve it as it stands; rejecting and editing may be allowed nevertheless. */
  mayApprove(caller: Caller, approval: Approval): boolean {
    if (approval.state !== "pending" || !mayDecide(approval, caller, this.#access)) return false;
    return approval.remote !== undefined || !approval.fourEyes || !isOwnWork(approval, caller);
  }

  /** The roles that may decide it. */
  deciders({ flow, step, roles }: Pick<Approval, "flow" | "step" | "roles">): string[] {
    return roles.length > 0 ? [...roles] : this.#access.deciders(flow, step);
  }

  /** Those that the caller may see, a page at a time. */
  async list(
    caller: Caller,
    page: { pending: boolean; limit: number; cursor: PageCursor | undefined },
  ): Promise<{ approvals: Approval[]; next?: PageCursor }> {
    // Cursors name approvals, including ones that the caller may not see. A caller who sees none gets no cursor, so as not to learn that some exist.
    if (!this.#access.seesApprovals(caller)) return { approvals: [] };
    const { approvals, ...next } = await this.#store.list(keysOf(caller.tenant), page);
    return { approvals: approvals.filter((approval) => mayView(approval, caller, this.#access)), ...next };
  }

  /**
   * Approvals that the caller may know of, without their proposals: pending ones by expiry, then the latest. `views`: the caller may read
   * the approval itself, not only its run.
   */
  async heads(caller: Caller, limit: number): Promise<(ApprovalHead & { views: boolean })[]> {
    const heads = await this.#store.heads(keysOf(caller.tenant), limit);
    return heads.flatMap((head) => {
      const views = mayView(head, caller, this.#access);
      return views || knowsOf(head, caller, this.#access) ? [{ ...head, views }] : [];
    });
  }

  async audit(caller: Caller, id: string): Promise<AuditRecord[]> {
    const approval = await this.find(caller, id);
    return await this.#store.audit(keysOf(caller.tenant), approval.id);
  }

  /** What a decision with this key was answered, or undefined. @throws GatewayError idempotency_mismatch */
  async answered(caller: Caller, key: IdempotencyKey): Promise<DecisionAnswer | undefined> {
    const answer = await this.#store.answered(keysOf(caller.tenant), key);
    return answer === undefined ? undefined : (JSON.parse(answer) as DecisionAnswer);
  }

  /**
   * Refuses what this caller may not decide, or decides about a proposal that is not the current one.
   * @throws GatewayError not_found, forbidden, unauthorized, conflict (with the current hash)
   */
  authorize(caller: Caller, approval: Approval, request: DecisionRequest): void {
    if (!mayView(approval, caller, this.#access)) throw new GatewayError("not_found");
    if (!mayDecide(approval, caller, this.#access)) throw undecidable(approval, this.#access);
    // Everything else is checked by the gateway that asks for the approval.
    if (approval.remote) return;
    if (request.decision === "approve" && approval.fourEyes && isOwnWork(approval, caller)) {
      throw new GatewayError("forbidden", "Whoever asked for this, or changed it, cannot approve it.");
    }
    refuseStale(approval, caller, Date.now());
    // The operation records the proposal that was read, so it must be the one that the caller saw: a hash that matches a later
    // version is not enough.
    if (approval.state === "pending" && request.proposalHash !== approval.proposalHash)
      throw staleHash(approval.proposalHash);
  }

  /** Applies what another gateway has written of an approval that it asks for. */
  async tell(tenant: string, approval: Approval, operation: ApprovalOperation): Promise<OperationOutcome> {
    return await this.#store.apply(keysOf(tenant), approval, operation);
  }

  /** Approves, rejects, withdraws or expires. */
  async settle(tenant: string, approval: Approval, settlement: Settlement): Promise<Operated> {
    const { operation, answer } = await settleOperation(approval, settlement);
    return { outcome: await this.#store.apply(keysOf(tenant), approval, operation), answer };
  }

  /**
   * Changes the proposal; the approval stays pending, with another hash, and has to be decided as it is then.
   * @param editing of the approval's run
   * @throws GatewayError invalid_request, upstream_*
   */
  async edit(
    caller: Caller,
    approval: Approval,
    request: DecisionRequest,
    editing: Editing,
  ): Promise<Operated> {
    const proposal = await editedProposal(caller, approval, request.edits, editing);
    const { operation, answer } = await editOperation(caller, approval, request, proposal);
    return { outcome: await this.#store.apply(keysOf(caller.tenant), approval, operation), answer };
  }

  /**
   * Likewise for the arguments of a call that waits.
   * @param judge says what is wrong with them, in the words of the tool's schema
   * @throws GatewayError invalid_request
   */
  async editCall(
    caller: Caller,
    approval: Approval,
    request: DecisionRequest,
    judge: (call: ProposedCall) => Promise<string | undefined>,
  ): Promise<Operated> {
    const proposal = await editedCall(approval, request.edits, judge);
    const { operation, answer } = await editOperation(caller, approval, request, proposal);
    return { outcome: await this.#store.apply(keysOf(caller.tenant), approval, operation), answer };
  }

  /** The approval, if it is pending, and the time by the store's clock (ms). */
  async pending(tenant: string, id: string): Promise<{ approval: Approval; now: number } | undefined> {
    const approval = await this.#store.find(keysOf(tenant), id);
    return approval?.state === "pending" ? { approval, now: await this.#store.now() } : undefined;
  }

  /** Tells the run's readers that the approval is about to expire. */
  async warn(tenant: string, approval: Approval): Promise<void> {
    await this.#store.apply(keysOf(tenant), approval, warnOperation(approval));
  }

  /** Asks the people of `escalate_to`, with a new expiry. */
  async escalate(tenant: string, approval: Approval): Promise<void> {
    await this.#store.apply(keysOf(tenant), approval, escalateOperation(approval));
  }

  /** The winner of an approval as it stands now. */
  async winner(tenant: string, id: string): Promise<Approval["winner"]> {
    return (await this.#store.find(keysOf(tenant), id))?.winner;
  }
}
