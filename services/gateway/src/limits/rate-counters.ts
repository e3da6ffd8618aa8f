import { connected, GroupCall, type RedisClient, toStoreError } from "../store/index.ts";
import type { Standing } from "./lots.ts";
import type { RateCounter } from "./rate-counter.ts";

/** One limit that applies to a request, and the key under which it is counted. */
export type Applied = { name: string; counter: RateCounter; key: string };

/** Requests that are counted in one round trip. */
const MOST_AT_ONCE = 1_000;

type Result = Standing | Error;

/**
 * Counts requests against the limits that apply to them. Requests that arrive together share a round trip, and those of one key a
 * command: a tenant's limit costs one command, however many of its users ask.
 */
export class RateCounters {
  readonly #redis: RedisClient;
  readonly #group = new GroupCall<readonly Applied[], readonly Result[]>(
    (requests) => this.#takeAll(requests),
    MOST_AT_ONCE,
  );

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Whether the counters can be reached; counting waits, briefly, for a connection that is down. */
  get ready(): boolean {
    return this.#redis.status === "ready";
  }

  /** @returns what became of the request under each limit, in order @throws GatewayError store_unavailable */
  async take(applied: readonly Applied[]): Promise<Standing[]> {
    // What is at hand need not be asked for.
    const held = applied.map(({ counter, key }) => counter.takeHeld(key));
    const missing = applied.filter((_, index) => held[index] === undefined);
    try {
      const results = missing.length === 0 ? [] : await this.#group.add(missing);
      let next = 0;
      return held.map((standing) => {
        const result = standing ?? results[next++] ?? new Error("a request was not counted");
        if (Error.isError(result)) throw result;
        return result;
      });
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async #takeAll(requests: readonly (readonly Applied[])[]): Promise<Result[][]> {
    await connected(this.#redis);
    const byKey = Map.groupBy(requests.flat(), ({ key }) => key);
    const counted = new Map<Applied, Result>();
    await Promise.all(
      [...byKey].map(async ([key, own]) => {
        const results = await countOf(own[0]?.counter, key, own.length);
        for (const [index, one] of own.entries())
          counted.set(one, results[index] ?? new Error("a request was not counted"));
      }),
    );
    return requests.map((applied) =>
      applied.map((one) => counted.get(one) ?? new Error("a request was not counted")),
    );
  }
}

/** A key that cannot be counted, such as one on a node that is down, does not affect the others. */
async function countOf(counter: RateCounter | undefined, key: string, count: number): Promise<Result[]> {
  try {
    return (await counter?.take(key, count)) ?? [];
  } catch (error) {
    const failure = Error.isError(error) ? error : new Error("the store failed", { cause: error });
    return Array.from({ length: count }, () => failure);
  }
}
