import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { pricingMesh } from "./support/mesh.ts";
import { as, get } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const HELD_MS = 1_200;

const keep = closingAtEnd();
const use = closing();
let redisUrl: string;
let agentUrl: string;
let gateway: TestGateway;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: answering({}) }));
  agentUrl = agent.url;
  const env = { LOOP_SHED_MS: String(HELD_MS - 200) };
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl, env }));
});

const chat = (user = "busy") =>
  ask(`${gateway.url}/api/v1/chat`, {
    headers: as(user),
    body: { message: "hello", session_id: randomUUID() },
  });

/** The test and the gateway share a process, and so an event loop. */
function holdLoop(): void {
  const end = performance.now() + HELD_MS;
  while (performance.now() < end);
}

const stallsOf = ({ logs }: { logs(): string }): { stall_ms: number; own_ms: number; suspects: string[] }[] =>
  logs()
    .split("\n")
    .filter((line) => line.includes('"msg":"the event loop was held"'))
    .map((line) => JSON.parse(line));

test("a stall of the event loop is reported, new work of those who began some is shed for a while, and everything else is served", async () => {
  const before = await chat();
  await until(() => gateway.logs().includes('"msg":"run rests"'));
  holdLoop();
  await until(async () => (await chat()).status === 503);
  const refused = await ask(`${gateway.url}/api/v1/runs`, {
    headers: as("busy"),
    body: { flow: "pricing", session_id: randomUUID() },
  });
  expect([refused.status, refused.json().code]).toEqual([503, "overloaded"]);
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
  expect((await chat("other")).status).toBe(200);
  expect((await get(gateway, `/api/v1/runs/${before.json().thread_id}`, as("busy"))).status).toBe(200);

  const { loop_stall_ms } = (await get(gateway, "/readyz")).json();
  expect(loop_stall_ms).toBeGreaterThanOrEqual(HELD_MS - 200);
  const { text } = await get(gateway, "/metrics");
  const [, seconds] = /^interlock_loop_stall_seconds ([\d.]+)$/m.exec(text) ?? [];
  expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(HELD_MS - 200);

  // On a busy machine a first message may be reported, too.
  const { suspects, own_ms } = stallsOf(gateway).find(({ stall_ms }) => stall_ms > HELD_MS / 2) ?? {};
  expect(own_ms).toBeGreaterThan(0);
  expect(suspects).toContain(`POST /api/v1/chat ${before.headers["x-request-id"]}`);
  expect(suspects).toContain(`run ${before.json().thread_id}`);

  await until(async () => (await chat()).status === 200);
});

test("time for which the process was stopped is told from time for which the loop was at work", async () => {
  const gateway = use(await gatewayProcess({ manifest: pricingMesh(agentUrl), redisUrl }));
  const { child } = gateway;
  child.kill("SIGSTOP");
  const stopped = performance.now();
  await until(() => performance.now() - stopped > HELD_MS);
  child.kill("SIGCONT");
  const stall = () => stallsOf(gateway).find(({ stall_ms }) => stall_ms > HELD_MS / 2);
  await until(() => stall() !== undefined);
  expect(stall()?.own_ms).toBeLessThan(HELD_MS / 4);
});
