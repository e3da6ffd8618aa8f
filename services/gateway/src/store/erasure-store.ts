import { randomBytes } from "node:crypto";
import type { Keys } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { dayOf, USAGE_DAYS } from "./usage-store.ts";

/** How much of each was erased. */
export type ErasedCounts = { runs: number; sessions: number; ratings: number };

const AT_ONCE = 100;
const DAY_MS = 86_400_000;

/**
 * Erases what is kept of one principal: runs with logs and journals, sessions, ratings, usage, and every index of these. Decision log,
 * approvals and books stay. May be repeated where it was interrupted.
 */
export class ErasureStore {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Runs that are not over: they would write again. @throws GatewayError store_unavailable */
  async openRuns(keys: Keys, owner: string): Promise<number> {
    return await guarded(() => this.#redis.zcard(keys.openRunsOf(owner)));
  }

  /** The secret of the tenant's digests of erased principals, made when it is first needed. @throws GatewayError store_unavailable */
  async digestKey(keys: Keys): Promise<string> {
    return await guarded(async () => {
      await this.#redis.set(keys.erasureKey, randomBytes(32).toString("base64"), "NX");
      return (await this.#redis.get(keys.erasureKey)) ?? "";
    });
  }

  /** @throws GatewayError store_unavailable */
  async erase(keys: Keys, owner: string): Promise<ErasedCounts> {
    return await guarded(async () => {
      const counts: ErasedCounts = { runs: 0, sessions: 0, ratings: 0 };
      for (;;) {
        const ids = await this.#redis.zrange(keys.runsOf(owner), "0", `${AT_ONCE - 1}`);
        if (ids.length === 0) break;
        counts.ratings += await this.#eraseRuns(keys, owner, ids);
        counts.runs += ids.length;
      }
      for (;;) {
        const ids = await this.#redis.zrange(keys.sessionsOf(owner), "0", `${AT_ONCE - 1}`);
        if (ids.length === 0) break;
        await this.#eraseSessions(keys, owner, ids);
        counts.sessions += ids.length;
      }
      await this.#eraseUsage(keys, owner);
      const own = [keys.storedOf(owner), keys.openRunsOf(owner), keys.rate("subject", owner)];
      await this.#redis
        .pipeline()
        .del(...own)
        .zrem(keys.owners, owner)
        .exec();
      return counts;
    });
  }

  /** What is found by the owner's index goes last, so that an erasure that was interrupted finds it again. @returns ratings */
  async #eraseRuns(keys: Keys, owner: string, ids: readonly string[]): Promise<number> {
    const data = ids.flatMap((id) => [keys.run(id), keys.events(id), keys.steps(id)]);
    const results = await this.#redis
      .pipeline()
      .zrem(keys.feedback, ...ids)
      .hdel(keys.ratings, ...ids)
      .hdel(keys.comments, ...ids)
      .del(...data)
      .zrem(keys.runs, ...ids)
      .zrem(keys.parked, ...ids)
      .zrem(keys.openRuns, ...ids)
      .exec();
    await this.#eraseFromIndexes(keys, ids);
    await this.#eraseGroups(keys, "run", ids);
    await this.#redis.zrem(keys.runsOf(owner), ...ids);
    return Number(results?.[0]?.[1] ?? 0);
  }

  /** By flow, agent, end and the like: an index has none of the owner's names, only ids. */
  async #eraseFromIndexes(keys: Keys, ids: readonly string[]): Promise<void> {
    const names = await this.#redis.zrange(keys.runIndexes, "0", "-1");
    if (names.length === 0) return;
    const pipeline = this.#redis.pipeline();
    for (const name of names) pipeline.zrem(keys.runsBy(name), ...ids);
    await pipeline.exec();
  }

  async #eraseSessions(keys: Keys, owner: string, ids: readonly string[]): Promise<void> {
    const data = ids.flatMap((id) => [keys.session(id), keys.waiting(id)]);
    await this.#redis
      .pipeline()
      .del(...data)
      .zrem(keys.sessions, ...ids)
      .exec();
    await this.#eraseGroups(keys, "session", ids);
    await this.#redis.zrem(keys.sessionsOf(owner), ...ids);
  }

  async #eraseGroups(keys: Keys, kind: "run" | "session", ids: readonly string[]): Promise<void> {
    const pipeline = this.#redis.pipeline();
    for (const day of daysOf(USAGE_DAYS[kind])) pipeline.hdel(keys.usage(day, kind), ...ids);
    await pipeline.exec();
  }

  async #eraseUsage(keys: Keys, owner: string): Promise<void> {
    const pipeline = this.#redis.pipeline();
    for (const day of daysOf(USAGE_DAYS.subject)) {
      pipeline.hdel(keys.usage(day, "subject"), owner);
      for (const kind of ["model", "session", "run"] as const) pipeline.del(keys.usage(day, kind, owner));
    }
    await pipeline.exec();
  }
}

/** Days for which usage may be kept, with one more at each end, since days begin at different times. */
function daysOf(count: number): string[] {
  return Array.from({ length: count + 3 }, (_, back) => dayOf(Date.now() + (1 - back) * DAY_MS));
}
