import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import type { Answer } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, get, post, toRest, type Where } from "./support/people.ts";
import { type RedisServer, startRedis, testRedis } from "./support/redis.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();

/** Longer than the test file takes. */
const WINDOW_S = 3_600;
const SUBJECT = 20;
const TENANT = 50;

let redisUrl: string;
let redis: Redis;
let agent: StandIn;
/** Two replicas with the same limits. */
let replicas: GatewayProcess[];

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  const client = new Redis(redisUrl);
  redis = client;
  keep({ stop: () => client.disconnect() });
  agent = keep(
    await standIn({
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
      PRICE_EXPLANATION: answering(
        {},
        {
          status: "error",
          ok: false,
          error: { code: "INTERNAL", message: "no" },
          usage: { total_tokens: 10 },
        },
      ),
      PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION, {
        usage: { input_tokens: 30, output_tokens: 20 },
      }),
    }),
  );
  const limits = {
    subject: { points: SUBJECT, per_s: WINDOW_S },
    tenant: { points: TENANT, per_s: WINDOW_S },
  };
  const options = { manifest: { ...pricingMesh(agent.url), limits }, redisUrl };
  replicas = await Promise.all([gatewayProcess(options), gatewayProcess(options)]);
  for (const replica of replicas) keep(replica);
});

/** A tenant of its own for each test. */
const newTenant = (): string => `t-${randomUUID()}`;

const TOOLS = "/api/v1/chat/tools";

/** Sends a request of each caller at once, to the replicas in turn. */
function flood(callers: readonly Record<string, string>[]): Promise<Answer[]> {
  return Promise.all(callers.map((caller, n) => get(replicas[n % 2] as GatewayProcess, TOOLS, caller)));
}

const times = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => one(n));
const statuses = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** Follows runs to their end: what a gateway leaves in the queue, the next one executes. */
async function ended(where: Where, runs: readonly Answer[], tenant: string): Promise<void> {
  const operator = as("ola", "operator", tenant);
  for (const run of runs) await toRest(where, String(run.json().run_id), operator);
}

async function limited(limits: object, url = redisUrl): Promise<TestGateway> {
  return use(await testGateway({ manifest: { ...pricingMesh(agent.url), limits }, redisUrl: url }));
}

describe("over two replicas", () => {
  test("a subject gets exactly as many requests as its limit says, however many it sends at once", async () => {
    const ann = as("ann", "", newTenant());
    const answers = await flood(times(45, () => ann));
    expect([statuses(answers, 200), statuses(answers, 429)]).toEqual([SUBJECT, 45 - SUBJECT]);
    const left = answers.flatMap(({ status, headers }) =>
      status === 200 ? [Number(/^"subject";r=(\d+);/.exec(String(headers.ratelimit))?.[1])] : [],
    );
    expect(left.toSorted((a, b) => a - b)).toEqual(times(SUBJECT, (n) => n));
  });

  test("a tenant gets exactly as many requests of all its subjects", async () => {
    const tenant = newTenant();
    const answers = await flood(times(80, (n) => as(`user-${n % 8}`, "", tenant)));
    expect([statuses(answers, 200), statuses(answers, 429)]).toEqual([TENANT, 80 - TENANT]);
  });

  test("the flood of one tenant takes nothing from another, nor from its own users while it is refused from memory", async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const ann = as("ann", "", tenant);
    await flood(times(SUBJECT, () => ann));
    // Both replicas learn that the window is used up.
    const first = await flood([ann, ann]);
    expect(statuses(first, 429)).toBe(2);
    const refused = await flood(times(100, () => ann));
    expect(statuses(refused, 429)).toBe(100);
    const answers = await flood([as("bo", "", tenant), as("ann", "", other)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [own, foreign] = answers.map(({ headers }) => String(headers.ratelimit));
    // Of the 122 requests of ann at most the first 22 were counted for the tenant.
    expect(Number(/"tenant";r=(\d+)/.exec(own ?? "")?.[1])).toBeGreaterThanOrEqual(TENANT - SUBJECT - 3);
    expect(foreign).toContain(`"tenant";r=${TENANT - 1};`);
  });

  test("a refusal costs no round trip while the window lasts", async () => {
    const tenant = newTenant();
    const ann = as("ann", "", tenant);
    await flood(times(SUBJECT, () => ann));
    await flood([ann, ann]);
    const keys = await redis.keys(`il:{${tenant}}:rate:*`);
    expect(keys).toHaveLength(2);
    const before = await redis.mget(keys);
    const answers = await flood(times(40, () => ann));
    expect(statuses(answers, 429)).toBe(40);
    expect(await redis.mget(keys)).toEqual(before);
  });
});

test("answers carry the policies and what is left; refusals say when to come back", async () => {
  const gateway = await limited({
    subject: { points: 2, per_s: 60 },
    tenant: { points: 9, per_s: 120 },
    global: { points: 1_000, per_s: 60 },
  });
  const ann = as("ann", "", newTenant());
  const answer = await get(gateway, TOOLS, ann);
  expect(answer.headers["ratelimit-policy"]).toBe('"subject";q=2;w=60, "tenant";q=9;w=120');
  expect(answer.headers.ratelimit).toMatch(/^"subject";r=1;t=([1-9]|[1-5]\d|60), "tenant";r=8;t=(\d+)$/);
  await get(gateway, TOOLS, ann);
  const refused = await post(gateway, "/api/v1/chat", { message: "hello", session_id: randomUUID() }, ann);
  expect(refused.status).toBe(429);
  expect(gatewayContract.error(refused.json())).toMatchObject({ ok: true });
  expect(refused.json()).toMatchObject({ code: "rate_limited", retryable: true });
  expect(refused.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(refused.headers.ratelimit).toMatch(/^"subject";r=0;t=\d+$/);
  expect(refused.headers["ratelimit-policy"]).toContain('"subject";q=2;w=60');
  expect((await get(gateway, "/metrics")).text).toMatch(
    /interlock_rate_limited_total\{limit="subject"\} 1\b/,
  );
});

test("streams and accepted runs carry them too", async () => {
  const gateway = await limited({ subject: { points: 100, per_s: 60 } });
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const body = { message: "hello", session_id: randomUUID() };
  for (const [path, more] of [
    ["/api/v1/chat", {}],
    ["/api/v1/chat?stream=true", {}],
    ["/api/v1/runs", { flow: "pricing" }],
  ] as const) {
    const answer = await post(gateway, path, { ...body, ...more, session_id: randomUUID() }, ann);
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.ratelimit).toMatch(/^"subject";r=\d+;t=\d+$/);
    if (answer.status === 202) await ended(gateway, [answer], tenant);
  }
});

test.each([
  ["/api/v1/chat", 200],
  ["/api/v1/chat?stream=true", 200],
  ["/api/v1/runs", 202],
  ["/api/v1/policy/check", 200],
])("no more than the limit is begun by POST %s, however many come at once", async (path, accepted) => {
  const gateway = await limited({ subject: { points: 3, per_s: WINDOW_S } });
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const answers = await Promise.all(
    times(9, () => post(gateway, path, { message: "hello", session_id: randomUUID() }, ann)),
  );
  expect([statuses(answers, accepted), statuses(answers, 429)]).toEqual([3, 6]);
  const runs = answers.filter(({ status }) => status === 202);
  await ended(gateway, runs, tenant);
});

test("without limits nothing is counted and no field is sent", async () => {
  const tenant = newTenant();
  const gateway = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl }));
  const answer = await get(gateway, TOOLS, as("ann", "", tenant));
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  expect(await redis.keys(`il:{${tenant}}:rate:*`)).toEqual([]);
});

test("the next window begins with a full limit", async () => {
  const gateway = await limited({ subject: { points: 3, per_s: 1 } });
  const ann = as("ann", "", newTenant());
  const asked = () => get(gateway, TOOLS, ann);
  // At once, so that they are in one window however slow the machine is.
  await until(async () => statuses(await Promise.all(times(9, asked)), 429) > 0);
  await until(async () => (await asked()).status === 200);
});

test("the global limit refuses whoever comes, and does not tell what others do", async () => {
  await redis.del("il:rate");
  const gateway = await limited({ global: { points: 4, per_s: 60 } });
  const answers = await Promise.all(
    times(6, (n) => get(gateway, TOOLS, as("ann", "", `${newTenant()}${n}`))),
  );
  expect([statuses(answers, 200), statuses(answers, 429)]).toEqual([4, 2]);
  expect(answers.find(({ status }) => status === 200)?.headers.ratelimit).toBeUndefined();
  expect(answers.find(({ status }) => status === 429)?.headers.ratelimit).toMatch(/^"global";r=0;t=\d+$/);
  await redis.del("il:rate");
});

describe("what is sent to agents", () => {
  test.each([
    ["an agent", { agents: { policy: { points: 2, per_s: WINDOW_S } } }],
    ["a tool", { tools: { policy_check: { points: 2, per_s: WINDOW_S } } }],
  ])("is limited by %s, for each tenant", async (_, limits) => {
    const gateway = await limited(limits);
    const [tenant, other] = [newTenant(), newTenant()];
    const direct = (caller: Record<string, string>) => post(gateway, "/api/v1/policy/check", {}, caller);
    const ask = (caller: Record<string, string>) =>
      post(gateway, "/api/v1/chat", { message: "check", session_id: randomUUID() }, caller);
    const before = callsOf(agent, "POLICY_CHECK").length;
    expect((await direct(as("ann", "", tenant))).status).toBe(200);
    expect((await ask(as("bo", "", tenant))).status).toBe(200);
    const refused = [await direct(as("cy", "", tenant)), await ask(as("cy", "", tenant))];
    for (const answer of refused) {
      expect([answer.status, answer.json().code]).toEqual([429, "rate_limited"]);
      expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
    }
    expect((await direct(as("ann", "", other))).status).toBe(200);
    expect(callsOf(agent, "POLICY_CHECK").length - before).toBe(3);
  });

  test("waits in a plan until the next window", async () => {
    const windowS = 3;
    const gateway = await limited({ agents: { optimizer: { points: 1, per_s: windowS } } });
    const tenant = newTenant();
    const key = `il:{${tenant}}:rate:agent:optimizer`;
    const since = performance.now();
    // As another replica does that sends the request of this window.
    await redis.set(key, 1, "EX", windowS);
    const answer = await post(
      gateway,
      "/api/v1/chat?plan=true",
      { message: "propose", session_id: randomUUID(), inputs: {} },
      as("ann", "", tenant),
    );
    expect(answer.status).toBe(200);
    expect(performance.now() - since).toBeGreaterThan(windowS * 990);
  });
});

describe("tokens of a day", () => {
  test("are charged as agents report them; a tenant that has none left is refused until midnight", async () => {
    const gateway = await limited({ tokens_per_day: 60 });
    const [tenant, other] = [newTenant(), newTenant()];
    const ask = (caller: Record<string, string>) =>
      post(gateway, "/api/v1/chat", { message: "propose", session_id: randomUUID() }, caller);
    // 50 tokens each: the second begins while 10 are left.
    for (const user of ["ann", "bo"]) expect((await ask(as(user, "", tenant))).status).toBe(200);
    const used = () => redis.keys(`il:{${tenant}}:tokens:*`).then(([key = ""]) => redis.get(key));
    await until(async () => (await used()) === "100");
    const refused = await ask(as("ann", "", tenant));
    expect([refused.status, refused.json().code]).toEqual([429, "quota_exceeded"]);
    const retryAfter = Number(refused.headers["retry-after"]);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(86_400);
    // What uses no tokens goes on.
    expect((await get(gateway, TOOLS, as("ann", "", tenant))).status).toBe(200);
    expect((await ask(as("ann", "", other))).status).toBe(200);
  });
});

test("a task that fails is charged for the tokens that it reports, too", async () => {
  const gateway = await limited({ tokens_per_day: 10 });
  const ann = as("ann", "", newTenant());
  const ask = () => post(gateway, "/api/v1/chat", { message: "explain", session_id: randomUUID() }, ann);
  expect((await ask()).status).toBe(502);
  await until(async () => (await ask()).status === 429);
});

describe("while the store is away", () => {
  let store: RedisServer;
  let gateway: TestGateway;

  beforeAll(async () => {
    store = keep(await startRedis());
    const limits = { subject: { points: 1_000, per_s: 60 }, tokens_per_day: 1_000 };
    gateway = keep(
      await testGateway({ manifest: { ...pricingMesh(agent.url), limits }, redisUrl: store.url }),
    );
    await store.kill();
    await until(async () => (await get(gateway, "/readyz")).json().store === "away");
  });

  test.each([
    ["/api/v1/chat", { message: "hello", session_id: "s" }],
    ["/api/v1/runs", { flow: "pricing", session_id: "s" }],
    ["/api/v1/policy/check", {}],
    ["/api/v1/approvals/a/decision", { decision: "approve", proposal_hash: "0".repeat(64) }],
  ])("POST %s is refused: it would go uncounted", async (path, body) => {
    const answer = await post(gateway, path, body, as("ann", "pricing_approver"));
    expect([answer.status, answer.json().code]).toEqual([503, "store_unavailable"]);
  });

  test.each(["/healthz", "/metrics", TOOLS, "/api/v1/agents", "/api/v1/chat/health"])(
    "GET %s is served",
    async (path) => {
      expect((await get(gateway, path, as("ann"))).status).toBe(200);
    },
  );
});
