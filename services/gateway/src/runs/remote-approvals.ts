import { type DecisionAnswer, gatewayContract } from "@interlock/contracts";
import { brokenRemote } from "../agents/index.ts";
import {
  type Approval,
  type Approvals,
  aroundSeq,
  type DecisionRequest,
  newWinner,
  type Operated,
  toldOperation,
} from "../approvals/index.ts";
import { GatewayError } from "../errors.ts";
import { newId } from "../ids.ts";
import { JsonText, plainValue } from "../json-text.ts";
import { keysOf, type RunStore } from "../store/index.ts";
import { assistantTurn } from "./endings.ts";
import { mirroredEvent } from "./mirror.ts";
import type { Asking, Mirrored, Remotes } from "./remotes.ts";

export type RemoteApprovalsDeps = {
  remotes: Remotes;
  approvals: Approvals;
  store: RunStore;
  /** Announces that something was put into the tenant's outbox. */
  onQueued: (tenant: string) => void;
};

/** Records a decision, and lets the run go on; @see Decisions */
export type GoOn = (
  tenant: string,
  approval: Approval,
  operate: (claim: boolean) => Promise<Operated["outcome"]>,
) => Promise<Operated["outcome"]>;

/** The large members of an approval. */
const LARGE = ["proposal", "shown"] as const;

/** How long one look at what has become of an approval may take. */
const LOOK_MS = 15_000;

/**
 * Approvals of runs that are mirrored from another gateway. Requests to show or decide one are sent there on behalf of the caller here.
 * Every decision, wherever it was made, reaches the log and the records here through the other gateway's log.
 */
export class RemoteApprovals {
  readonly #deps: RemoteApprovalsDeps;

  constructor(deps: RemoteApprovalsDeps) {
    this.#deps = deps;
  }

  /** The approval as the other gateway shows it; large members stay text. @throws GatewayError not_found, forbidden, upstream_* */
  async view(asking: Asking, approval: Approval): Promise<Record<string, unknown>> {
    const { service, remote } = this.#placeOf(approval);
    const path = `/api/v1/approvals/${remote.approval}`;
    const said = await this.#deps.remotes.askAs(asking, service, { method: "GET", path }, LARGE);
    const isLarge = LARGE.some((name) => said[name] instanceof JsonText);
    const small = isLarge ? { ...said, proposal: null, shown: null } : said;
    if (!gatewayContract.approvalView(small).ok) throw brokenRemote("not_contract");
    return { ...said, id: approval.id, run_id: approval.runId };
  }

  /** @throws GatewayError as the other gateway refuses it; upstream_* */
  async decide(asking: Asking, approval: Approval, request: DecisionRequest): Promise<DecisionAnswer> {
    const { service, remote } = this.#placeOf(approval);
    const { decision, proposalHash, note, edits, idempotency } = request;
    const said = await this.#deps.remotes.askAs(asking, service, {
      method: "POST",
      path: `/api/v1/approvals/${remote.approval}/decision`,
      body: { decision, proposal_hash: proposalHash, note, edits: plainValue(edits) },
      key: idempotency ? `interlock:${idempotency.digest}` : newId(),
    });
    return answerHere(said, approval);
  }

  /** @throws GatewayError as the other gateway refuses it; upstream_* */
  async withdraw(asking: Asking, approval: Approval): Promise<DecisionAnswer> {
    const { service, remote } = this.#placeOf(approval);
    const path = `/api/v1/approvals/${remote.approval}/withdraw`;
    const said = await this.#deps.remotes.askAs(asking, service, { method: "POST", path, body: {} });
    return answerHere(said, approval);
  }

  /**
   * Takes over what has become of the approval.
   * @throws GatewayError interrupted where the caller's token is gone, upstream_*, store_unavailable
   */
  async look(tenant: string, approval: Approval, goOn: GoOn): Promise<void> {
    const { remotes, store } = this.#deps;
    const { service, remote } = this.#placeOf(approval);
    const record = await store.find(keysOf(tenant), approval.runId);
    if (record?.state !== "paused" || record.approvalId !== approval.id) return;
    const { sessionId, order } = record;
    const run: Mirrored = { id: record.id, tenant, sessionId, service, order };
    const signal = AbortSignal.timeout(LOOK_MS);
    const last = await remotes.seqOf(run, remote.run, signal);
    if (last <= record.seq) return;
    const { events } = await remotes.follow(run, remote.run, record.seq, signal);
    for await (const event of events) {
      // A decided run is carried on from there.
      if (!(await this.#take(tenant, approval, mirroredEvent(run.id, event), event.event, goOn))) return;
      if (event.seq >= last) return;
    }
  }

  /** @returns whether the run still waits */
  async #take(
    tenant: string,
    approval: Approval,
    stored: ReturnType<typeof mirroredEvent>,
    event: Parameters<typeof toldOperation>[2] | undefined,
    goOn: GoOn,
  ): Promise<boolean> {
    const { approvals, store, onQueued } = this.#deps;
    if (event?.type === "run_cancelled") {
      const keys = keysOf(tenant);
      const record = await store.find(keys, approval.runId);
      if (record?.state !== "paused") return false;
      const { winner, audit } = newWinner(approval.id, "cancelled", "system");
      await store.cancel(keys, record, {
        first: [],
        event: aroundSeq(stored),
        turn: assistantTurn(record, event.data.message, "cancelled"),
        approval: { winner: JSON.stringify(winner), audit },
      });
      onQueued(tenant);
      return false;
    }
    if (!event) return false;
    const operation = (claim: boolean) => toldOperation(approval, stored, event, claim);
    const told = operation(false);
    if (!told) return false;
    if (event.type !== "approval_decided") {
      const { outcome } = await approvals.tell(tenant, approval, told);
      return outcome === "ok" || outcome === "replay";
    }
    await goOn(tenant, approval, (claim) => approvals.tell(tenant, approval, operation(claim) ?? told));
    return false;
  }

  #placeOf({ remote }: Approval) {
    const service = remote && this.#deps.remotes.service(remote.service);
    if (!service)
      throw new GatewayError("conflict", "The service of this approval is not in the manifest any more.");
    return { service, remote };
  }
}

/** The other gateway's answer, with the ids of here. */
function answerHere(said: unknown, { id, runId }: Approval): DecisionAnswer {
  const answer = gatewayContract.decisionAnswer(said);
  if (!answer.ok) throw brokenRemote("not_contract");
  return { ...answer.value, approval_id: id, run_id: runId };
}
