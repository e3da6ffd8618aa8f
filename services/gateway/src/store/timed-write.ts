import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../errors.ts";
import { isRefusal, toStoreError, unavailable } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";

/** How long the store may take a write from the moment it was asked for; the caller gets an answer a moment later. */
const WRITE_MS = 2_500;
/** The caller hears of a missed deadline this much after it, so that timers and clocks need not be exact. */
const MARGIN_MS = 50;
/** How long a write waits for a connection that is down. */
const CONNECT_MS = 1_000;

/** A write that somebody waits for: until when the store may take it, and whether it may have taken it. */
export class TimedWrite {
  /** In ms of performance.now(). */
  readonly endsAt = performance.now() + WRITE_MS;
  /** Whether the write was sent, and not refused since. */
  sent = false;

  get isLate(): boolean {
    return performance.now() >= this.endsAt;
  }

  /**
   * The store's answer, in time.
   * @throws GatewayError store_unavailable or internal where nothing was done; outcome_unknown, with `unknown`
   */
  async outcomeOf<T>(
    work: Promise<T>,
    unknown: { retryable: boolean; extra: Record<string, string> },
  ): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        timer = setTimeout(() => reject(unavailable()), this.#leftMs).unref();
        work.then(resolve, reject);
      });
    } catch (error) {
      if (isRefusal(error) || !this.sent) throw toStoreError(error);
      // Until the deadline the store may still take the write: whoever looked it up before could look too soon.
      await sleep(this.#leftMs);
      throw new GatewayError("outcome_unknown", undefined, unknown);
    } finally {
      clearTimeout(timer);
    }
  }

  get #leftMs(): number {
    return Math.max(0, this.endsAt + MARGIN_MS - performance.now());
  }
}

/** Waits for a connection, briefly. What is sent after this has been sent for certain; what fails before has not. */
export async function connected(redis: RedisClient): Promise<void> {
  if (redis.status !== "ready") await once(redis, "ready", { signal: AbortSignal.timeout(CONNECT_MS) });
}
