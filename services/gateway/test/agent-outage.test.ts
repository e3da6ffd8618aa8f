import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, get, startRun, toRest, type Where } from "./support/people.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { answering, begin, type Call, callsOf, event, failing, finish, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

const PLANS = 20;

type Handlers = Parameters<typeof standIn>[0];

/** Answers after a while, during which it can be killed. */
const after = (ms: number, outputs: object) => (call: Call) => {
  begin(call, event("progress", { message: "at work" }));
  setTimeout(() => finish(call, outputs), ms);
};

const handlersOf = (ms: number): Handlers => ({
  PRICE_OPTIMIZATION: after(ms, GOOD_OUTPUTS.PRICE_OPTIMIZATION),
  POLICY_CHECK: after(ms, GOOD_OUTPUTS.POLICY_CHECK),
  PRICE_EXPLANATION: after(ms, GOOD_OUTPUTS.PRICE_EXPLANATION),
});

const startPlans = (where: Where) =>
  Promise.all(
    Array.from({ length: PLANS }, () =>
      startRun(where, { flow: "pricing", goals: ["explainer"], message: "go", inputs: { items: [] } }),
    ),
  );

/** How each of the runs ended: `ok`, or its code. */
const endsOf = (where: Where, runs: readonly string[]) =>
  Promise.all(
    runs.map(async (run) => {
      const end = (await toRest(where, run)).at(-1);
      return end?.data.code ?? end?.data.status;
    }),
  );

const breakers = async (where: Where) => {
  const { agents } = (await get(where, "/api/v1/agents", ANN)).json();
  return Array.isArray(agents) ? agents.map(({ breaker }: { breaker: string }) => breaker) : [];
};

const passed = (ms: number) => {
  const since = performance.now();
  return until(() => performance.now() - since > ms);
};

describe("an agent that goes and comes back", () => {
  test("fails no plan: steps wait for it, under numbers of their own", async () => {
    const agent = await standIn(handlersOf(30));
    const gateway = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
    const runs = await startPlans(gateway);
    await until(() => callsOf(agent, "POLICY_CHECK").length > 0);
    await agent.close();
    await until(async () => (await breakers(gateway)).includes("open"));
    await passed(1_200);
    const back = use(await standIn(handlersOf(5), agent.port));
    expect(await endsOf(gateway, runs)).toEqual(runs.map(() => "ok"));
    const ids = [...agent.calls, ...back.calls].flatMap(({ body }) => body.request_id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("fails no plan by cancelling what it is at when it is stopped", async () => {
    const { PRICE_OPTIMIZATION: optimize, ...others } = handlersOf(5);
    const stopping = failing("CANCELLED", "The run was cancelled.");
    let calls = 0;
    const agent = use(
      await standIn({
        ...others,
        PRICE_OPTIMIZATION: (call) => (++calls > PLANS ? optimize?.(call) : stopping(call)),
      }),
    );
    const gateway = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
    const runs = await startPlans(gateway);
    expect(await endsOf(gateway, runs)).toEqual(runs.map(() => "ok"));
    expect(calls).toBe(2 * PLANS);
  });

  test("fails asks at once while it is away, and serves them as soon as it is ready again", async () => {
    const agent = await standIn({ PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION) });
    const gateway = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
    const propose = () =>
      ask(`${gateway.url}/api/v1/chat`, { body: { message: "propose", session_id: randomUUID() } });
    expect((await propose()).status).toBe(200);
    await agent.close();
    for (let i = 0; i < 6; i++) expect((await propose()).status).toBe(503);
    expect(await breakers(gateway)).toContain("open");
    let slow = true;
    const held: Call[] = [];
    const optimize = (call: Call) => {
      if (!slow) return answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION)(call);
      held.push(call);
    };
    use(await standIn({ PRICE_OPTIMIZATION: optimize }, agent.port));
    await until(async () => !(await breakers(gateway)).includes("open"));
    // The first ask after the outage takes long. It keeps nobody out.
    const long = propose();
    await until(() => held.length === 1);
    slow = false;
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await propose()).status));
    expect(statuses).toEqual(statuses.map(() => 200));
    for (const call of held) finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect((await long).status).toBe(200);
  });
});

test("a gateway that was frozen blames nobody", async () => {
  const agent = use(await standIn(handlersOf(100)));
  const manifest = pricingMesh(agent.url);
  for (const each of Object.values(manifest.agents)) each.limits = { ...each.limits, timeout_ms: 1_000 };
  const gateway = use(await gatewayProcess({ manifest, redisUrl: redis.url }));
  const runs = await startPlans(gateway);
  await until(() => callsOf(agent, "PRICE_OPTIMIZATION").length > 5);
  gateway.child.kill("SIGSTOP");
  await passed(3_000);
  gateway.child.kill("SIGCONT");
  expect(await endsOf(gateway, runs)).toEqual(runs.map(() => "ok"));
  expect(new Set(await breakers(gateway))).toEqual(new Set(["closed"]));
  expect((await get(gateway, "/metrics")).text).not.toContain('outcome="upstream_timeout"');
});
