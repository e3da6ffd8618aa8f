import { setTimeout as sleep } from "node:timers/promises";
import { type DueIndex, keysOf, type LeaseStore, type RunStore, type Taken } from "../store/index.ts";
import type { Decisions } from "./decide.ts";

export type SweeperDeps = {
  due: Pick<DueIndex, "take" | "look" | "schedule" | "walk">;
  leases: Pick<LeaseStore, "requeue">;
  store: Pick<RunStore, "trim">;
  decisions: Pick<Decisions, "due">;
  /** Puts what the tenant's outbox holds on the queues. */
  relay: (tenant: string) => void;
  /** Reports failures, which are tried again. */
  onTrouble: (where: string, error: unknown) => void;
};

const PAUSE_MS = 1_000;
const LOOKS_AT_ONCE = 16;

/**
 * Finds work without a job: outbox entries that were not relayed, runs whose holder is gone or whose job was lost, approvals whose time has
 * come. Looks only at tenants that are due.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#sweepUntilStopped();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  async #sweepUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#sweep(signal).catch((error: unknown) => this.#deps.onTrouble("sweep", error));
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { due, onTrouble } = this.#deps;
    await due.walk();
    for (let taken = await due.take(); taken.length > 0; taken = await due.take()) {
      const left = taken.values();
      const looking = Array.from({ length: LOOKS_AT_ONCE }, async () => {
        for (const one of left) {
          if (signal.aborted) return;
          // A failure in one tenant must not delay the others. The tenant becomes due again soon.
          await this.#lookAt(one).catch((error: unknown) => onTrouble("sweep", error));
        }
      });
      await Promise.all(looking);
      if (signal.aborted) return;
    }
  }

  async #lookAt(taken: Taken): Promise<void> {
    const { due, leases, store, decisions, relay, onTrouble } = this.#deps;
    const { tenant } = taken;
    const keys = keysOf(tenant);
    const { expired, approvals, outbox, trim, next } = await due.look(keys);
    for (const id of expired) await leases.requeue(keys, id);
    if (outbox || expired.length > 0) relay(tenant);
    // One whose other gateway answers late does not keep the others waiting.
    const looks = [...approvals].map((id) => decisions.due(tenant, id));
    for (const look of await Promise.allSettled(looks))
      if (look.status === "rejected") onTrouble("sweep", look.reason);
    if (trim) await store.trim(keys);
    await due.schedule(taken, next);
  }
}
