import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { event, finish, holding, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const optimizer = holding();
let redis: RedisServer;
let gateway: TestGateway;

beforeAll(async () => {
  redis = keep(await startRedis());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: optimizer.handler }));
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
});

beforeEach(async () => {
  await until(() => storeIs("ok"));
});

const get = (path: string) => ask(`${gateway.url}${path}`);
const storeIs = async (state: string) => (await get("/readyz")).json().store === state;
const hello = () =>
  ask(`${gateway.url}/api/v1/chat`, { body: { message: "hello", session_id: randomUUID() } });

test("while the store is away the gateway says so, and works again when it is back", async () => {
  const before = (await hello()).json();
  await redis.kill();
  const id = before.thread_id;
  for (const path of [
    "/api/v1/sessions",
    `/api/v1/runs/${id}`,
    `/api/v1/runs/${id}/events`,
    "/api/v1/runs",
  ]) {
    const answer = await get(path);
    expect([path, answer.status, answer.json().code]).toEqual([path, 503, "store_unavailable"]);
  }
  const refused = await hello();
  expect(refused.status).toBe(503);
  expect(gatewayContract.error(refused.json())).toMatchObject({ ok: true });
  expect(refused.json()).toMatchObject({ code: "store_unavailable", retryable: true });
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
  // Callers get an honest answer, so balancers go on sending.
  const ready = await get("/readyz");
  expect([ready.status, ready.json()]).toEqual([
    200,
    expect.objectContaining({ status: "ready", store: "away" }),
  ]);
  expect((await get("/metrics")).text).toMatch(/^interlock_store_up 0$/m);
  expect((await get("/api/v1/chat/health")).json()).toMatchObject({ status: "degraded" });
  expect((await get("/healthz")).status).toBe(200);
  expect((await get("/api/v1/agents")).status).toBe(200);

  await redis.restart();
  await until(() => storeIs("ok"));
  expect((await hello()).status).toBe(200);
  expect((await get(`/api/v1/runs/${id}`)).json()).toMatchObject({ state: "finished" });
  expect((await get("/api/v1/chat/health")).json()).toMatchObject({ status: "ok" });
  expect((await get("/metrics")).text).toMatch(/^interlock_store_up 1$/m);
});

test("a run under way and its readers live through an outage, and nothing of it is lost or told twice", async () => {
  const client = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
    body: { message: "Propose new prices", session_id: randomUUID() },
  });
  const call = await optimizer.next();
  const url = `${gateway.url}/api/v1/runs/${client.headers["x-run-id"]}/events`;
  const reader = await EventReader.open(`${url}?dialect=chat`);
  call.res.write(event("progress", { step: "before" }));
  const has = (step: string) => (frames: readonly { data: string }[]) =>
    frames.some(({ data }) => data.includes(step));
  await Promise.all([client.until(has("before")), reader.until(has("before"))]);
  await redis.kill();
  call.res.write(event("progress", { step: "meanwhile" }));
  await until(() => storeIs("away"));
  // What the store has not acknowledged, nobody has seen.
  expect(has("meanwhile")(client.frames)).toBe(false);
  await redis.restart();
  call.res.write(event("progress", { step: "after" }));
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  await Promise.all([client.toEnd(), reader.toEnd()]);
  expect(client.data.map((data) => data.seq)).toEqual(client.data.map((_, index) => index + 1));
  expect(client.data.at(-1)).toMatchObject({ done: true, message: "One price moves." });
  expect(client.data.flatMap(({ progress }) => progress)).toEqual(
    expect.arrayContaining([{ step: "before" }, { step: "meanwhile" }, { step: "after" }]),
  );
  expect(reader.text).toBe(client.text);
  const again = await EventReader.open(`${url}?dialect=chat`);
  await again.toEnd();
  expect(again.text).toBe(client.text);
});
