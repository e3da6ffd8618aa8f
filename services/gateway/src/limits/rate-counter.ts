import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Rate } from "../mesh/index.ts";
import type { RedisClient } from "../store/index.ts";
import { BlockList } from "./block-list.ts";
import { Lots, type Standing } from "./lots.ts";

/** The share of a window that a replica takes at once. Of a limit below 200 it is one request, so that the limit is exact. */
const LOT = 0.01;

/**
 * Counts requests by key in windows that all replicas share. A replica takes points in lots, and gives them out without asking the store:
 * replicas together never give out more than the window has, and each leaves less than a lot unused. Who has used up a window is refused
 * from memory until it ends.
 */
export class RateCounter {
  readonly rate: Rate;
  readonly #limiter: RateLimiterRedis;
  readonly #lot: number;
  readonly #lots = new Lots();
  readonly #blocked = new BlockList();

  constructor(redis: RedisClient, rate: Rate) {
    this.rate = rate;
    this.#lot = Math.max(1, Math.floor(rate.points * LOT));
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

  /** Whether this replica holds a point of this key. */
  holds(key: string): boolean {
    return this.#lots.has(key);
  }

  /** Takes a point that this replica holds; undefined if it holds none. */
  takeHeld(key: string): Standing | undefined {
    return this.#lots.take(key);
  }

  /**
   * Takes a point for each of `count` requests, in one command. @returns what became of each of them, in order
   * @throws what the store rejects with
   */
  async take(key: string, count: number): Promise<Standing[]> {
    const wanted = Math.max(count, this.#lot);
    const { consumedPoints, msBeforeNext } = await this.#consume(key, wanted);
    const { points } = this.rate;
    const granted = Math.max(0, Math.min(wanted, points - (consumedPoints - wanted)));
    // Points that are left in the shared window.
    const shared = Math.max(0, points - consumedPoints);
    if (granted > count) this.#lots.add(key, { left: granted - count, shared, ms: msBeforeNext });
    else if (shared === 0) this.#blocked.add(key, msBeforeNext);
    return Array.from({ length: count }, (_, index) => {
      const remaining = shared + granted - index - 1;
      return { allowed: index < granted, remaining: Math.max(0, remaining), resetMs: msBeforeNext };
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
