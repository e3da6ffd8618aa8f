import { eventAround } from "../events/index.ts";
import type { Keys } from "./keys.ts";
import type { Wants } from "./outbox.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script, words } from "./script.ts";

export type Claim =
  | {
      outcome: "ok";
      fence: number;
      seq: number;
      /** Since the run was accepted. */
      ageMs: number;
    }
  | { outcome: "busy" | "stale" | "parked" };

/** See Config. */
export type LeaseLimits = { leaseMs: number; maxAttempts: number };

/** Who holds which run. A holder has a lease, which it renews, and a fence, which grows with each holder. */
export class LeaseStore {
  readonly #redis: RedisClient;
  readonly #limits: LeaseLimits;
  readonly #wants: Wants;
  readonly #claim = new Script("claim");
  readonly #renew = new Script("renew");
  readonly #requeue = new Script("requeue");

  constructor(redis: RedisClient, limits: LeaseLimits, wants: Wants = () => false) {
    this.#redis = redis;
    this.#wants = wants;
    this.#limits = limits;
  }

  /**
   * Takes a run for this replica; leaves it for a person where it was begun too often.
   * @param epoch of the job that asks for it; undefined takes whichever is current
   */
  async claim(
    keys: Keys,
    { id, sessionId }: { id: string; sessionId: string },
    epoch: number | undefined,
  ): Promise<Claim> {
    const { leaseMs, maxAttempts } = this.#limits;
    const message = `The run was begun ${maxAttempts} times and never ended: it needs a person.`;
    const parked = eventAround(
      id,
      { type: "run_parked", data: { status: "needs_review", message, code: "too_many_attempts" } },
      new Date().toISOString(),
    );
    const answer = await this.#claim.run(
      this.#redis,
      [
        keys.run(id),
        keys.events(id),
        keys.leases,
        keys.parked,
        keys.session(sessionId),
        keys.waiting(sessionId),
        keys.outbox,
        keys.queued,
      ],
      [
        ...[id, epoch ?? "", leaseMs, maxAttempts, ...parked],
        this.#wants(keys.tenant, "run.needs_review") ? 1 : 0,
      ],
    );
    const [word, fence, seq, age] = words(answer);
    if (word === "OK") return { outcome: "ok", fence: Number(fence), seq: Number(seq), ageMs: Number(age) };
    return { outcome: word === "BUSY" ? "busy" : word === "PARKED" ? "parked" : "stale" };
  }

  /** Renews leases of one tenant's runs. @returns the ids of those that the caller does not hold any more */
  async renew(keys: Keys, runs: readonly { id: string; fence: number }[]): Promise<string[]> {
    const answer = await this.#renew.run(
      this.#redis,
      [keys.leases, ...runs.map((run) => keys.run(run.id))],
      [this.#limits.leaseMs, ...runs.flatMap((run) => [run.id, run.fence])],
    );
    return words(answer).map(String);
  }

  /** Puts a run back on the queue. @param fence the holder's; undefined where its lease must have expired */
  async requeue(keys: Keys, runId: string, fence?: number): Promise<boolean> {
    const answer = await this.#requeue.run(
      this.#redis,
      [keys.run(runId), keys.leases, keys.outbox, keys.taken, keys.queued],
      [runId, fence ?? ""],
    );
    return words(answer)[0] === "OK";
  }

  /** How many runs of the tenant were taken from their holders so far. */
  async taken(keys: Keys): Promise<number> {
    return Number(await this.#redis.get(keys.taken));
  }

  /** Which of these runs have no lease: they were cancelled, or put back on the queue. */
  async unheld(keys: Keys, runIds: readonly string[]): Promise<string[]> {
    const leases = await this.#redis.zmscore(keys.leases, ...runIds);
    return runIds.filter((_, index) => leases[index] === null);
  }
}
