import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { connect, keysOf, type RedisClient } from "../store/index.ts";
import { RateCounter } from "./rate-counter.ts";
import { RateCounters } from "./rate-counters.ts";

const keep = closingAtEnd();
let redis: RedisClient;

beforeAll(async () => {
  const connections = connect(keep(await testRedis()).url, () => undefined);
  keep({ stop: () => connections.close() });
  redis = connections.commands;
});

/** Requests of one tenant at two replicas, in turns. @returns how many of them were allowed, and how many commands they took */
async function ask(points: number, requests: number) {
  const key = keysOf(randomUUID()).rate("tenant");
  const replicas = [0, 1].map(() => ({
    all: new RateCounters(redis),
    counter: new RateCounter(redis, { points, perS: 600 }),
  }));
  let allowed = 0;
  let commands = 0;
  for (let n = 0; n < requests; n++) {
    const { all, counter } = replicas[n % 2] ?? {};
    if (!all || !counter) continue;
    if (counter.blockedMs(key) > 0) continue;
    if (!counter.holds(key)) commands += 1;
    const [standing] = await all.take([{ name: "tenant", counter, key }]);
    if (standing?.allowed) allowed += 1;
  }
  return { allowed, commands };
}

test("a small limit is exact over replicas, to the request", async () => {
  expect((await ask(150, 400)).allowed).toBe(150);
});

test("of a large limit each replica takes a hundredth at once, and never more than there is", async () => {
  const { allowed, commands } = await ask(2_000, 2_500);
  expect(allowed).toBe(2_000);
  expect(commands).toBeLessThan(110);
});

test("a replica that stops early leaves less than a hundredth unused", async () => {
  const key = keysOf(randomUUID()).rate("tenant");
  const [first, second] = [0, 1].map(() => new RateCounter(redis, { points: 2_000, perS: 600 }));
  await first?.take(key, 1);
  const standings = await second?.take(key, 2_500);
  expect(standings?.filter(({ allowed }) => allowed)).toHaveLength(1_980);
  expect(first?.takeHeld(key)).toMatchObject({ allowed: true, remaining: 1_998 });
});
