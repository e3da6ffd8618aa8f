import { beforeAll, expect, test } from "@jest/globals";
import { startCluster } from "../../../../scripts/lib/testing/redis-cluster.ts";
import { closingAtEnd } from "../../test/support/closing.ts";
import { connect, GLOBAL_RATE, keysOf, type RedisClient } from "../store/index.ts";
import { RateCounter } from "./rate-counter.ts";
import { RateCounters } from "./rate-counters.ts";

const keep = closingAtEnd();
const POINTS = 40;
let redis: RedisClient;

beforeAll(async () => {
  const cluster = keep(await startCluster());
  const connections = connect(cluster.url, () => undefined);
  keep({ stop: () => connections.close() });
  redis = connections.commands;
});

test("limits of many tenants and the global one are exact in a cluster, where they lie on different nodes", async () => {
  const rate = { points: POINTS, perS: 600 };
  const [ofTenant, ofAll] = [
    new RateCounter(redis, rate),
    new RateCounter(redis, { points: 450, perS: 600 }),
  ];
  const replicas = [new RateCounters(redis), new RateCounters(redis)];
  const tenants = Array.from({ length: 10 }, (_, n) => `tenant-${n}`);
  const requests = tenants.flatMap((tenant) => Array.from({ length: 50 }, () => tenant));
  const standings = await Promise.all(
    requests.map(async (tenant, n) => {
      const applied = [
        { name: "tenant", counter: ofTenant, key: keysOf(tenant).rate("tenant") },
        { name: "global", counter: ofAll, key: GLOBAL_RATE },
      ];
      const [own, all] = (await replicas[n % 2]?.take(applied)) ?? [];
      return { tenant, own: own?.allowed === true, all: all?.allowed === true };
    }),
  );
  for (const tenant of tenants)
    expect(standings.filter((one) => one.tenant === tenant && one.own)).toHaveLength(POINTS);
  expect(standings.filter(({ all }) => all)).toHaveLength(450);
});
