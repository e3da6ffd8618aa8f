import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { keysOf } from "../src/store/keys.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, as, get, LEE, pauseOf, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const check = holding();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await testRedis());
  agent = keep(await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler }));
});

const replica = async (env: Record<string, string> = {}): Promise<TestGateway> =>
  use(await testGateway({ manifest: publishingMesh(agent.url), redisUrl: redis.url, env }));

const goals = ["policy"];

describe("a background run", () => {
  test("is accepted at once with its place, and executed by whoever has room", async () => {
    const gateway = await replica();
    const body = { flow: "pricing", goals, session_id: randomUUID(), inputs: { items: [] } };
    const answer = await post(gateway, "/api/v1/runs", body, ANN);
    expect(answer).toMatchObject({ status: 202 });
    expect(gatewayContract.runAccepted(answer.json())).toMatchObject({ ok: true });
    const { run_id, links } = answer.json() as { run_id: string; links: Record<string, string> };
    expect(answer.headers.location).toBe(links.self);
    const call = await check.next();
    expect((await get(gateway, `/api/v1/runs/${run_id}`, ANN)).json()).toMatchObject({ state: "running" });
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    const stream = await EventReader.open(gateway.url + links.events, { headers: ANN });
    await stream.toEnd();
    expect(stream.frames.at(-1)?.event).toBe("run_finished");
    const view = (await get(gateway, String(answer.headers.location), ANN)).json();
    expect(gatewayContract.runView(view)).toMatchObject({ ok: true });
    expect(view).toMatchObject({ state: "finished", attempts: 1, result: { status: "ok" } });
  });

  test("may be asked for by a message; what does not read, or name a flow and its goals, is refused", async () => {
    const gateway = await replica();
    const run = await startRun(gateway, { message: COMPOSITE_ASK });
    const call = await check.next();
    expect(call.body.workflow_id).toBe(run);
    await post(gateway, `/api/v1/runs/${run}/cancel`, undefined, ANN);
    const session_id = randomUUID();
    for (const body of [
      { session_id },
      { flow: "pricing" },
      { flow: "absent", session_id },
      { flow: "pricing", goals: ["absent"], session_id },
      { flow: "pricing", goals: [], session_id },
      { flow: "pricing", session_id, more: 1 },
    ]) {
      const refused = await post(gateway, "/api/v1/runs", body, ANN);
      expect([body, refused.status]).toEqual([body, 400]);
    }
  });
});

test("what a replica has no room for goes over the queue to one that has", async () => {
  const small = await replica({ MAX_RUNS: "1" });
  const chat = () =>
    EventReader.open(`${small.url}/api/v1/chat?stream=true&plan=true`, {
      headers: ANN,
      body: { message: "check", session_id: randomUUID() },
    });
  const first = await chat();
  const held = await check.next();
  // Claimed at once; the second waits in the queue, and the replica's own worker may take it.
  const second = await chat();
  const third = await chat();
  const other = await replica();
  const calls = [await check.next(), await check.next()];
  for (const call of [held, ...calls]) finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  for (const stream of [first, second, third]) {
    expect(await stream.over).toBe("ended");
    expect(stream.data.at(-1)).toMatchObject({ done: true, message: "Passed: true" });
    expect(stream.data.map(({ seq }) => seq)).toEqual(stream.data.map((_, index) => index + 1));
  }
  expect(other.logs()).toContain("run rests");
  // Every run was executed once.
  const runs = [first, second, third].map((stream) => stream.headers["x-run-id"]);
  for (const run of runs) {
    const asked = callsOf(agent, "POLICY_CHECK").filter(({ body }) => body.workflow_id === run);
    expect(asked).toHaveLength(1);
  }
});

test("a replica that is full leaves what is on the queue for later, or for another", async () => {
  const gateway = await replica({ MAX_RUNS: "1" });
  const store = use(new StoreView(redis.url));
  const stream = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true&plan=true`, {
    headers: ANN,
    body: { message: "check", session_id: randomUUID() },
  });
  const held = await check.next();
  const waiting = await startRun(gateway, { flow: "pricing", goals });
  const asked = () => callsOf(agent, "POLICY_CHECK").filter(({ body }) => body.workflow_id === waiting);
  // Its job was taken from the queue, and put back.
  await until(async () => (await store.redis.zcard("{il-queue}:runs:delayed")) === 1);
  expect(asked()).toHaveLength(0);
  expect((await get(gateway, `/api/v1/runs/${waiting}`, ANN)).json()).toMatchObject({ state: "queued" });
  finish(held, GOOD_OUTPUTS.POLICY_CHECK);
  const call = await check.next();
  expect(call.body.workflow_id).toBe(waiting);
  finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  expect(await stream.over).toBe("ended");
  expect((await toRest(gateway, waiting)).at(-1)).toMatchObject({ type: "run_finished" });
});

test("a user who starts all that he can leaves room for others, on the queue too", async () => {
  const gateway = await replica({ MAX_RUNS: "4" });
  const plans = await Promise.all(
    Array.from({ length: 6 }, () => startRun(gateway, { flow: "pricing", goals })),
  );
  const held = [await check.next(), await check.next()];
  const chat = (message: string, headers: Record<string, string>) =>
    post(gateway, "/api/v1/chat", { message, session_id: randomUUID() }, headers);
  expect([(await chat("hello", ANN)).status, (await chat("hello", LEE)).status]).toEqual([503, 200]);

  // Queued behind four plans of ann, of which none may start.
  const other = await startRun(gateway, { flow: "pricing", goals }, LEE);
  const call = await check.next();
  expect(call.body).toMatchObject({ workflow_id: other, user_id: "lee" });
  for (const one of [...held, call]) finish(one, GOOD_OUTPUTS.POLICY_CHECK);
  for (let left = plans.length - held.length; left > 0; left--)
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
  const ends = await Promise.all(plans.map((run) => toRest(gateway, run)));
  expect(new Set(ends.map((events) => events.at(-1)?.type))).toEqual(new Set(["run_finished"]));
});

test("a hundred background runs are all executed, each once", async () => {
  const [one, two] = [await replica(), await replica()];
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      startRun(n % 2 ? one : two, { flow: "publishing", goals: ["publishing"] }),
    ),
  );
  const ends = await Promise.all(ids.map((id, n) => toRest(n % 2 ? two : one, id)));
  expect(new Set(ends.map((events) => events.at(-1)?.type))).toEqual(new Set(["run_paused"]));
  const asked = callsOf(agent, "PRICE_OPTIMIZATION").map(({ body }) => String(body.workflow_id));
  expect(ids.filter((id) => asked.filter((run) => run === id).length !== 1)).toEqual([]);
});

test("the list has a tenant's runs, latest first, by state and session, a page at a time", async () => {
  const gateway = await replica();
  const caller = as("ann", "", randomUUID());
  const session_id = randomUUID();
  const made: string[] = [];
  for (let n = 0; n < 5; n++) {
    const run = await startRun(gateway, { flow: "publishing", ...(n % 2 ? { session_id } : {}) }, caller);
    await toRest(gateway, run, caller);
    made.unshift(run);
  }
  await post(gateway, `/api/v1/runs/${made[0]}/cancel`, undefined, caller);
  const page = async (query: string) => {
    const answer = await get(gateway, `/api/v1/runs?${query}`, caller);
    expect(gatewayContract.runList(answer.json())).toMatchObject({ ok: true });
    const { runs, next } = answer.json() as { runs: { run_id: string }[]; next?: string };
    return { ids: runs.map(({ run_id }) => run_id), next };
  };
  const all = async (query: string) => {
    const seen: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const { ids, next }: { ids: string[]; next: string | undefined } = await page(
        `${query}&before=${cursor}`,
      );
      seen.push(...ids);
      cursor = next;
    }
    return seen;
  };
  expect(await all("limit=2")).toEqual(made);
  expect(await all("limit=2&state=paused")).toEqual(made.slice(1));
  expect(await all("limit=2&state=cancelled")).toEqual(made.slice(0, 1));
  expect(await all(`limit=2&session_id=${session_id}`)).toEqual([made[1], made[3]]);
  expect((await get(gateway, "/api/v1/runs?state=odd", caller)).status).toBe(400);
  expect((await get(gateway, `/api/v1/runs/${made[0]}`, ANN)).status).toBe(404);
});

test("what was put into the outbox, and never onto the queue, is found", async () => {
  const gateway = await replica();
  const store = use(new StoreView(redis.url));
  // As it is left by a replica that was killed between accepting a run and telling the queue: accepted, and nobody else knows.
  const run = await startRun(gateway, { flow: "publishing" });
  const { seq } = pauseOf(run, await toRest(gateway, run));
  const keys = keysOf("default");
  await store.redis.hset(keys.run(run), { state: "resuming", epoch: 7 });
  await store.redis.zadd(keys.outbox, 0, `run|${run}|7`);
  expect((await toRest(gateway, run, ANN, seq)).at(-1)).toMatchObject({ type: "run_paused" });
});
