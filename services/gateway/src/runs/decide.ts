import type { ApprovalView, DecisionAnswer } from "@interlock/contracts";
import {
  type Approvals,
  CALL_EDITS,
  type DecisionRequest,
  dueOf,
  isOfCall,
  nextLookInMs,
  type Operated,
  type ProposedCall,
  proposedCall,
  type Settlement,
  SYSTEM,
  staleHash,
} from "../approvals/index.ts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access } from "../identity/index.ts";
import { JsonText } from "../json-text.ts";
import {
  type Approval,
  type DueIndex,
  keysOf,
  type RunOrder,
  type RunStore,
  readJournal,
  type Winner,
} from "../store/index.ts";
import { INTERLOCK, tracing } from "../telemetry/index.ts";
import type { Tools, ToolsDeps } from "../tools/index.ts";
import { callSchema } from "./call-schema.ts";
import type { RunEdition, RunEditions } from "./editions.ts";
import { flowContext } from "./flow-context.ts";
import type { Holder } from "./holder.ts";
import type { GoOn, RemoteApprovals } from "./remote-approvals.ts";

export type DecisionsDeps = {
  access: Access;
  editions: Pick<RunEditions, "of" | "current">;
  tools: Pick<Tools, "schemaOf">;
  /** Judges a value by a schema, outside of the event loop. @returns what is wrong, in the schema's words */
  judge: ToolsDeps["judge"];
  approvals: Approvals;
  store: RunStore;
  due: Pick<DueIndex, "lookAgain">;
  holder: Holder;
  remoteApprovals: RemoteApprovals;
  /** Announces that something was put into the tenant's outbox. */
  onQueued: (tenant: string) => void;
};

/** The state of a request for approval. */
export type ApprovalRequest = Pick<Approval, "id" | "runId" | "flow" | "step" | "state" | "createdAt"> & {
  /** Where the caller may read the approval. */
  winner?: Winner;
};

const JUDGE_MS = 10_000;

/** How long after its expiry an approval that another gateway asks for counts as expired here, where that gateway says nothing. */
const UNHEARD_MS = 60_000;

/** The only way past an approval: records a decision and, in the same step of the store, lets the run go on. */
export class Decisions {
  readonly #deps: DecisionsDeps;

  constructor(deps: DecisionsDeps) {
    this.#deps = deps;
  }

  /**
   * Decides an approval; of concurrent decisions the first wins. An approved or rejected run goes on, here where there is room. An
   * edited proposal has to be approved as it is then.
   * @param approval as {@link Approvals.find} gave it to this caller
   * @param authorization of the request, for an approval that another gateway asks for
   * @throws GatewayError not_found, forbidden, unauthorized, conflict (with the winner, or the current hash), invalid_request, idempotency_mismatch,
   *   upstream_*, edition_gone, store_unavailable
   */
  async decide(
    caller: Caller,
    approval: Approval,
    request: DecisionRequest,
    authorization?: string,
  ): Promise<DecisionAnswer> {
    const { approvals, remoteApprovals } = this.#deps;
    approvals.authorize(caller, approval, request);
    if (approval.remote) {
      const answer = await remoteApprovals.decide({ caller, authorization }, approval, request);
      await this.#look(caller.tenant, approval);
      return answer;
    }
    const { decision, note, proposalHash, idempotency } = request;
    const { tenant, subject } = caller;
    // Refuse to approve what could not take effect.
    if (decision === "approve" && approval.state === "pending") await this.#checkEdition(tenant, approval);
    const operated =
      decision === "edit"
        ? await this.#edit(caller, approval, request)
        : await this.#settle(tenant, approval, {
            decision: decision === "approve" ? "approved" : "rejected",
            by: subject,
            note,
            proposalHash,
            idempotency,
          });
    if (operated.outcome.outcome === "expired") await this.#expire(tenant, approval);
    return await this.#answerTo(tenant, approval, operated);
  }

  /** What the caller has asked for in a conversation, latest last. */
  async requests(caller: Caller, sessionId: string): Promise<ApprovalRequest[]> {
    const heads = await this.#deps.approvals.ofSession(caller, sessionId);
    return heads.map(({ id, runId, flow, step, state, createdAt, winner, views }) => ({
      ...{ id, runId, flow, step, state, createdAt },
      ...(winner && views ? { winner } : {}),
    }));
  }

  /**
   * Takes back the request for an approval: the run goes on to its end without the step. Sent again it is answered the same.
   * @throws GatewayError not_found, forbidden, conflict (with the state; with the winner for those who may read the approval), upstream_*,
   *   store_unavailable
   */
  async withdraw(caller: Caller, id: string, authorization?: string): Promise<DecisionAnswer> {
    const { approvals, remoteApprovals } = this.#deps;
    const { tenant, subject } = caller;
    const approval = await approvals.findRequest(caller, id);
    if (approval.remote && approval.state === "pending") {
      const answer = await remoteApprovals.withdraw({ caller, authorization }, approval);
      await this.#look(tenant, approval);
      return answer;
    }
    const operated = await this.#settle(tenant, approval, { decision: "withdrawn", by: subject });
    const { outcome } = operated.outcome;
    if (outcome === "expired") await this.#expire(tenant, approval);
    if (outcome !== "conflict" && outcome !== "expired")
      return await this.#answerTo(tenant, approval, operated);
    const { state, winner } = await approvals.findRequest(caller, id);
    // The withdrawal was already copied from the other gateway's log, so this is no conflict.
    if (winner?.decision === "withdrawn") return { ...operated.answer, by: winner.by, at: winner.at };
    const shown = approvals.mayView(caller, approval) ? { winner: winner ?? null } : {};
    throw new GatewayError("conflict", `This approval is ${state} already.`, { extra: { state, ...shown } });
  }

  /** An approval that another gateway asks for, as it shows it. @throws GatewayError not_found, forbidden, upstream_* */
  async viewRemote(
    caller: Caller,
    approval: Approval,
    authorization: string | undefined,
  ): Promise<Record<string, unknown>> {
    const view = await this.#deps.remoteApprovals.view({ caller, authorization }, approval);
    if (view.state !== approval.state || view.proposal_hash !== approval.proposalHash)
      await this.#look(caller.tenant, approval);
    return view;
  }

  /** Approves what a run waits for, as it stands now. @throws GatewayError like {@link decide}; conflict where it waits for nothing */
  async approveRun(
    caller: Caller,
    runId: string,
    request: Pick<DecisionRequest, "note" | "idempotency">,
    authorization?: string,
  ): Promise<DecisionAnswer> {
    const { access, approvals, store } = this.#deps;
    const record = await store.find(keysOf(caller.tenant), runId);
    if (!record) throw approvals.unknown(caller);
    if (record.approvalId === undefined) {
      // An approver knows runs only by their approvals, so a run without one is answered like an unknown run.
      if (!access.may(caller, "view", { kind: "run", owner: record.owner })) throw approvals.unknown(caller);
      const { state } = record;
      throw new GatewayError("conflict", "The run does not wait for an approval.", { extra: { state } });
    }
    const approval = await approvals.find(caller, record.approvalId);
    const asked = { ...request, decision: "approve", proposalHash: approval.proposalHash } as const;
    return await this.decide(caller, approval, asked, authorization);
  }

  /** Does what an approval's time asks for: warns, lets it expire, or asks the other gateway. Harmless at any other time. */
  async due(tenant: string, id: string): Promise<void> {
    const { approvals } = this.#deps;
    const pending = await approvals.pending(tenant, id);
    if (pending) {
      const { approval, now } = pending;
      const act = dueOf(approval, now);
      if (approval.remote) await this.#lookThere(tenant, approval, now);
      else if (act === "expire") await this.#expire(tenant, approval);
      else if (act === "warn") {
        await approvals.warn(tenant, approval);
        this.#deps.onQueued(tenant);
      }
    }
    await this.lookAgain(tenant, id);
  }

  /** Has {@link due} called when the approval's next time comes. */
  async lookAgain(tenant: string, id: string): Promise<void> {
    const { approvals, due } = this.#deps;
    const pending = await approvals.pending(tenant, id);
    await due.lookAgain(keysOf(tenant), id, pending && nextLookInMs(pending.approval, pending.now));
  }

  /** Whether the other gateway has decided. If it cannot be reached long after the expiry, the run must end. */
  async #lookThere(tenant: string, approval: Approval, now: number): Promise<void> {
    const heard = await this.#look(tenant, approval);
    if (!heard && approval.expiresAt + UNHEARD_MS < now)
      await this.#settle(tenant, approval, { decision: "expired", by: SYSTEM });
  }

  /** @returns whether the other gateway could be asked */
  async #look(tenant: string, approval: Approval): Promise<boolean> {
    try {
      const goOn: GoOn = (where, about, operate) => this.#goOn(where, about, operate, (outcome) => outcome);
      await this.#deps.remoteApprovals.look(tenant, approval, goOn);
      return true;
    } catch (error) {
      // It will be checked again.
      if (error instanceof GatewayError && error.code !== "store_unavailable") return false;
      throw error;
    }
  }

  /** Expiry is a decision like any other; the first replica that notices it records it. */
  async #expire(tenant: string, approval: Approval): Promise<void> {
    const { approvals, onQueued } = this.#deps;
    if (approval.onExpiry === "escalate") {
      await approvals.escalate(tenant, approval);
      onQueued(tenant);
      return;
    }
    await this.#settle(tenant, approval, { decision: "expired", by: SYSTEM });
  }

  async #settle(
    tenant: string,
    approval: Approval,
    settlement: Omit<Settlement, "claim">,
  ): Promise<Operated> {
    const { approvals } = this.#deps;
    const operate = (claim: boolean) => approvals.settle(tenant, approval, { ...settlement, claim });
    const operated = await this.#goOn(tenant, approval, operate, ({ outcome }) => outcome);
    if (tracing && operated.outcome.outcome === "ok")
      void this.#traceWait(tenant, approval, settlement.decision, tracing);
    return operated;
  }

  /** The wait belongs to the trace of whoever asked: what comes after it has one of its own. Never rejects. */
  async #traceWait(
    tenant: string,
    { id, runId, step, createdAt }: Approval,
    decision: Settlement["decision"],
    by: NonNullable<typeof tracing>,
  ): Promise<void> {
    const record = await this.#deps.store.find(keysOf(tenant), runId).catch(() => undefined);
    if (!record) return;
    const attributes = {
      [INTERLOCK.run]: runId,
      [INTERLOCK.step]: step,
      [INTERLOCK.approval]: id,
      [INTERLOCK.decision]: decision,
    };
    by.span("approval", record.order, { attributes, startedAt: createdAt }).end();
  }

  /** Records a decision, and lets the run go on: here, where the user who asked for it has a place left, or over the queue. */
  async #goOn<T>(
    tenant: string,
    approval: Approval,
    operate: (claim: boolean) => Promise<T>,
    outcomeOf: (operated: T) => Operated["outcome"],
  ): Promise<T> {
    const { holder, onQueued } = this.#deps;
    const place = holder.placeFor({ tenant, subject: approval.requestedBy });
    let goesOn = false;
    try {
      const operated = await operate(place !== undefined);
      const outcome = outcomeOf(operated);
      if (outcome.outcome !== "ok") return operated;
      goesOn = place !== undefined && outcome.fence > 0;
      if (place && goesOn) void holder.resume(keysOf(tenant), approval.runId, outcome, place);
      // The run, or what webhooks are told of the decision.
      onQueued(tenant);
      return operated;
    } finally {
      if (!goesOn) place?.leave();
    }
  }

  async #answerTo(
    tenant: string,
    approval: Approval,
    { outcome, answer }: Operated,
  ): Promise<DecisionAnswer> {
    switch (outcome.outcome) {
      case "ok":
        return answer;
      case "replay":
        return JSON.parse(outcome.answer) as DecisionAnswer;
      case "conflict": {
        const winner = outcome.winner === "" ? null : (JSON.parse(outcome.winner) as Winner);
        throw new GatewayError("conflict", "This approval was decided already.", { extra: { winner } });
      }
      case "stale_hash":
        throw staleHash(outcome.hash);
      case "mismatch":
        throw new GatewayError("idempotency_mismatch");
      case "expired": {
        const winner = (await this.#deps.approvals.winner(tenant, approval.id)) ?? null;
        throw new GatewayError("conflict", "This approval has expired.", { extra: { winner } });
      }
      default:
        throw new GatewayError("not_found");
    }
  }

  /** @throws GatewayError edition_gone, where the run could not go on */
  async #checkEdition(tenant: string, approval: Approval): Promise<void> {
    const edition = await this.#deps.editions.of(await this.#orderOf(tenant, approval));
    edition.leave();
  }

  async #orderOf(tenant: string, { runId }: Approval): Promise<RunOrder> {
    const { store } = this.#deps;
    const keys = keysOf(tenant);
    const record = await store.find(keys, runId);
    if (!record) throw new GatewayError("not_found");
    return await store.order(keys, record);
  }

  /** How the arguments of a call may be edited, and what its tool takes; undefined for an approval of anything else. */
  callEdit(approval: Approval): ApprovalView["edit"] {
    const { editions, tools } = this.#deps;
    if (!isOfCall(approval) || approval.proposal instanceof JsonText) return undefined;
    const found = callSchema(proposedCall(approval).tool, editions.current, tools);
    if (!found) return undefined;
    const { keys, set, schema } = CALL_EDITS;
    return { keys: [...keys], set, schema, arguments: { ...found.schema } };
  }

  /** @returns what is wrong with the arguments of a call */
  async #judgeCall(
    { tool, arguments: args }: ProposedCall,
    { inputs }: RunOrder,
    edition: RunEdition,
  ): Promise<string | undefined> {
    const found = callSchema(tool, edition, this.#deps.tools);
    if (!found) return "there is nothing that says what the tool takes";
    const { schema, takesInputs } = found;
    // Large inputs are judged by their agent.
    if (takesInputs && inputs instanceof JsonText) return undefined;
    const value = takesInputs ? { ...inputs, ...args } : args;
    return await this.#deps.judge(schema, value, AbortSignal.timeout(JUDGE_MS));
  }

  /** The proposal is edited and checked as the edition of its run says. */
  async #edit(caller: Caller, approval: Approval, request: DecisionRequest): Promise<Operated> {
    const { store, editions, approvals } = this.#deps;
    const [order, fields] = await Promise.all([
      this.#orderOf(caller.tenant, approval),
      store.journal(keysOf(caller.tenant), approval.runId),
    ]);
    const edition = await editions.of(order);
    try {
      const { mesh, agents } = edition;
      if (isOfCall(approval)) {
        const judge = (call: ProposedCall) => this.#judgeCall(call, order, edition);
        return await approvals.editCall(caller, approval, request, judge);
      }
      const context = await flowContext(order, readJournal(fields), mesh);
      return await approvals.edit(caller, approval, request, { mesh, agents, context });
    } finally {
      edition.leave();
    }
  }
}
