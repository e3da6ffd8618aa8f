import { setTimeout as sleep } from "node:timers/promises";
import { winnerAudit } from "../approvals/approval.ts";
import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { EventLog } from "../store/event-log.ts";
import { type Keys, keysOf } from "../store/keys.ts";
import type { PageCursor } from "../store/page.ts";
import type { RunRecord, RunStore } from "../store/run-store.ts";
import type { RunEventBody, StoredEvent } from "./events.ts";
import { assistantTurn, cancelledEnd, executeRun, type RunDeps } from "./execute-run.ts";
import { startedEvent } from "./execute-step.ts";
import { emptyJournal, readJournal } from "./journal.ts";
import { LiveRun } from "./live-run.ts";
import { type Plan, plannedSteps } from "./plan.ts";
import type { RunOrder, RunState } from "./record.ts";

export type RunsDeps = Omit<RunDeps, "draining" | "handOver"> & {
  store: RunStore;
  log: EventLog;
  /** Runs that this replica executes at once; what is more waits in the queue, and simple asks are refused. */
  maxRuns: number;
  leaseMs: number;
  /** Something was put into the outbox. */
  onQueued: (tenant: string) => void;
};

export type Started =
  /** This replica holds the run: subscribe, then execute. */
  | { state: "held"; run: LiveRun; events: readonly StoredEvent[] }
  /** The run waits for the queue; its events are to be followed in the store. */
  | { state: "queued"; runId: string; events: readonly StoredEvent[] }
  /** The Idempotency-Key was used before, for this run. */
  | { state: "replay"; runId: string };

export type StartOptions = {
  /** Executed by whoever has room, rather than here at once. */
  background?: boolean;
  whenBusy?: "refuse" | "enqueue";
  idempotency?: { digest: string; bodyDigest: string };
};

/** A holder that lost its run notices it after this long. */
const LOOK_MS = 1_000;

/** Several renewals a lease: one that is late, or lost, costs nothing. */
const RENEWALS_A_LEASE = 3;

/** What a run has written gets this long to reach the store before the run is handed over. */
const FLUSH_MS = 1_000;

/** Leases that one command is about: the store does nothing else meanwhile. */
const ASKED_AT_ONCE = 1_000;

/** Asks the store which of the runs of one tenant this replica does not hold any more. */
type LostOf = (keys: Keys, runs: readonly LiveRun[]) => Promise<string[]>;

/** The runs of this replica: accepts, executes, resumes and cancels them. */
export class Runs {
  readonly #deps: RunsDeps;
  readonly #runDeps: RunDeps;
  readonly #held = new Map<string, LiveRun>();
  readonly #executions = new Set<Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** By tenant: how many runs had been taken from their holders when this replica last looked at its own. */
  readonly #taken = new Map<string, number>();
  #draining = false;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.#runDeps = { ...deps, draining: () => this.#draining, handOver: (run) => this.#handOver(run) };
  }

  get size(): number {
    return this.#held.size;
  }

  get draining(): boolean {
    return this.#draining;
  }

  get hasRoom(): boolean {
    return !this.#draining && this.#held.size < this.#deps.maxRuns;
  }

  start(): void {
    const { store, leaseMs } = this.#deps;
    const every = (ms: number, lostOf: LostOf) =>
      this.#timers.push(setInterval(() => void this.#loseThose(lostOf), ms).unref());
    every(leaseMs / RENEWALS_A_LEASE, (keys, runs) => store.renew(keys, runs));
    every(LOOK_MS, (keys, runs) => this.#takenOf(keys, runs));
  }

  /**
   * Accepts a run. When this returns, the run is in the store.
   * @throws GatewayError session_busy, overloaded, draining, idempotency_mismatch, store_unavailable
   */
  async accept(
    caller: Caller,
    sessionId: string,
    order: RunOrder,
    options: StartOptions = {},
  ): Promise<Started> {
    if (this.#draining) throw new GatewayError("draining");
    const plan = this.#deps.planner.planOf(order);
    const { background = false, whenBusy = "refuse", idempotency } = options;
    if (!this.hasRoom && !background && plan?.kind !== "plan") throw new GatewayError("overloaded");
    const first = firstEvents(sessionId, order, plan);
    const claim = !background && this.hasRoom;
    // A simple ask that is executed at once begins with its one step: written with the acceptance, it costs no write of its own.
    const atOnce = claim && whenBusy === "refuse" && plan?.kind === "ask";
    const asked = atOnce ? plan.steps[0] : undefined;
    if (asked?.kind === "agent") first.push(startedEvent(asked, 1));
    // Where nobody watches the run, all its events may wait for its end.
    const unwatched = atOnce && order.quiet === true;
    const keys = keysOf(caller.tenant);
    const runId = this.#deps.newId();
    const accepted = await this.#deps.store.accept(keys, {
      runId,
      sessionId,
      kind: order.target.kind === "flow" ? "plan" : order.target.kind === "service" ? "ask" : "general",
      order,
      events: unwatched ? [] : first,
      claim,
      whenBusy,
      ...(idempotency ? { idempotency } : {}),
    });
    if (accepted.state === "replay") return accepted;
    const { events } = accepted;
    if (accepted.state === "queued") {
      this.#deps.onQueued(caller.tenant);
      return { state: "queued", runId, events };
    }
    const run = new LiveRun({
      id: runId,
      sessionId,
      keys,
      fence: accepted.fence,
      log: this.#deps.log,
      seq: events.length,
      announced: asked?.id,
      journaled: isJournaled(order),
      unwatched,
    });
    if (unwatched) for (const event of first) void run.append(event);
    return { state: "held", run, events };
  }

  /** Executes a run that was just accepted here. Subscribe before: events may come at once. */
  execute(run: LiveRun, order: RunOrder): Promise<void> {
    return this.#track(run, executeRun(run, order, emptyJournal(), this.#runDeps));
  }

  /**
   * Claims a run and carries it on from its journal. Resolves when the run rests, or is another's.
   * @param epoch of the job that asks for it; undefined takes whichever is current
   * @throws GatewayError draining, store_unavailable
   */
  async claimAndExecute(
    keys: Keys,
    runId: string,
    epoch?: number,
  ): Promise<"executed" | "busy" | "stale" | "parked"> {
    // The job comes again, to another replica.
    if (this.#draining) throw new GatewayError("draining");
    const record = await this.#deps.store.find(keys, runId);
    if (!record) return "stale";
    const claim = await this.#deps.store.claim(keys, runId, record.sessionId, epoch);
    if (claim.outcome !== "ok") return claim.outcome;
    await this.resume(keys, record, claim);
    return "executed";
  }

  /** Carries on a run that this replica has just claimed. */
  async resume(keys: Keys, record: RunRecord, claim: { fence: number; seq: number }): Promise<void> {
    const run = new LiveRun({
      id: record.id,
      sessionId: record.sessionId,
      keys,
      fence: claim.fence,
      log: this.#deps.log,
      seq: claim.seq,
      journaled: isJournaled(record.order),
    });
    if (claim.seq === 0) for (const event of this.#firstOf(record)) void run.append(event);
    // Held from here on, so that its lease is renewed while the journal is read.
    await this.#track(run, this.#carryOn(run, record));
  }

  async #carryOn(run: LiveRun, record: RunRecord): Promise<void> {
    // Nobody waits for a simple ask any more when its replica is gone: it ends, rather than being asked anew.
    if (record.kind !== "plan" && record.fence > 0) run.abort.abort(new GatewayError("interrupted"));
    try {
      const journal = readJournal(await this.#deps.store.journal(run.keys, run.id));
      await executeRun(run, record.order, journal, this.#runDeps);
    } catch {
      // The store went away: the lease runs out, and the reconciler takes it from there.
      run.lose(new GatewayError("store_unavailable"));
    }
  }

  /**
   * Cancels a run on whichever replica it is; the agent of a running step hears of it within two seconds.
   * @returns the state the run is in: `cancelled`, or how it had ended before
   */
  async cancel(caller: Caller, runId: string): Promise<RunState> {
    const keys = keysOf(caller.tenant);
    for (;;) {
      const record = await this.find(caller, runId);
      const end = cancelledEnd(record.order, []);
      const turn = assistantTurn(record, end.data.message, "cancelled");
      const audit = winnerAudit(record.approvalId ?? "", "cancelled", caller.subject);
      const state = await this.#deps.store.cancel(keys, record, this.#firstOf(record), end, turn, audit);
      // The approval changed in between: look again.
      if (state === "retry") continue;
      this.#held.get(runId)?.lose(new GatewayError("cancelled"));
      this.#deps.onQueued(caller.tenant);
      return state;
    }
  }

  /** @throws GatewayError not_found: unknown and foreign ids look alike */
  async find(caller: Caller, runId: string): Promise<RunRecord> {
    const record = await this.#deps.store.find(keysOf(caller.tenant), runId);
    if (!record) throw new GatewayError("not_found");
    return record;
  }

  /** Runs of the caller's tenant, all or the parked ones, latest first, with at most `limit` looked at. */
  async list(
    caller: Caller,
    limit: number,
    before: PageCursor | undefined,
    parked = false,
  ): Promise<{ runs: RunRecord[]; next?: PageCursor }> {
    return await this.#deps.store.list(keysOf(caller.tenant), limit, before, parked);
  }

  /** Takes no more runs; lets running steps end within `graceMs`; hands the rest of each run over. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const over = this.#allOver();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, graceMs);
    await Promise.race([over, late.promise]);
    clearTimeout(timer);
    await Promise.all([...this.#held.values()].map((run) => this.#handOver(run)));
    await over;
    for (const timer of this.#timers) clearInterval(timer);
  }

  #firstOf({ sessionId, order }: RunRecord): RunEventBody[] {
    return firstEvents(sessionId, order, this.#deps.planner.planOf(order));
  }

  async #allOver(): Promise<void> {
    while (this.#executions.size > 0) await Promise.allSettled(this.#executions);
  }

  async #track(run: LiveRun, execution: Promise<void>): Promise<void> {
    this.#held.set(run.id, run);
    this.#executions.add(execution);
    try {
      await execution;
    } finally {
      // Another claim of the same run by this replica may hold the place by now.
      if (this.#held.get(run.id) === run) this.#held.delete(run.id);
      this.#executions.delete(execution);
    }
  }

  async #handOver(run: LiveRun): Promise<void> {
    // A store that is away is not waited for: the lease runs out by itself.
    await Promise.race([run.flushed(), sleep(FLUSH_MS, undefined, { ref: false })]);
    const queued = await this.#deps.store.requeue(run.keys, run.id, run.fence).catch(() => false);
    if (queued) this.#deps.onQueued(run.keys.tenant);
    run.lose(new GatewayError("interrupted", "The gateway was stopped."));
  }

  /** Far cheaper than to renew: as long as no run was taken from anybody, that is all there is to ask. */
  async #takenOf(keys: Keys, runs: readonly LiveRun[]): Promise<string[]> {
    const { store } = this.#deps;
    const taken = await store.taken(keys);
    if (this.#taken.get(keys.tenant) === taken) return [];
    const unheld = await store.unheld(
      keys,
      runs.map(({ id }) => id),
    );
    this.#taken.set(keys.tenant, taken);
    return unheld;
  }

  async #loseThose(lostOf: LostOf): Promise<void> {
    const byTenant = Map.groupBy(this.#held.values(), (run) => run.keys.tenant);
    for (const held of byTenant.values()) {
      for (let from = 0; from < held.length; from += ASKED_AT_ONCE) {
        const runs = held.slice(from, from + ASKED_AT_ONCE);
        const keys = runs[0]?.keys;
        if (!keys) continue;
        // A store that does not answer leaves the leases as they are; the fence decides when it is back.
        const lost = new Set(await lostOf(keys, runs).catch((): string[] => []));
        for (const run of runs)
          if (lost.has(run.id) && !run.resting) run.lose(new GatewayError("interrupted"));
      }
    }
  }
}

/** With what a run's log begins. */
function firstEvents(sessionId: string, order: RunOrder, plan: Plan | undefined): RunEventBody[] {
  const { intent, target, model } = order;
  const flow = target.kind === "flow" ? { flow: target.flow } : {};
  const started: RunEventBody = {
    type: "run_started",
    data: { session_id: sessionId, intent, ...flow, model: model.chosen },
  };
  if (plan?.kind !== "plan") return [started];
  return [started, { type: "plan", data: { flow: plan.name, goals: plan.goals, steps: plannedSteps(plan) } }];
}

/** An ask is never carried on by another holder: the results of its steps would be written for nobody. */
function isJournaled(order: RunOrder): boolean {
  return order.target.kind === "flow";
}
