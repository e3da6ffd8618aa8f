import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import type { Answer } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, get, post, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const held = holding();

let redis: Redis;
let redisUrl: string;
let agent: StandIn;
/** Until it is resolved, plans stay open. */
let ending = Promise.withResolvers<void>();

async function endPlans(): Promise<never> {
  for (;;) {
    const call = await held.next();
    await ending.promise;
    finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  }
}

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  const client = new Redis(redisUrl);
  redis = client;
  keep({ stop: () => client.disconnect() });
  agent = keep(
    await standIn({ PRICE_OPTIMIZATION: held.handler, POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK) }),
  );
  void endPlans();
});

const options = (env: Record<string, string>) => ({ manifest: pricingMesh(agent.url), redisUrl, env });
const started = async (env: Record<string, string>): Promise<TestGateway> =>
  use(await testGateway(options(env)));
const newTenant = (): string => `t-${randomUUID()}`;
type Caller = Record<string, string>;

function chat(where: TestGateway, session: string, caller: Caller, more: object = {}): Promise<Answer> {
  return post(where, "/api/v1/chat", { message: "check", session_id: session, ...more }, caller);
}

function startPlan(where: TestGateway, caller: Caller): Promise<Answer> {
  const body = { session_id: randomUUID(), flow: "pricing", goals: ["optimizer"], inputs: {} };
  return post(where, "/api/v1/runs", body, caller);
}

const openRuns = (tenant: string, subject: string): Promise<number> =>
  redis.zcard(`il:{${tenant}}:owner:test:${subject}:open`);

function expectQuota(answer: Answer, quota: string): void {
  expect(answer.json()).toMatchObject({ code: "quota_exceeded", quota });
  expect(answer.status).toBe(429);
  expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
}

test("a subject has no more sessions than it may; those it has go on", async () => {
  const gateway = await started({ MAX_SUBJECT_SESSIONS: "2" });
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  for (const session of ["one", "two"]) expect((await chat(gateway, session, ann)).status).toBe(200);
  expectQuota(await chat(gateway, "three", ann), "sessions");
  expect((await get(gateway, "/api/v1/sessions/three", ann)).status).toBe(404);
  expect((await chat(gateway, "one", ann)).status).toBe(200);
  expect((await chat(gateway, "three", as("bo", "", tenant))).status).toBe(200);
  expect((await chat(gateway, "three", as("ann", "", newTenant()))).status).toBe(200);
  // One that has expired makes room, though the index still names it.
  await redis.zadd(`il:{${tenant}}:owner:test:ann:sessions`, 1, "one");
  expect((await chat(gateway, "three", ann)).status).toBe(404);
  expect((await chat(gateway, "four", ann)).status).toBe(200);
});

test("of runs that start at once on two replicas a subject gets exactly as many as it may have open; each that ends makes room", async () => {
  const replicas = await Promise.all([
    started({ MAX_SUBJECT_RUNS: "3" }),
    started({ MAX_SUBJECT_RUNS: "3" }),
  ]);
  const [gateway] = replicas;
  if (!gateway) throw new Error("no replica");
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, n) => startPlan(replicas[n % 2] ?? gateway, ann)),
  );
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(3);
  for (const answer of answers) if (answer.status !== 202) expectQuota(answer, "runs");
  expect((await startPlan(gateway, as("bo", "", tenant))).status).toBe(202);

  const ids = accepted.map((answer) => String(answer.json().run_id));
  await post(gateway, `/api/v1/runs/${ids[0]}/cancel`, undefined, ann);
  expect((await startPlan(gateway, ann)).status).toBe(202);
  expectQuota(await startPlan(gateway, ann), "runs");

  // All of them end, by themselves.
  ending.resolve();
  await until(async () => (await openRuns(tenant, "ann")) === 0 && (await openRuns(tenant, "bo")) === 0);
  expect((await startPlan(gateway, ann)).status).toBe(202);
});

test("the count is right after the replica that executes the runs is killed", async () => {
  ending = Promise.withResolvers();
  const env = { MAX_SUBJECT_RUNS: "2", LEASE_MS: "1000" };
  const [first, second] = await Promise.all([gatewayProcess(options(env)), gatewayProcess(options(env))]);
  use(first);
  use(second);
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) ids.push(String((await startPlan(first, ann)).json().run_id));
  await first.stop();
  expectQuota(await startPlan(second, ann), "runs");
  ending.resolve();
  const ends = await Promise.all(ids.map((id) => toRest(second, id, ann)));
  expect(ends.map((events) => events.at(-1)?.type)).toEqual(["run_finished", "run_finished"]);
  expect(await openRuns(tenant, "ann")).toBe(0);
  expect((await startPlan(second, ann)).status).toBe(202);
});

test("a subject's runs write no more bytes than they may while their records are kept", async () => {
  const gateway = await started({ MAX_SUBJECT_BYTES: String(1024 * 1024) });
  const tenant = newTenant();
  const ann = as("ann", "", tenant);
  const inputs = { text: "x".repeat(600 * 1024) };
  const session = randomUUID();
  for (let n = 0; n < 2; n++) expect((await chat(gateway, session, ann, { inputs })).status).toBe(200);
  expectQuota(await chat(gateway, session, ann), "bytes");
  expect((await chat(gateway, randomUUID(), as("bo", "", tenant))).status).toBe(200);
  // What was written before the oldest records that are kept does not count.
  const key = `il:{${tenant}}:owner:test:ann:bytes`;
  const [day = ""] = await redis.hkeys(key);
  await redis.rename(key, `${key}:new`);
  await redis.hset(key, String(Number(day) - 9), (await redis.hget(`${key}:new`, day)) ?? "");
  expect((await chat(gateway, session, ann)).status).toBe(200);
  expect(await redis.hkeys(key)).toEqual([day]);
});
