import type { RunLineage } from "@interlock/contracts";
import { newWinner } from "../approvals/index.ts";
import { type Caller, type OnForeign, principalOf } from "../caller.ts";
import { sha256InPieces } from "../canonical-json.ts";
import { GatewayError } from "../errors.ts";
import { decodeEvent, type RunEvent } from "../events/index.ts";
import type { Access, Action } from "../identity/index.ts";
import { newId } from "../ids.ts";
import {
  type Acceptance,
  type Accepted,
  artifactField,
  type EarlierResult,
  type EventLog,
  type IdempotencyKey,
  type Keys,
  keysOf,
  type LogReader,
  type PageCursor,
  type RunOrder,
  type RunPage,
  type RunRecord,
  type RunState,
  type RunStore,
  readJournal,
} from "../store/index.ts";
import type { RunEdition } from "./editions.ts";
import { assistantTurn, cancelledEnd } from "./endings.ts";
import { firstEvents } from "./first-events.ts";
import { RunHandle, type RunHandleOptions } from "./handle.ts";
import type { Holder } from "./holder.ts";
import { indexesOf } from "./indexes.ts";
import { lineageOf } from "./lineage.ts";
import type { LineageKeeping } from "./lineage-keeping.ts";
import { LiveRun } from "./live-run.ts";
import { permit } from "./permit.ts";
import type { Place } from "./places.ts";
import type { Plan } from "./plan.ts";
import { refuseSample } from "./sample.ts";
import { startedEvent, stepKindOf } from "./steps/index.ts";

export type RunsDeps = {
  access: Access;
  /** Provides the edition for new runs. */
  edition: RunEdition;
  store: RunStore;
  log: EventLog;
  reader: LogReader;
  holder: Holder;
  lineage: LineageKeeping;
  /** Announces that something was put into the tenant's outbox. */
  onQueued: (tenant: string) => void;
  onForeign: OnForeign;
};

/** A receiver of a task's changes, as it is stored. */
type Receiver = NonNullable<NonNullable<Acceptance["notify"]>["receiver"]>;

export type StartOptions = {
  /** The id of the run, where the caller has to know it before; see newId. */
  id?: string | undefined;
  sessionId: string;
  order: RunOrder;
  /** Put the run on the queue instead of executing it here at once. */
  background?: boolean;
  /** What happens while another run of the session is under way. */
  whenBusy?: "refuse" | "enqueue";
  /** The run of the same session whose inputs are those of the order. */
  inputsOf?: string | undefined;
  /** What the session works with from this turn on, as JSON; absent: as before. */
  working?: string | undefined;
  idempotency?: IdempotencyKey | undefined;
  /** Who hears of the run: the receivers of this task, or, without one, of the run itself; and its first receiver. */
  notify?: { task?: string | undefined; receiver?: Receiver | undefined } | undefined;
  /** The `Authorization` header of the request, for remote gateways that get the caller's own token. */
  authorization?: string | undefined;
};

/** The runs of the mesh, for whoever serves callers: starts, opens, lists and cancels them. */
export class Runs {
  readonly #deps: RunsDeps;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
  }

  /** Whether this replica is being stopped and should take no more work. */
  get draining(): boolean {
    return this.#deps.holder.draining;
  }

  /**
   * Starts a run. When this returns, the run is in the store, and this replica may already be executing it.
   * @throws GatewayError forbidden, not_found (the session is somebody else's), session_busy, overloaded, idempotency_mismatch, store_unavailable
   */
  async start(caller: Caller, options: StartOptions): Promise<RunHandle> {
    const { access, edition, holder, log, onQueued } = this.#deps;
    const { sessionId, background = false, whenBusy = "refuse", idempotency, notify } = options;
    const order: RunOrder = { ...options.order, edition: edition.hash };
    const { conversationId } = order;
    const plan = edition.planner.planOf(order);
    if (plan) {
      permit(access, caller, plan);
      refuseSample(order, plan, edition.mesh);
    }
    const shared = edition.shared();
    if (shared) await shared;
    // Only this replica has the caller's own token in memory.
    const here = plan?.mirrors?.target.identity === "forward";
    const place = background && !here ? undefined : holder.placeFor(caller);
    const mayWait = !here && (background || plan?.kind === "plan" || plan?.kind === "mirror");
    if (!place && !mayWait) throw new GatewayError("overloaded");
    const claim = place !== undefined;

    const events = firstEvents(sessionId, order, plan);
    // A simple ask that is executed at once begins with its one step: told together with the acceptance, that costs no write.
    const atOnce = claim && whenBusy === "refuse" && plan?.kind === "ask";
    const announced = atOnce ? announce(plan, events) : undefined;
    // The events of a run that nobody reads live may all be written with its end.
    const unwatched = atOnce && order.quiet === true;

    const keys = keysOf(caller.tenant);
    const id = options.id ?? newId();
    const acceptance: Acceptance = {
      runId: id,
      sessionId,
      kind: kindOf(order, plan),
      order,
      events: unwatched ? [] : events,
      claim,
      whenBusy,
      inputsOf: options.inputsOf,
      indexes: indexesOf(order, plan),
      working: options.working,
    };
    if (idempotency) acceptance.idempotency = idempotency;
    if (notify) acceptance.notify = { task: notify.task ?? id, receiver: notify.receiver };
    const accepted = await this.#accept(keys, acceptance, place);
    if (accepted.state === "replay") {
      const record = await this.find(caller, accepted.runId);
      return this.#handle(caller, { id: record.id, sessionId: record.sessionId, record, replayed: true });
    }
    if (plan?.mirrors) edition.remotes.keep(id, plan.mirrors, options.authorization);
    if (accepted.state === "queued" || !place) {
      onQueued(caller.tenant);
      return this.#handle(caller, { id, sessionId, conversationId });
    }
    const run = new LiveRun({
      id,
      sessionId,
      owner: principalOf(order),
      keys,
      fence: accepted.fence,
      log,
      seq: accepted.events.length,
      announced,
      journaled: plan?.journaled ?? false,
      unwatched,
    });
    if (unwatched) for (const event of events) void run.append(event);
    holder.begin(run, order, place, edition);
    return this.#handle(caller, { id, sessionId, conversationId, live: { run, first: accepted.events } });
  }

  /** Whether the caller may start what a target stands for. */
  mayStart(caller: Caller, target: RunOrder["target"]): boolean {
    const { access, edition } = this.#deps;
    const plan = edition.planner.planOf({ target });
    return plan?.uses.every(({ resource }) => access.may(caller, "use", resource)) ?? false;
  }

  /** Whether an earlier run of the caller's session has this result. */
  async hasResult(caller: Caller, from: EarlierResult): Promise<boolean> {
    return await this.#deps.store.hasResult(keysOf(caller.tenant), from);
  }

  /** The hash of such a result; undefined where there is none any more. */
  async resultHash(caller: Caller, from: EarlierResult): Promise<string | undefined> {
    const text = await this.resultText(caller, from);
    return text === undefined ? undefined : await sha256InPieces(text);
  }

  /** Such a result as JSON, `{outputs, kept, …}`; undefined where there is none any more. */
  async resultText(caller: Caller, from: EarlierResult): Promise<string | undefined> {
    return await this.#deps.store.result(keysOf(caller.tenant), from);
  }

  /** The calls of tools of a run that was found for a caller. */
  async lineage(caller: Caller, { id }: RunRecord): Promise<RunLineage> {
    const { store, lineage } = this.#deps;
    const { calls } = lineage.open(readJournal(await store.journal(keysOf(caller.tenant), id)), id);
    return lineageOf(id, calls);
  }

  /** What a call of such a run has brought that is no text. @throws GatewayError not_found */
  async artifact(caller: Caller, run: RunRecord, id: string): Promise<{ contentType: string; data: Buffer }> {
    const { store, lineage } = this.#deps;
    const entry = await store.entry(keysOf(caller.tenant), run.id, artifactField(id));
    const found = entry === undefined ? undefined : lineage.openArtifact(entry, run.id, id);
    if (!found) throw new GatewayError("not_found");
    return found;
  }

  /** A run that was found for this caller. */
  open(caller: Caller, record: RunRecord): RunHandle {
    return this.#handle(caller, { id: record.id, sessionId: record.sessionId, record });
  }

  /** @throws GatewayError not_found: unknown and foreign ids look alike */
  async find(caller: Caller, runId: string, action: Action = "view"): Promise<RunRecord> {
    const record = await this.#deps.store.find(keysOf(caller.tenant), runId);
    if (!record || !this.#deps.access.may(caller, action, { kind: "run", owner: record.owner }))
      throw new GatewayError("not_found");
    if (record.owner !== principalOf(caller)) this.#deps.onForeign(caller, `run ${runId}`);
    return record;
  }

  /** The caller's run that a key has started; undefined where there is none. */
  async ofKey(caller: Caller, { digest }: Pick<IdempotencyKey, "digest">): Promise<string | undefined> {
    return await this.#deps.store.runOfKey(keysOf(caller.tenant), digest);
  }

  /** One event of a run that was found for a caller; undefined where it is not kept any more. */
  async eventAt(caller: Caller, run: RunRecord, seq: number): Promise<RunEvent | undefined> {
    if (run.terminal !== undefined && seq === run.seq) return decodeEvent(run.terminal);
    const [event] = await this.#deps.reader.read(keysOf(caller.tenant).events(run.id), seq - 1);
    return event?.seq === seq ? decodeEvent(event.json) : undefined;
  }

  /** Those of some runs that belong to a session in which the caller was found to read. */
  async ofSession(caller: Caller, sessionId: string, ids: readonly string[]): Promise<RunRecord[]> {
    const keys = keysOf(caller.tenant);
    const found = await Promise.all(ids.map((id) => this.#deps.store.find(keys, id)));
    return found.flatMap((record) => (record?.sessionId === sessionId ? record : []));
  }

  /** Those of the caller's runs that match, or of their tenant's where they may read them; latest first. */
  async list(caller: Caller, page: RunPage): Promise<{ runs: RunRecord[]; next?: PageCursor }> {
    const scope = this.#deps.access.scopeOf(caller);
    const own = principalOf(caller);
    if (scope === undefined || (scope === "own" && (page.owner ?? own) !== own)) return { runs: [] };
    const owner = scope === "own" ? own : page.owner;
    return await this.#deps.store.list(keysOf(caller.tenant), { ...page, owner });
  }

  /**
   * Cancels a run on any replica; the agents of its running steps are notified within two seconds.
   * @returns the state the run is in afterwards: `cancelled`, or how it had ended before
   * @throws GatewayError not_found, store_unavailable; conflict (with the step, and who approved it) where the run has begun an effect
   */
  async cancel(caller: Caller, runId: string): Promise<RunState> {
    const { store, edition, holder, onQueued } = this.#deps;
    const keys = keysOf(caller.tenant);
    for (;;) {
      const record = await this.find(caller, runId, "cancel");
      const { sessionId, order } = record;
      const event = cancelledEnd(order, []);
      // The run has not started, and its plan depends on another edition, so name no step.
      const plan = order.edition === edition.hash ? edition.planner.planOf(order) : undefined;
      const { winner, audit } = newWinner(record.approvalId ?? "", "cancelled", caller.subject);
      const state = await store.cancel(keys, record, {
        first: firstEvents(sessionId, order, plan?.mirrors ? undefined : plan),
        event,
        turn: assistantTurn(record, event.data.message, "cancelled"),
        approval: { winner: JSON.stringify(winner), audit },
      });
      // The run has come to wait for another approval since it was read.
      if (state === "retry") continue;
      if (typeof state === "object")
        throw new GatewayError(
          "conflict",
          `The step "${state.step}" of the run takes effect already, so the run goes on to its end.`,
          { extra: state },
        );
      holder.release(runId);
      if (plan?.mirrors && state === "cancelled") {
        const service = plan.mirrors;
        const run = { id: runId, tenant: caller.tenant, sessionId, service, order };
        // Whoever holds the run tells the other gateway, too; of a run that nobody holds, this replica alone can.
        const remoteRun = readJournal(await store.journal(keys, runId)).remote;
        if (remoteRun !== undefined) void edition.remotes.leave(run, remoteRun);
      }
      onQueued(caller.tenant);
      return state;
    }
  }

  /** Gives the place back unless the run begins here. */
  async #accept(keys: Keys, acceptance: Acceptance, place: Place | undefined): Promise<Accepted> {
    let begins = false;
    try {
      const accepted = await this.#deps.store.accept(keys, acceptance);
      begins = accepted.state === "running";
      return accepted;
    } finally {
      if (!begins) place?.leave();
    }
  }

  #handle(caller: Caller, options: Omit<RunHandleOptions, "caller" | "reader" | "cancel">): RunHandle {
    // The closure keeps the id alone: the options hold the run's first events.
    const { id } = options;
    const cancel = () => this.cancel(caller, id);
    return new RunHandle({ ...options, caller, reader: this.#deps.reader, cancel });
  }
}

/** What mirrors a run goes on without its caller, as a plan does. */
function kindOf({ target }: RunOrder, plan: Plan | undefined): RunRecord["kind"] {
  if (target.kind === "flow" || plan?.kind === "mirror" || plan?.kind === "plan") return "plan";
  return target.kind === "general" ? "general" : "ask";
}

/** Adds the start of the plan's first step, where it asks an agent. @returns the step's id */
function announce(plan: Plan, events: ReturnType<typeof firstEvents>): string | undefined {
  const step = plan.steps[0];
  if (!step || !stepKindOf(step).asksAgent) return undefined;
  const about = stepKindOf(step).about(step);
  if (!about) return undefined;
  events.push(startedEvent(step.id, about, 1));
  return step.id;
}
