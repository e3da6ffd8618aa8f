import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { readConfig } from "../src/config.ts";
import { DueIndex } from "../src/store/due-index.ts";
import { keysOf } from "../src/store/keys.ts";
import { RunStore } from "../src/store/run-store.ts";
import { StoreClock } from "../src/store/store-clock.ts";
import { closingAtEnd } from "./support/closing.ts";
import { gatewayProcess } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, post, startRun, toRest, type Where } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const held = holding();
let agent: StandIn;
let redisUrl: string;
let redis: Redis;

const DAY = 86_400;
const SETTINGS = { LOG_TTL_S: String(5 * DAY), RUN_TTL_S: String(6 * DAY), SESSION_TTL_S: String(7 * DAY) };
const SHORT = { session_ttl_s: 3 * DAY, run_ttl_s: 2 * DAY, log_ttl_s: DAY };

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  const client = new Redis(redisUrl);
  redis = client;
  keep({ stop: () => client.disconnect() });
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION),
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
      PRICE_EXPLANATION: held.handler,
    }),
  );
});

const gatewayOf = async (retention: object) => {
  const manifest = { ...pricingMesh(agent.url), retention };
  const gateway = await gatewayProcess({ manifest, redisUrl, env: SETTINGS });
  return { gateway: keep(gateway), manifest };
};
const newTenant = () => `kept-${randomUUID().slice(0, 8)}`;

/** Days left of the keys of a run and of its session, rounded up. */
async function daysLeft(tenant: string, run: string, session: string): Promise<(number | "none")[]> {
  const keys = keysOf(tenant);
  const left = await Promise.all(
    [keys.session(session), keys.run(run), keys.steps(run), keys.events(run)].map((key) => redis.ttl(key)),
  );
  return left.map((seconds) => (seconds < 0 ? "none" : Math.ceil(seconds / DAY)));
}

async function planOf(gateway: Where, tenant: string): Promise<[run: string, session: string]> {
  const session = randomUUID();
  const ann = as("ann", "", tenant);
  const body = { flow: "pricing", goals: ["optimizer"], inputs: {}, session_id: session };
  const run = await startRun(gateway, body, ann);
  await toRest(gateway, run, ann);
  return [run, session];
}

test("what is a tenant's is kept as the manifest says, what is another's as the settings do", async () => {
  const [short, some, none] = [newTenant(), newTenant(), newTenant()];
  const { gateway } = await gatewayOf({ [short]: SHORT, [some]: { log_ttl_s: DAY } });
  for (const [tenant, days] of [
    [short, [3, 2, 2, 1]],
    [some, [7, 6, 6, 1]],
    [none, [7, 6, 6, 5]],
  ] as const) {
    const [run, session] = await planOf(gateway, tenant);
    await until(async () => (await redis.ttl(keysOf(tenant).run(run))) > 0);
    expect([tenant, await daysLeft(tenant, run, session)]).toEqual([tenant, days]);
  }
});

test("a run that is cancelled is kept as long", async () => {
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const { gateway } = await gatewayOf({ [tenant]: SHORT });
  const session = randomUUID();
  const run = await startRun(
    gateway,
    { flow: "pricing", goals: ["explainer"], inputs: {}, session_id: session },
    ann,
  );
  await held.next();
  expect((await post(gateway, `/api/v1/runs/${run}/cancel`, {}, ann)).status).toBe(200);
  expect(await daysLeft(tenant, run, session)).toEqual([3, 2, 2, 1]);
});

test("after a reload the next turn of a session has it kept as the manifest now says", async () => {
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const { gateway, manifest } = await gatewayOf({});
  const session = randomUUID();
  const turn = async () => {
    const body = { message: "check", session_id: session };
    expect((await post(gateway, "/api/v1/chat", body, ann)).status).toBe(200);
    return Math.ceil((await redis.ttl(keysOf(tenant).session(session))) / DAY);
  };
  const reload = async (retention: object) => {
    gateway.write({ ...manifest, retention });
    expect((await post(gateway, "/api/v1/admin/reload", undefined, as("root", "admin"))).status).toBe(200);
  };
  expect(await turn()).toBe(7);
  await reload({ [tenant]: SHORT });
  expect(await turn()).toBe(3);
  await reload({ [tenant]: { session_ttl_s: 10 * DAY } });
  expect(await turn()).toBe(10);
});

test("the indexes forget what is no longer kept, and keep the rest", async () => {
  const config = readConfig({ ...SETTINGS, REDIS_URL: redisUrl });
  const kept = { ...config, sessionTtlS: 3 * DAY, runTtlS: 2 * DAY };
  const [short, none] = [keysOf(newTenant()), keysOf(newTenant())];
  const retentionOf = (tenant: string) => (tenant === short.tenant ? kept : config);
  const clock = new StoreClock();
  const due = new DueIndex(redis, clock, config, retentionOf);
  const store = new RunStore({ redis, due, clock }, config, retentionOf);
  const old = Date.now() - 4 * DAY * 1000;
  for (const keys of [short, none]) {
    await redis.zadd(keys.sessions, old, "old", Date.now(), "new");
    await redis.zadd(keys.runs, old, "old", Date.now(), "new");
  }
  expect([(await due.look(short)).trim, (await due.look(none)).trim]).toEqual([true, false]);
  for (const keys of [short, none]) await store.trim(keys);
  expect(await redis.zrange(short.sessions, "0", "-1")).toEqual(["new"]);
  expect(await redis.zrange(short.runs, "0", "-1")).toEqual(["new"]);
  expect(await redis.zrange(none.sessions, "0", "-1")).toEqual(["old", "new"]);
});
