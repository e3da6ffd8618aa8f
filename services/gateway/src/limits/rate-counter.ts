import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Rate } from "../mesh/index.ts";
import type { RedisClient } from "../store/index.ts";
import { BlockList } from "./block-list.ts";

/** What became of one request under one limit. */
export type Standing = {
  allowed: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Milliseconds until the next window. */
  resetMs: number;
};

/** Counts requests by key in windows that all replicas share. Who has used up a window is refused from memory until it ends. */
export class RateCounter {
  readonly rate: Rate;
  readonly #limiter: RateLimiterRedis;
  readonly #blocked = new BlockList();

  constructor(redis: RedisClient, rate: Rate) {
    this.rate = rate;
    this.#limiter = new RateLimiterRedis({
      storeClient: redis,
      // The keys are complete: Keys builds them.
      keyPrefix: "",
      points: rate.points,
      duration: rate.perS,
    });
  }

  /** @returns milliseconds; 0 where the key is not known to be used up */
  blockedMs(key: string): number {
    return this.#blocked.remainingMs(key);
  }

  /**
   * Takes a point for each of `count` requests, in one command. @returns what became of each of them, in order
   * @throws what the store rejects with
   */
  async take(key: string, count: number): Promise<Standing[]> {
    const { consumedPoints, msBeforeNext } = await this.#consume(key, count);
    const { points } = this.rate;
    if (consumedPoints >= points) this.#blocked.add(key, msBeforeNext);
    const before = consumedPoints - count;
    return Array.from({ length: count }, (_, index) => {
      const remaining = points - before - index - 1;
      return { allowed: remaining >= 0, remaining: Math.max(0, remaining), resetMs: msBeforeNext };
    });
  }

  /** The library rejects what is over the limit, with the same fields: here that is decided for each request of several. */
  async #consume(key: string, count: number): Promise<RateLimiterRes> {
    try {
      return await this.#limiter.consume(key, count);
    } catch (error) {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    }
  }
}
