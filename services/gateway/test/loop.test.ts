import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const HELD_MS = 1_200;

const keep = closingAtEnd();
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: answering({}) }));
  const env = { LOOP_SHED_MS: String(HELD_MS - 200) };
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url, env }));
});

const chat = () =>
  ask(`${gateway.url}/api/v1/chat`, { body: { message: "hello", session_id: randomUUID() } });

/** The test and the gateway share a process, and so an event loop. */
function holdLoop(): void {
  const end = performance.now() + HELD_MS;
  while (performance.now() < end);
}

test("a stall of the event loop is reported, new work is shed for a while, and everything else is served", async () => {
  const before = await chat();
  await until(() => gateway.logs().includes('"msg":"run rests"'));
  holdLoop();
  await until(async () => (await chat()).status === 503);
  const refused = await ask(`${gateway.url}/api/v1/runs`, {
    body: { flow: "pricing", session_id: randomUUID() },
  });
  expect([refused.status, refused.json().code]).toEqual([503, "overloaded"]);
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
  expect((await ask(`${gateway.url}/api/v1/runs/${before.json().thread_id}`)).status).toBe(200);

  const { loop_stall_ms } = (await ask(`${gateway.url}/readyz`)).json();
  expect(loop_stall_ms).toBeGreaterThanOrEqual(HELD_MS - 200);
  const { text } = await ask(`${gateway.url}/metrics`);
  const [, seconds] = /^interlock_loop_stall_seconds ([\d.]+)$/m.exec(text) ?? [];
  expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(HELD_MS - 200);

  const lines = gateway.logs().split("\n");
  const line = lines.find((one) => one.includes('"msg":"the event loop was held"'));
  const { suspects } = JSON.parse(line ?? "{}");
  expect(suspects).toContain(`POST /api/v1/chat ${before.headers["x-request-id"]}`);
  expect(suspects).toContain(`run ${before.json().thread_id}`);

  await until(async () => (await chat()).status === 200);
});
