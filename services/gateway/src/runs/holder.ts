import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../errors.ts";
import {
  type EventLog,
  emptyJournal,
  type Keys,
  type LeaseStore,
  type RunOrder,
  type RunRecord,
  type RunStore,
  readJournal,
  type UsageAmounts,
} from "../store/index.ts";
import type { RunEdition, RunEditions } from "./editions.ts";
import { type ExecuteDeps, executeRun } from "./execute.ts";
import { firstEvents } from "./first-events.ts";
import { flowCallee } from "./flow-callee.ts";
import { LiveRun } from "./live-run.ts";
import { OneByOne } from "./one-by-one.ts";
import { type Owner, type Place, Places } from "./places.ts";

export type HolderDeps = Omit<
  ExecuteDeps,
  keyof RunEdition | "schemasOf" | "flowCallee" | "draining" | "handOver"
> & {
  editions: RunEditions;
  store: RunStore;
  leases: LeaseStore;
  log: EventLog;
  /** Runs that this replica executes at once. */
  maxRuns: number;
  leaseMs: number;
  /** Announces that something was put into the tenant's outbox. */
  onQueued: (tenant: string) => void;
};

/** A holder that lost a run notices it within this time. */
const CHECK_MS = 1_000;

/** A lease survives the loss of all but one of its renewals. */
const RENEWALS_PER_LEASE = 3;

/** How long a run that is handed over may take to write its pending events. */
const FLUSH_MS = 1_000;

/** Leases per command: Redis does nothing else while it works on one. */
const LEASES_AT_ONCE = 1_000;

export type ClaimOutcome = "executed" | "full" | "over_share" | "busy" | "stale" | "parked";

/** Returns the ids of those of one tenant's runs that this replica does not hold any more. */
type LostOf = (keys: Keys, runs: readonly LiveRun[]) => Promise<string[]>;

/** The runs that this replica holds: executes them, renews their leases, and hands them over when it stops. */
export class Holder {
  readonly #deps: HolderDeps;
  readonly #executeDeps = new WeakMap<RunEdition, ExecuteDeps>();
  readonly #held = new Map<string, LiveRun>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** By tenant: the counter of runs taken from their holders, as of this replica's last check. */
  readonly #taken = new Map<string, number>();
  readonly #places: Places;
  readonly #beginnings = new OneByOne();
  #draining = false;
  /** Whether the grace period is over: runs acquired from now on are handed over at once. */
  #isLate = false;

  constructor(deps: HolderDeps) {
    this.#deps = deps;
    this.#places = new Places(deps.maxRuns);
  }

  get size(): number {
    return this.#held.size;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** A place for one more run of this user; undefined if there is no room, or the user's share is used up. */
  placeFor(owner: Owner): Place | undefined {
    return this.#draining ? undefined : this.#places.take(owner);
  }

  /** Resolves when a place is free. */
  async room(): Promise<void> {
    await this.#places.room();
  }

  start(): void {
    const { leases, leaseMs } = this.#deps;
    const every = (ms: number, lostOf: LostOf) =>
      this.#timers.push(setInterval(() => void this.#loseThose(lostOf), ms).unref());
    // A slice that fails must not keep the others from being renewed.
    every(leaseMs / RENEWALS_PER_LEASE, (keys, runs) =>
      inSlices(runs, (some) => leases.renew(keys, some).catch(() => [])),
    );
    every(CHECK_MS, (keys, runs) => this.#takenFrom(keys, runs));
  }

  /** Executes a run that was just accepted for this replica, and then gives its place back. */
  begin(run: LiveRun, order: RunOrder, place: Place, edition: RunEdition): void {
    edition.enter();
    if (order.used) run.charge(order.used);
    const execute = () => executeRun({ run, order, journal: emptyJournal() }, this.#depsOf(edition));
    // Of many runs that arrive at once, all watched ones send their first event before any agent is called.
    const execution = order.quiet ? execute() : this.#beginnings.turn().then(execute);
    void this.#hold(run, execution).finally(() => {
      edition.leave();
      place.leave();
    });
  }

  /**
   * Claims a run and carries it on from its journal. Resolves when the run rests, or where this replica cannot have it or has
   * no room for it.
   * @param epoch of the job that asks for it; undefined takes whichever is current
   * @returns `full`: no room for anybody; `over_share`: none for this user
   * @throws GatewayError draining, store_unavailable
   */
  async claim(keys: Keys, runId: string, epoch?: number): Promise<ClaimOutcome> {
    // The job fails and is retried by another replica.
    if (this.#draining) throw new GatewayError("draining");
    if (!this.#places.hasFree) return "full";
    const record = await this.#deps.store.find(keys, runId);
    const place = this.placeFor({ tenant: keys.tenant, subject: record?.subject ?? "" });
    if (this.#draining) throw new GatewayError("draining");
    if (!place) return this.#places.hasFree ? "over_share" : "full";
    try {
      // Claiming a run that does not exist removes it from the waiting ones.
      const claim = await this.#deps.leases.claim(keys, record ?? { id: runId, sessionId: "" }, epoch);
      if (claim.outcome !== "ok") return claim.outcome;
      if (!record) return "stale";
      await this.#carryOn(keys, record, claim);
      return "executed";
    } finally {
      place.leave();
    }
  }

  /** Carries on a run that this replica has claimed together with a decision, and then gives its place back. Never rejects. */
  async resume(
    keys: Keys,
    runId: string,
    claim: { fence: number; seq: number },
    place: Place,
  ): Promise<void> {
    try {
      const record = await this.#deps.store.find(keys, runId);
      if (record) await this.#carryOn(keys, record, claim);
    } catch {
      // The store cannot be read: the lease expires, and the reconciler takes the run from there.
    } finally {
      place.leave();
    }
  }

  /** Gives up a cancelled run, so that its agents' requests are aborted at once. */
  release(runId: string): void {
    this.#held.get(runId)?.lose(new GatewayError("cancelled"));
  }

  /** Adds models' usage to a run. @returns the run's session; undefined where this replica does not hold the run */
  charge(runId: string, used: UsageAmounts): string | undefined {
    const run = this.#held.get(runId);
    run?.charge(used);
    return run?.sessionId;
  }

  /** Takes no more runs; lets running steps end within `graceMs`; hands the rest of each run over. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    // A place is taken before its run is accepted or claimed, so this waits for runs that are still on their way here, too.
    const over = this.#places.empty();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, graceMs);
    await Promise.race([over, late.promise]);
    clearTimeout(timer);
    this.#isLate = true;
    await Promise.all([...this.#held.values()].map((run) => this.#handOver(run)));
    await over;
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #carryOn(
    keys: Keys,
    record: RunRecord,
    { fence, seq, ageMs = 0 }: { fence: number; seq: number; ageMs?: number },
  ): Promise<void> {
    const { id, sessionId, owner } = record;
    const run = new LiveRun({ id, sessionId, owner, keys, fence, seq, log: this.#deps.log });
    // Held from here on, so that its lease is renewed while edition and journal are read.
    await this.#hold(run, this.#executeFromJournal(run, record, { seq, waitedMs: ageMs }));
  }

  async #executeFromJournal(
    run: LiveRun,
    record: RunRecord,
    { seq, waitedMs }: { seq: number; waitedMs: number },
  ): Promise<void> {
    // The caller of a simple ask was connected to its first holder and is gone with it, so the ask fails instead of being repeated.
    if (record.kind !== "plan" && record.fence > 0) run.abort.abort(new GatewayError("interrupted"));
    const { store, editions } = this.#deps;
    let entered: RunEdition | undefined;
    try {
      const [order, fields] = await Promise.all([
        store.order(run.keys, record),
        store.journal(run.keys, run.id),
      ]);
      let missing: GatewayError | undefined;
      try {
        entered = await editions.of(record.order);
      } catch (error) {
        if (!(error instanceof GatewayError && error.code === "edition_gone")) throw error;
        missing = error;
      }
      const edition = entered ?? editions.current;
      const plan = missing ? undefined : edition.planner.planOf(order);
      run.journaled = plan?.journaled ?? false;
      if (seq === 0) for (const event of firstEvents(run.sessionId, order, plan)) void run.append(event);
      const journal = this.#deps.lineage.open(readJournal(fields), run.id);
      // The journal's usage includes that of the order.
      const used = journal.used.calls === 0 ? order.used : journal.used;
      if (used) run.charge(used);
      const held = { run, order, journal, waitedMs, resumes: record.fence > 0, missing };
      await executeRun(held, this.#depsOf(edition));
    } catch {
      // The store cannot be read: the lease expires, and the reconciler takes the run from there.
      run.lose(new GatewayError("store_unavailable"));
    } finally {
      entered?.leave();
    }
  }

  /** Cached per edition, so that a simple ask need not compile it. */
  #depsOf(edition: RunEdition): ExecuteDeps {
    const known = this.#executeDeps.get(edition);
    if (known) return known;
    const { mesh, planner, agents, remotes, registry } = edition;
    const made: ExecuteDeps = {
      ...this.#deps,
      ...{ mesh, planner, agents, remotes, flowCallee },
      schemasOf: (agent, task) => registry.schemas(agent, task),
      draining: () => this.#draining,
      handOver: (run) => this.#handOver(run),
    };
    this.#executeDeps.set(edition, made);
    return made;
  }

  async #hold(run: LiveRun, execution: Promise<unknown>): Promise<void> {
    // An earlier claim expired here unnoticed: stop its execution, which would otherwise repeat work.
    this.#held.get(run.id)?.lose(new GatewayError("interrupted"));
    this.#held.set(run.id, run);
    if (this.#isLate) void this.#handOver(run);
    try {
      await execution;
    } finally {
      // This replica may hold the same run under a later claim by now.
      if (this.#held.get(run.id) === run) this.#held.delete(run.id);
    }
  }

  async #handOver(run: LiveRun): Promise<void> {
    // Does not wait for a store that is away: the lease expires by itself.
    await Promise.race([run.flushed(), sleep(FLUSH_MS, undefined, { ref: false })]);
    const queued = await this.#deps.leases.requeue(run.keys, run.id, run.fence).catch(() => false);
    if (queued) this.#deps.onQueued(run.keys.tenant);
    run.lose(new GatewayError("interrupted", "The gateway was stopped."));
  }

  /** Reads one counter, which is far cheaper than the leases, and the leases only where a run was taken from some holder. */
  async #takenFrom(keys: Keys, runs: readonly LiveRun[]): Promise<string[]> {
    const { leases } = this.#deps;
    const taken = await leases.taken(keys);
    if (this.#taken.get(keys.tenant) === taken) return [];
    const unheld = await inSlices(runs, (some) => {
      const ids = some.map(({ id }) => id);
      return leases.unheld(keys, ids);
    });
    this.#taken.set(keys.tenant, taken);
    return unheld;
  }

  async #loseThose(lostOf: LostOf): Promise<void> {
    const byTenant = Map.groupBy(this.#held.values(), (run) => run.keys.tenant);
    for (const runs of byTenant.values()) {
      const keys = runs[0]?.keys;
      if (!keys) continue;
      // While the store does not answer, the leases stay as they are; the fence decides when it is back.
      const lost = new Set(await lostOf(keys, runs).catch((): string[] => []));
      for (const run of runs) if (lost.has(run.id) && !run.resting) run.lose(new GatewayError("interrupted"));
    }
  }
}

/** Asks about so many runs at once that no command takes long. @returns the ids that the answers have */
async function inSlices(
  runs: readonly LiveRun[],
  ask: (some: readonly LiveRun[]) => Promise<string[]>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < runs.length; from += LEASES_AT_ONCE)
    ids.push(...(await ask(runs.slice(from, from + LEASES_AT_ONCE))));
  return ids;
}
