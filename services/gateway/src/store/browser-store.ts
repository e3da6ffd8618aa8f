import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";

/** What a key holds. */
const keyOf = (id: string): string => `il:browser:${id}`;

/** How long the right to renew a value lasts. */
const RENEWAL_S = 10;

/** Sealed values that belong to browsers: who has the secret of a cookie can open one; the store cannot. */
export class BrowserStore {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  async put(id: string, value: string, ttlS: number): Promise<void> {
    await guarded(() => this.#redis.set(keyOf(id), value, "EX", ttlS));
  }

  /** @param ttlS how long it is kept from now on; absent: as long as before */
  async get(id: string, ttlS?: number): Promise<string | undefined> {
    const key = keyOf(id);
    return await guarded(async () => {
      // One round trip: the client pipelines what is sent at once.
      const kept = ttlS === undefined ? undefined : this.#redis.expire(key, ttlS);
      const [value] = await Promise.all([this.#redis.get(key), kept]);
      return value ?? undefined;
    });
  }

  /** Replaces a value, unless it is gone meanwhile. */
  async replace(id: string, value: string): Promise<void> {
    await guarded(() => this.#redis.set(keyOf(id), value, "KEEPTTL", "XX"));
  }

  /** A value, once: of several that take it, one gets it. */
  async take(id: string): Promise<string | undefined> {
    const key = keyOf(id);
    return await guarded(async () => {
      const [value, removed] = await Promise.all([this.#redis.get(key), this.#redis.del(key)]);
      return removed === 1 ? (value ?? undefined) : undefined;
    });
  }

  async remove(id: string): Promise<void> {
    await guarded(() => this.#redis.del(keyOf(id)));
  }

  /** Whether the caller is the one to renew a value now. */
  async mayRenew(id: string): Promise<boolean> {
    return await guarded(
      async () => (await this.#redis.set(keyOf(`${id}:renewal`), "1", "EX", RENEWAL_S, "NX")) === "OK",
    );
  }

  async renewed(id: string): Promise<void> {
    await this.remove(`${id}:renewal`);
  }
}
