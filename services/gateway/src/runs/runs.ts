import { GatewayError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { EventLog } from "../store/event-log.ts";
import { type Keys, keysOf } from "../store/keys.ts";
import type { LogReader } from "../store/log-reader.ts";
import { LEASE_MS, type RunRecord, type RunStore } from "../store/run-store.ts";
import type { RunEventBody, StoredEvent } from "./events.ts";
import { executeRun, planOf, type RunDeps } from "./execute-run.ts";
import { LiveRun } from "./live-run.ts";
import { plannedSteps } from "./plan.ts";
import type { RunOrder } from "./record.ts";

export type RunsDeps = RunDeps & {
  store: RunStore;
  log: EventLog;
  reader: LogReader;
  /** Runs that this replica executes at once; more are refused. */
  maxRuns: number;
  newId: () => string;
};

export type Started = {
  run: LiveRun;
  /** The events that were written with the acceptance. */
  events: readonly StoredEvent[];
};

/** The runs of this replica: accepts, executes and follows them. */
export class Runs {
  readonly #deps: RunsDeps;
  readonly #held = new Map<string, LiveRun>();
  readonly #executions = new Set<Promise<void>>();
  #renewal: NodeJS.Timeout | undefined;
  #draining = false;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#held.size;
  }

  start(): void {
    this.#renewal = setInterval(() => void this.#renew(), LEASE_MS / 4).unref();
  }

  /**
   * Accepts a run and begins to execute it. When this returns, the run is in the store.
   * @throws GatewayError session_busy, overloaded, draining, store_unavailable
   */
  async accept(caller: Caller, sessionId: string, order: RunOrder): Promise<Started> {
    if (this.#draining) throw new GatewayError("draining");
    if (this.#held.size >= this.#deps.maxRuns) throw new GatewayError("overloaded");
    const keys = keysOf(caller.tenant);
    const runId = this.#deps.newId();
    const plan = planOf(order, this.#deps.mesh);
    const first: RunEventBody[] = [
      {
        type: "run_started",
        data: {
          session_id: sessionId,
          intent: order.intent,
          ...(order.target.kind === "flow" ? { flow: order.target.flow } : {}),
          model: order.model.chosen,
        },
      },
    ];
    if (plan?.kind === "plan") {
      first.push({ type: "plan", data: { flow: plan.name, goals: plan.goals, steps: plannedSteps(plan) } });
    }
    const { fence, events } = await this.#deps.store.accept(keys, {
      runId,
      sessionId,
      kind: order.target.kind === "flow" ? "plan" : order.target.kind === "service" ? "ask" : "general",
      order,
      events: first,
    });
    const run = new LiveRun({ id: runId, sessionId, keys, fence, log: this.#deps.log, seq: events.length });
    return { run, events };
  }

  /** Executes an accepted run. Subscribe before: events may come at once. */
  execute(run: LiveRun, order: RunOrder): void {
    this.#held.set(run.id, run);
    const execution: Promise<void> = executeRun(run, order, {}, this.#deps).finally(() => {
      this.#held.delete(run.id);
      this.#executions.delete(execution);
    });
    this.#executions.add(execution);
  }

  /** @throws GatewayError not_found: unknown and foreign ids look alike */
  async find(caller: Caller, runId: string): Promise<RunRecord> {
    const record = await this.#deps.store.find(keysOf(caller.tenant), runId);
    if (!record) throw new GatewayError("not_found");
    return record;
  }

  keys(caller: Caller): Keys {
    return keysOf(caller.tenant);
  }

  /** Stops taking runs, and gives those under way `graceMs` to end. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const over = Promise.allSettled(this.#executions);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, graceMs);
    await Promise.race([over, late.promise]);
    clearTimeout(timer);
    for (const run of this.#held.values())
      run.abort.abort(new GatewayError("interrupted", "The gateway was stopped."));
    await over;
    clearInterval(this.#renewal);
  }

  async #renew(): Promise<void> {
    const byTenant = Map.groupBy(this.#held.values(), (run) => run.keys.tenant);
    for (const runs of byTenant.values()) {
      const keys = runs[0]?.keys;
      if (!keys) continue;
      // A store that does not answer leaves the leases as they are; the fence decides when it is back.
      const lost = await this.#deps.store.renew(keys, runs).catch(() => []);
      for (const id of lost) this.#held.get(id)?.lose(new GatewayError("interrupted"));
    }
  }
}
