import type { Config } from "../../src/config.ts";
import { DueIndex } from "../../src/store/due-index.ts";
import { LeaseStore } from "../../src/store/lease-store.ts";
import type { RedisClient } from "../../src/store/redis-url.ts";
import { RunStore } from "../../src/store/run-store.ts";
import { StoreClock } from "../../src/store/store-clock.ts";

/** The stores of a replica, as the gateway puts them together. */
export function storesOf(redis: RedisClient, config: Config) {
  const clock = new StoreClock();
  const due = new DueIndex(redis, clock, config);
  const shared = { redis, due, clock };
  return { shared, due, store: new RunStore(shared, config), leases: new LeaseStore(redis, config) };
}
