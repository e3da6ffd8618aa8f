import { GatewayError } from "../errors.ts";
import type { Keys } from "./keys.ts";
import { guarded, unavailable } from "./redis.ts";
import { disconnect, type RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** Longest time that replicas may take to acknowledge a write. */
export const REPLICATION_MS = 1_000;

/**
 * Makes sure that replicas of Redis have a write before something is done that must not be done twice: a failover forgets what the new
 * master has not got. Has a connection of its own, since WAIT blocks the one that it is sent on.
 */
export class Replication {
  readonly #open: () => RedisClient;
  readonly #replicas: number;
  readonly #confirm = new Script("confirm");
  #redis: RedisClient | undefined;

  /** @param replicas that have to have a write; 0: nothing is waited for, and no connection is opened */
  constructor(open: () => RedisClient, replicas: number) {
    this.#open = open;
    this.#replicas = replicas;
  }

  /**
   * Resolves when the replicas have the entry of the run's journal.
   * @throws GatewayError store_unavailable; interrupted where the entry is gone, or the run has another holder
   */
  async confirm(run: { id: string; keys: Keys; fence: number }, field: string): Promise<void> {
    if (this.#replicas === 0) return;
    this.#redis ??= this.#open();
    const redis = this.#redis;
    const keys = [run.keys.run(run.id), run.keys.steps(run.id)];
    const wait = { replicas: this.#replicas, ms: REPLICATION_MS };
    const { answer, replicas } = await guarded(() =>
      this.#confirm.runReplicated(redis, keys, [run.fence, field], wait),
    );
    if (answer !== 1) throw new GatewayError("interrupted");
    if (replicas < this.#replicas) throw unavailable();
  }

  close(): void {
    if (this.#redis) disconnect(this.#redis);
  }
}
