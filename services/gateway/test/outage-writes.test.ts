import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import type { Answer } from "./support/http.ts";
import { as, decide, get, LEE, pausedRun, post } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: RedisServer;
let gateway: TestGateway;
let pid: number;

beforeAll(async () => {
  redis = keep(await startRedis());
  const agent = keep(await standIn(PUBLISHING));
  gateway = keep(await testGateway({ manifest: publishingMesh(agent.url), redisUrl: redis.url }));
  const client = new Redis(redis.url);
  pid = Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
  client.disconnect();
});

beforeEach(() => until(async () => (await get(gateway, "/readyz")).json().store === "ok"));

/** Redis stops answering, without closing a connection, until `thaw`. */
function freeze(): { thaw: () => void } {
  process.kill(pid, "SIGSTOP");
  const thaw = () => process.kill(pid, "SIGCONT");
  use({ stop: thaw });
  return { thaw };
}

const pause = (answer: Answer) =>
  new Promise((resolve) => setTimeout(resolve, 1_000 * Number(answer.headers["retry-after"] ?? 0.05)));

/** Starts a run and does what the answers say, without an Idempotency-Key. @returns the codes of the refusals */
async function obedient(caller: Record<string, string>): Promise<string[]> {
  const codes: string[] = [];
  for (;;) {
    const body = { flow: "pricing", goals: ["optimizer"], session_id: randomUUID() };
    const answer = await post(gateway, "/api/v1/runs", body, caller);
    if (answer.status === 202) return codes;
    const { code, retryable, thread_id } = answer.json();
    codes.push(String(code));
    if (!retryable && (await found(`/api/v1/runs/${thread_id}`, caller))) return codes;
    await pause(answer);
  }
}

/** Looks until the store says whether it is there. */
async function found(path: string, caller: Record<string, string>): Promise<boolean> {
  for (;;) {
    const answer = await get(gateway, path, caller);
    if (answer.status !== 503) return answer.status === 200;
    await pause(answer);
  }
}

describe("while the store does not answer", () => {
  test("callers without keys who do what they are told get exactly what they asked for", async () => {
    const caller = as("ann", "", randomUUID());
    const { thaw } = freeze();
    const clients = Array.from({ length: 10 }, () => obedient(caller));
    setTimeout(thaw, 5_000);
    const codes = (await Promise.all(clients)).flat();
    expect(codes.length).toBeGreaterThan(0);
    const { runs } = (await get(gateway, "/api/v1/runs?limit=100", caller)).json() as { runs: unknown[] };
    expect(runs).toHaveLength(10);
  });

  test("a write that may have taken effect is not called retryable, except under a key", async () => {
    const caller = as("ann", "", randomUUID());
    const ask = (key: object) =>
      post(gateway, "/api/v1/runs", { flow: "pricing", session_id: randomUUID() }, { ...caller, ...key });
    expect((await ask({})).status).toBe(202);
    for (const [key, retryable] of [
      [{}, false],
      [{ "idempotency-key": randomUUID() }, true],
    ] as const) {
      const { thaw } = freeze();
      const answer = await ask(key);
      thaw();
      expect(answer).toMatchObject({ status: 503 });
      expect(answer.json()).toMatchObject({ code: "outcome_unknown", retryable });
      expect(await found(`/api/v1/runs/${answer.json().thread_id}`, caller)).toBe(false);
    }
  });

  test("a decision that comes too late is not made", async () => {
    const run = await pausedRun(gateway, { flow: "publishing" });
    expect((await get(gateway, `/api/v1/approvals/${run.approvalId}`, LEE)).status).toBe(200);
    const client = use(new StoreView(redis.url)).redis;
    // Reads go on; every write waits.
    await client.client("PAUSE", 60_000, "WRITE");
    const answer = await decide(gateway, run, "approve", LEE);
    await client.client("UNPAUSE");
    expect(answer).toMatchObject({ status: 503 });
    // On a busy machine the tenant's mark may have to be written first: then nothing was sent, and the decision may be tried again.
    const { code, retryable, thread_id } = answer.json();
    if (code === "outcome_unknown") expect([retryable, thread_id]).toEqual([false, run.runId]);
    else expect([code, retryable]).toEqual(["store_unavailable", true]);
    const approval = (await get(gateway, `/api/v1/approvals/${run.approvalId}`, LEE)).json();
    expect(approval).toMatchObject({ state: "pending" });
    expect(await decide(gateway, run, "approve", LEE)).toMatchObject({ status: 200 });
  });
});

test("what a script cannot do with the data it finds is an error of the gateway, and not retryable", async () => {
  const tenant = randomUUID();
  const caller = as("ann", "analyst,operator", tenant);
  const client = use(new StoreView(redis.url)).redis;
  await client.set(keysOf(tenant).runs, "no sorted set");
  const body = { flow: "pricing", session_id: randomUUID() };
  for (const answer of [
    await get(gateway, "/api/v1/runs", caller),
    await post(gateway, "/api/v1/runs", body, caller),
  ]) {
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({ code: "internal", retryable: false });
  }
});
