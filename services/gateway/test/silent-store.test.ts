import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { pricingMesh } from "./support/mesh.ts";
import { StoreView } from "./support/publishing.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

/** Well over the 3 s after which a caller hears that the store is silent, and less than two such times. */
const SILENT_MS = 5_000;

const keep = closingAtEnd();
let redis: RedisServer;
let gateway: TestGateway;

beforeAll(async () => {
  redis = keep(await startRedis());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: answering({}) }));
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
});

test("while the store is silent every caller hears so in time, also those whose command waits for others", async () => {
  const { redis: store } = keep(new StoreView(redis.url));
  const chat = { message: "hello", session_id: randomUUID() };
  const { json } = await ask(`${gateway.url}/api/v1/chat`, { body: chat });
  await store.call("CLIENT", "PAUSE", SILENT_MS, "ALL");
  let silent = true;
  const speaks = store.ping().then(() => (silent = false));
  const outcomes: unknown[] = [];
  const asking = async (path: string, body?: object) => {
    const { status } = await ask(`${gateway.url}${path}`, body ? { body } : {});
    outcomes.push([path, status, silent]);
  };
  const wave = () => [
    asking("/api/v1/runs"),
    asking(`/api/v1/runs/${json().thread_id}`),
    asking("/api/v1/sessions"),
    asking("/api/v1/chat", { message: "hello", session_id: randomUUID() }),
  ];
  const first = wave();
  // The commands of the first wave are under way when the others come.
  await ask(`${gateway.url}/healthz`);
  await Promise.all([...first, ...wave(), ...wave()]);
  expect(outcomes.filter((one) => !Array.isArray(one) || one[1] !== 503 || one[2] !== true)).toEqual([]);
  expect(outcomes).toHaveLength(12);
  expect((await ask(`${gateway.url}/readyz`)).json()).toMatchObject({ status: "ready", store: "away" });
  expect(silent).toBe(true);
  await speaks;
  await until(async () => (await ask(`${gateway.url}/readyz`)).json().store === "ok");
});
