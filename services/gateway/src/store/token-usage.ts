import type { Keys } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";

/** A day's counter outlives the day everywhere. */
const KEPT_S = 2 * 86_400;

/** How many tokens of models a tenant has used, by day. */
export class TokenUsage {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @param day such as `2026-11-22` */
  async of(keys: Keys, day: string): Promise<number> {
    return Number((await guarded(() => this.#redis.get(keys.tokens(day)))) ?? 0);
  }

  /** A command that is sent again when its reply was lost counts twice. */
  async add(keys: Keys, day: string, tokens: number): Promise<void> {
    await guarded(async () => {
      const key = keys.tokens(day);
      await Promise.all([this.#redis.incrby(key, tokens), this.#redis.expire(key, KEPT_S)]);
    });
  }
}
