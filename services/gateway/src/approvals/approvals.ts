import { type AgentClient, UpstreamError } from "../agents/index.ts";
import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { ApprovalRule, Mesh } from "../mesh.ts";
import { eventAround, type RunEventBody } from "../runs/events.ts";
import { executionContext } from "../runs/execute-run.ts";
import { decisionField, readJournal } from "../runs/journal.ts";
import type { StepDecision } from "../runs/record.ts";
import type { Runs } from "../runs/runs.ts";
import type { ApprovalStore, Decide } from "../store/approval-store.ts";
import { type Keys, keysOf } from "../store/keys.ts";
import type { PageCursor } from "../store/page.ts";
import type { IdempotencyKey, RunStore } from "../store/run-store.ts";
import { type Approval, isOwnWork, mayDecide, type Winner, winnerAudit } from "./approval.ts";
import { type AuditRecord, auditRecord } from "./audit.ts";
import { canonicalJson, proposalHash } from "./proposal.ts";

export type ApprovalsDeps = {
  mesh: Mesh;
  store: ApprovalStore;
  runStore: RunStore;
  runs: Runs;
  agents: AgentClient;
  newId: () => string;
  onQueued: (tenant: string) => void;
};

export type DecisionRequest = {
  decision: "approve" | "reject" | "edit";
  proposalHash: string;
  note?: string;
  edits?: unknown;
  idempotency?: IdempotencyKey;
};

/** What a decision answers; also what the same decision, sent again, answers. */
export type DecisionAnswer = {
  approval_id: string;
  run_id: string;
  decision: "approved" | "rejected" | "edited";
  by: string;
  at: string;
  proposal_hash: string;
};

/** The part that the queue's worker calls. */
export type ApprovalTimer = Pick<Approvals, "due" | "times">;

const SYSTEM = "system";

/** The one gate between a proposal and its effect. Whatever is not decided and stored here does not happen. */
export class Approvals {
  readonly #deps: ApprovalsDeps;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError not_found: what the caller may not decide looks like what does not exist */
  async find(caller: Caller, id: string): Promise<Approval> {
    const approval = await this.#deps.store.find(keysOf(caller.tenant), id);
    if (!approval || !mayDecide(approval, caller)) throw new GatewayError("not_found");
    return approval;
  }

  /** Those that the caller may decide, a page at a time. */
  async list(
    caller: Caller,
    options: { pending: boolean; limit: number; cursor: PageCursor | undefined },
  ): Promise<{ approvals: Approval[]; next?: PageCursor }> {
    const { approvals, ...next } = await this.#deps.store.list(keysOf(caller.tenant), options);
    return { approvals: approvals.filter((approval) => mayDecide(approval, caller)), ...next };
  }

  async audit(caller: Caller, id: string): Promise<AuditRecord[]> {
    const approval = await this.find(caller, id);
    return await this.#deps.store.audit(keysOf(caller.tenant), approval.id);
  }

  /** What a decision with this key was answered; undefined where there was none. @throws GatewayError idempotency_mismatch */
  async answered(caller: Caller, key: IdempotencyKey): Promise<DecisionAnswer | undefined> {
    const answer = await this.#deps.store.answered(keysOf(caller.tenant), key);
    return answer === undefined ? undefined : (JSON.parse(answer) as DecisionAnswer);
  }

  /**
   * Records a decision; of concurrent ones the first wins. An approved or rejected run goes on, here where there is room. An edit
   * leaves the approval pending, with another hash: it has to be approved as it is then.
   * @param approval as {@link find} gave it to this caller
   * @throws GatewayError not_found, forbidden, conflict (with the winner, or the current hash), invalid_request, upstream_*
   */
  async decide(caller: Caller, approval: Approval, request: DecisionRequest): Promise<DecisionAnswer> {
    if (!mayDecide(approval, caller)) throw new GatewayError("not_found");
    const keys = keysOf(caller.tenant);
    if (request.decision === "approve" && approval.fourEyes && isOwnWork(approval, caller)) {
      throw new GatewayError("forbidden", "Whoever asked for this, or changed it, cannot approve it.");
    }
    // What is recorded below is this very proposal: a hash that fits another one, even a later one, is not enough.
    if (approval.state === "pending" && request.proposalHash !== approval.proposalHash)
      throw staleHash(approval.proposalHash);
    if (request.decision === "edit") return await this.#edit(caller, keys, approval, request);
    const decision = request.decision === "approve" ? "approved" : "rejected";
    return await this.#settle(caller.tenant, keys, approval, decision, caller.subject, request);
  }

  /** Called when an approval is due, by the queue; harmless at any other time. */
  async due(tenant: string, id: string, act: "warn" | "expire", expires: number): Promise<void> {
    const keys = keysOf(tenant);
    const approval = await this.#deps.store.find(keys, id);
    // Another expiry means that it was escalated meanwhile: that one has jobs of its own.
    if (approval?.state !== "pending" || approval.expiresAt !== expires) return;
    if (act === "warn") await this.#note(keys, approval, "warn");
    else await this.#expire(tenant, keys, approval);
  }

  /** When an approval has to be looked at, from now on; undefined where it is over. */
  async times(
    tenant: string,
    id: string,
  ): Promise<{ expires: number; warnInMs: number; expireInMs: number } | undefined> {
    const approval = await this.#deps.store.find(keysOf(tenant), id);
    if (approval?.state !== "pending") return undefined;
    const left = approval.expiresAt - (await this.#deps.store.now());
    return {
      expires: approval.expiresAt,
      warnInMs: left - approval.warnBeforeMs,
      // A moment late rather than early: an early one would have to come again.
      expireInMs: Math.max(0, left) + 20,
    };
  }

  async #settle(
    tenant: string,
    keys: Keys,
    approval: Approval,
    decision: "approved" | "rejected" | "expired",
    by: string,
    request: Pick<DecisionRequest, "note" | "proposalHash" | "idempotency"> & { operation?: string },
  ): Promise<DecisionAnswer> {
    const note = request.note === undefined ? {} : { note: request.note };
    const { winner, auditEntry, auditDigest } = winnerAudit(approval.id, decision, by, {
      proposalHash: approval.proposalHash,
      ...note,
    });
    const stepDecision: StepDecision = {
      approval_id: approval.id,
      decision,
      by,
      ...note,
      proposal: approval.proposal,
    };
    const answer: DecisionAnswer = {
      approval_id: approval.id,
      run_id: approval.runId,
      decision: decision === "approved" ? "approved" : "rejected",
      by,
      at: (JSON.parse(winner) as Winner).at,
      proposal_hash: approval.proposalHash,
    };
    const claim = this.#deps.runs.hasRoom;
    const decided = await this.#deps.store.decide(keys, approval, {
      action: decision === "approved" ? "approve" : decision === "rejected" ? "reject" : "expire",
      operation: request.operation ?? this.#deps.newId(),
      hash: request.proposalHash,
      answer: JSON.stringify(answer),
      winner,
      ...(request.idempotency ? { idempotency: request.idempotency } : {}),
      event: this.#event(approval, {
        type: "approval_decided",
        node: approval.step,
        data: { approval_id: approval.id, decision, by },
      }),
      journal: [decisionField(approval.step), JSON.stringify(stepDecision)],
      auditEntry,
      auditDigest,
      claim,
    });
    if (decided.outcome === "replay") return JSON.parse(decided.answer) as DecisionAnswer;
    if (decided.outcome !== "ok") return await this.#tooLate(tenant, keys, approval, decided);
    if (decided.fence > 0) void this.#carryOn(keys, approval.runId, decided);
    else this.#deps.onQueued(tenant);
    return answer;
  }

  async #carryOn(keys: Keys, runId: string, claim: { fence: number; seq: number }): Promise<void> {
    try {
      const record = await this.#deps.runStore.find(keys, runId);
      if (record) await this.#deps.runs.resume(keys, record, claim);
    } catch {
      // The claim's lease runs out, and the reconciler takes the run from there.
    }
  }

  async #tooLate(
    tenant: string,
    keys: Keys,
    approval: Approval,
    decided: Exclude<Awaited<ReturnType<ApprovalStore["decide"]>>, { outcome: "ok" | "replay" }>,
  ): Promise<never> {
    switch (decided.outcome) {
      case "conflict": {
        const winner = decided.winner === "" ? null : (JSON.parse(decided.winner) as Winner);
        throw new GatewayError("conflict", "This approval was decided already.", { extra: { winner } });
      }
      case "stale_hash":
        throw staleHash(decided.hash);
      case "mismatch":
        throw new GatewayError("idempotency_mismatch");
      case "expired": {
        // Expiry is a decision like any other; whoever sees it first records it.
        await this.#expire(tenant, keys, approval);
        const now = await this.#deps.store.find(keys, approval.id);
        throw new GatewayError("conflict", "This approval has expired.", {
          extra: { winner: now?.winner ?? null },
        });
      }
      default:
        throw new GatewayError("not_found");
    }
  }

  async #expire(tenant: string, keys: Keys, approval: Approval): Promise<void> {
    if (approval.onExpiry === "escalate") {
      await this.#note(keys, approval, "escalate");
      this.#deps.onQueued(tenant);
      return;
    }
    await this.#settle(tenant, keys, approval, "expired", SYSTEM, {
      proposalHash: approval.proposalHash,
      operation: `expire-${approval.expiresAt}`,
    }).catch((error: unknown) => {
      // Somebody was faster: that is what matters.
      if (!(error instanceof GatewayError && error.code === "conflict")) throw error;
    });
  }

  /** Changes that decide nothing: a warning before the expiry, or other people who are asked. */
  async #note(keys: Keys, approval: Approval, action: "warn" | "escalate"): Promise<void> {
    const escalates = action === "escalate";
    const body: RunEventBody = escalates
      ? {
          type: "approval_escalated",
          node: approval.step,
          data: { approval_id: approval.id, roles: approval.escalateTo },
        }
      : { type: "approval_expiring", node: approval.step, data: { approval_id: approval.id } };
    const { entry, digest } = auditRecord({
      approval: approval.id,
      action: escalates ? "escalated" : "warned",
      by: SYSTEM,
      proposal_hash: approval.proposalHash,
    });
    const request: Decide = {
      action,
      operation: `${action}-${approval.expiresAt}`,
      hash: approval.proposalHash,
      answer: "{}",
      event: this.#event(approval, body),
      journal: ["", ""],
      auditEntry: entry,
      auditDigest: digest,
      claim: false,
    };
    if (escalates) {
      request.escalation = { roles: JSON.stringify(approval.escalateTo), expiresInMs: approval.expiresInMs };
    }
    await this.#deps.store.decide(keys, approval, request);
  }

  async #edit(
    caller: Caller,
    keys: Keys,
    approval: Approval,
    request: DecisionRequest,
  ): Promise<DecisionAnswer> {
    const rule = this.#ruleOf(approval);
    if (!rule?.edit)
      throw new GatewayError("invalid_request", "The flow does not let this proposal be edited.");
    const proposal = await this.#checkedEdit(keys, approval, rule.edit, request.edits);
    const hash = proposalHash(approval.runId, approval.step, proposal);
    const answer: DecisionAnswer = {
      approval_id: approval.id,
      run_id: approval.runId,
      decision: "edited",
      by: caller.subject,
      at: new Date().toISOString(),
      proposal_hash: hash,
    };
    const { entry, digest } = auditRecord({
      approval: approval.id,
      action: "edited",
      by: caller.subject,
      proposal_hash: hash,
      ...(request.note === undefined ? {} : { note: request.note }),
    });
    const decided = await this.#deps.store.decide(keys, approval, {
      action: "edit",
      operation: this.#deps.newId(),
      hash: request.proposalHash,
      answer: JSON.stringify(answer),
      ...(request.idempotency ? { idempotency: request.idempotency } : {}),
      event: this.#event(approval, {
        type: "approval_edited",
        node: approval.step,
        data: { approval_id: approval.id, by: caller.subject, proposal_hash: hash },
      }),
      journal: ["", ""],
      auditEntry: entry,
      auditDigest: digest,
      claim: false,
      edit: {
        proposal: canonicalJson(proposal),
        hash,
        editors: JSON.stringify([...new Set([...approval.editors, caller.subject])]),
      },
    });
    if (decided.outcome === "ok") return answer;
    if (decided.outcome === "replay") return JSON.parse(decided.answer) as DecisionAnswer;
    return await this.#tooLate(caller.tenant, keys, approval, decided);
  }

  /** The edited proposal, once the flow's check has passed it. */
  async #checkedEdit(
    keys: Keys,
    approval: Approval,
    edit: NonNullable<ApprovalRule["edit"]>,
    edits: unknown,
  ): Promise<unknown> {
    const record = await this.#deps.runStore.find(keys, approval.runId);
    if (!record) throw new GatewayError("not_found");
    const journal = readJournal(await this.#deps.runStore.journal(keys, approval.runId));
    const context = executionContext(record.order, journal, this.#deps.mesh);
    const proposal = await edit.apply({ proposal: approval.proposal, edits }).catch(() => undefined);
    if (proposal === undefined) throw new GatewayError("invalid_request", "The edits cannot be applied.");
    const { check } = edit;
    // What an expression makes of edits that it was not made for is the caller's mistake too.
    const inputs = await check.inputs({ ...context, proposal }).catch(() => undefined);
    if (inputs === undefined) throw new GatewayError("invalid_request", "The edits cannot be checked.");
    const requestId = this.#deps.newId();
    let outputs: Record<string, unknown>;
    try {
      ({ outputs } = await this.#deps.agents.sync({
        agent: check.agent,
        task: check.taskType,
        body: {
          request_id: requestId,
          task_type: check.taskType,
          workflow_id: approval.runId,
          mode: "LIVE",
          inputs,
        },
        signal: AbortSignal.timeout(30_000),
      }));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const refused = error.code === "upstream_refused" || error.code === "upstream_failed";
      throw new GatewayError(refused ? "invalid_request" : error.code, refused ? error.message : undefined, {
        cause: error,
      });
    }
    if ((await check.accept({ outputs }).catch(() => false)) !== true) {
      throw new GatewayError("invalid_request", "The edited proposal does not pass the check.", {
        extra: { check: outputs },
      });
    }
    // As it will be read back, so that what is hashed, stored and performed is the same.
    return JSON.parse(canonicalJson(proposal)) as unknown;
  }

  #ruleOf(approval: Approval): ApprovalRule | undefined {
    return this.#deps.mesh.flows.get(approval.flow)?.steps.get(approval.step)?.approval;
  }

  #event(approval: Approval, body: RunEventBody): [string, string] {
    return eventAround(approval.runId, body, new Date().toISOString());
  }
}

function staleHash(current: string): GatewayError {
  return new GatewayError("conflict", "The proposal is not the one that the decision is about.", {
    extra: { proposal_hash: current },
  });
}
