import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, get, startRun, toRest, type Where } from "./support/people.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import {
  answering,
  begin,
  type Call,
  callsOf,
  finish,
  gone,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

const BUSY = as("busy");
const QUIET = as("quiet");

/** Works on one request after the other, as a process that computes does. */
function oneByOne(ms: number): (call: Call) => unknown {
  let before: Promise<void> = Promise.resolve();
  return (call) => {
    begin(call);
    before = before.then(() => new Promise((resolve) => setTimeout(resolve, ms)));
    return before.then(() => finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION));
  };
}

async function mesh(optimize: (call: Call) => unknown, limits: object) {
  const checked = answering(GOOD_OUTPUTS.POLICY_CHECK);
  const agent = use(await standIn({ PRICE_OPTIMIZATION: optimize, POLICY_CHECK: checked }));
  const manifest = pricingMesh(agent.url);
  Object.assign(manifest.agents.optimizer, { limits: { ...manifest.agents.optimizer.limits, ...limits } });
  const gateway = use(await testGateway({ manifest, redisUrl: redis.url }));
  return { agent, gateway };
}

const startPlan = (where: Where) =>
  startRun(where, { flow: "pricing", goals: ["optimizer"], message: "go", inputs: { items: [] } }, BUSY);

const propose = (where: Where, headers = QUIET) =>
  ask(`${where.url}/api/v1/chat`, { headers, body: { message: "propose", session_id: randomUUID() } });

/** How many requests of others the agent got while each of some asks, one after the other, waited for its turn. */
async function othersFirst(where: Where, agent: StandIn, goOn: () => boolean): Promise<number[]> {
  const calls = () => callsOf(agent, "PRICE_OPTIMIZATION");
  const counts: number[] = [];
  while (goOn()) {
    const before = calls().length;
    expect((await propose(where)).status).toBe(200);
    counts.push(
      calls()
        .slice(before)
        .findIndex(({ body }) => body.user_id === "quiet"),
    );
  }
  return counts;
}

const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Value of a metric of the optimizer. */
async function metric(where: Where, name: string): Promise<number> {
  const { text } = await get(where, "/metrics");
  return Number(new RegExp(`^interlock_agent_${name}{agent="optimizer"} (.*)$`, "m").exec(text)?.[1]);
}

describe("more requests than an agent can work on", () => {
  test("wait their turn in the gateway: no plan runs out of time, and another user hardly notices", async () => {
    // Sent all at once, a third of them would take longer than the agent may.
    const { agent, gateway } = await mesh(oneByOne(50), { timeout_ms: 2_500 });
    const runs = await Promise.all(Array.from({ length: 80 }, () => startPlan(gateway)));
    let over = false;
    const ends = Promise.all(
      runs.map(async (run) => (await toRest(gateway, run, BUSY)).at(-1)?.data.status),
    ).finally(() => (over = true));
    const before = await othersFirst(gateway, agent, () => !over);
    expect(await ends).toEqual(runs.map(() => "ok"));
    expect(before.length).toBeGreaterThan(5);
    // Of 80. Now and then an ask takes long to reach the queue.
    expect(median(before)).toBeLessThan(10);
    expect(await metric(gateway, "limit")).toBeLessThan(10);
    expect(await metric(gateway, "queue")).toBe(0);
    expect(await metric(gateway, "inflight")).toBe(0);
  });

  test("are let through one at a time where the manifest says so, users in turn", async () => {
    const { handler, next } = holding();
    const { agent, gateway } = await mesh(handler, { max_concurrency: 1 });
    const plans = await Promise.all([1, 2, 3].map(() => startPlan(gateway)));
    const first = await next();
    await until(async () => (await metric(gateway, "queue")) === 2);
    const answer = propose(gateway);
    await until(async () => (await metric(gateway, "queue")) === 3);
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(1);
    expect(await metric(gateway, "queue_age_seconds")).toBeGreaterThan(0);
    finish(first, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    const users: unknown[] = [first.body.user_id];
    while (users.length < 4) {
      const call = await next();
      users.push(call.body.user_id);
      finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    }
    expect(users).toEqual(["busy", "busy", "quiet", "busy"]);
    expect((await answer).status).toBe(200);
    for (const run of plans) expect((await toRest(gateway, run, BUSY)).at(-1)?.data.status).toBe("ok");
  });

  test("of callers who wait for the answer are refused with 429 in the end", async () => {
    const { handler, next } = holding();
    const { agent, gateway } = await mesh(handler, { max_concurrency: 1, timeout_ms: 30_000 });
    const first = propose(gateway);
    const call = await next();
    const { status, headers, json } = await propose(gateway);
    expect(status).toBe(429);
    expect(headers["retry-after"]).toMatch(/^\d+$/);
    expect(json()).toMatchObject({ code: "rate_limited", retryable: true, node: "optimizer" });
    finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect((await first).status).toBe(200);
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(1);
  });

  test("leave the queue at once when they are cancelled", async () => {
    const { handler, next } = holding();
    const { agent, gateway } = await mesh(handler, { max_concurrency: 1 });
    const run = await startPlan(gateway);
    const call = await next();
    const waiting = await startPlan(gateway);
    await until(async () => (await metric(gateway, "queue")) === 1);
    await ask(`${gateway.url}/api/v1/runs/${waiting}/cancel`, { method: "POST", headers: BUSY, body: {} });
    await until(async () => (await metric(gateway, "queue")) === 0);
    await ask(`${gateway.url}/api/v1/runs/${run}/cancel`, { method: "POST", headers: BUSY, body: {} });
    await gone(call);
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(1);
  });
});

test("an agent that is silent for long gets more requests than learning starts with", async () => {
  const held: Call[] = [];
  const { gateway } = await mesh((call) => {
    begin(call);
    held.push(call);
  }, {});
  const asks = Array.from({ length: 8 }, () =>
    ask(`${gateway.url}/api/v1/chat`, {
      body: { message: "Propose new prices", session_id: randomUUID() },
      headers: BUSY,
    }),
  );
  await until(() => held.length === asks.length);
  for (const call of held) finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  for (const { status } of await Promise.all(asks)) expect(status).toBe(200);
});
