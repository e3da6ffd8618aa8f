import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";

/** Of a tenant, the latest. */
const MOST = 10_000;
/** Longer than dead deliveries are kept. */
const KEPT_S = 8 * 86_400;

/**
 * Which deliveries of webhooks are a tenant's. The queue has the deliveries of all tenants in one list; this is what makes a page of one
 * tenant's cheap. It may name a delivery that is gone, and whoever reads it then removes that.
 */
export class DeliveryIndex {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @param at of what they tell, ms */
  async add(keys: Keys, ids: readonly string[], at: number): Promise<void> {
    const { deliveries } = keys;
    await guarded(() =>
      Promise.all([
        this.#redis.zadd(deliveries, ...ids.flatMap((id) => [at, id])),
        this.#redis.zremrangebyrank(deliveries, 0, -MOST - 1),
        this.#redis.expire(deliveries, KEPT_S),
      ]),
    );
  }

  async remove(keys: Keys, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await guarded(() => this.#redis.zrem(keys.deliveries, ...ids));
  }

  /** Latest first. */
  async page(
    keys: Keys,
    limit: number,
    behind: PageCursor | undefined,
  ): Promise<{ ids: string[]; next?: PageCursor }> {
    return await guarded(() => readPage(this.#redis, { key: keys.deliveries, limit, behind }));
  }
}
