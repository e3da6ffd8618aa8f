import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { closing } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, decide, get, LEE, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { startRedis } from "./support/redis.ts";
import { finish, holding, standIn } from "./support/stand-in.ts";

const use = closing();

test("while the store is full nothing is accepted or decided, all is still readable, and nothing is lost", async () => {
  const redis = use(await startRedis());
  const store = use(new StoreView(redis.url));
  const check = holding();
  const agent = use(await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler }));
  const gateway = use(
    await testGateway({
      manifest: publishingMesh(agent.url),
      redisUrl: redis.url,
      env: { LEASE_MS: "1000" },
    }),
  );
  const waiting = await pausedRun(gateway, { flow: "publishing" });
  const running = await startRun(gateway, { flow: "pricing", goals: ["policy"] });
  const call = await check.next();

  await store.redis.config("SET", "maxmemory", "1mb");
  const session_id = randomUUID();
  const key = { ...ANN, "idempotency-key": randomUUID() };
  const refused = await post(gateway, "/api/v1/runs", { flow: "publishing", session_id }, key);
  expect([refused.status, refused.json().code]).toEqual([503, "store_unavailable"]);
  expect(refused.headers["retry-after"]).toBe("1");
  const undecided = await decide(gateway, waiting, "approve", LEE);
  expect(undecided.status).toBe(503);
  // Errors of the store hold what was to be written: none of it goes any further.
  expect(gateway.logs() + refused.text + undecided.text).not.toMatch(/OOM|maxmemory|A100/);
  expect((await get(gateway, `/api/v1/approvals/${waiting.approvalId}`, LEE)).json()).toMatchObject({
    state: "pending",
  });
  expect((await get(gateway, "/api/v1/approvals", LEE)).status).toBe(200);
  expect((await toRest(gateway, waiting.runId)).at(-1)).toMatchObject({ type: "run_paused" });
  // What the step came to cannot be written.
  finish(call, GOOD_OUTPUTS.POLICY_CHECK);

  await store.redis.config("SET", "maxmemory", "0");
  expect((await decide(gateway, waiting, "approve", LEE)).status).toBe(200);
  expect((await toRest(gateway, waiting.runId, ANN, waiting.seq)).at(-1)).toMatchObject({
    data: { status: "ok" },
  });
  expect((await post(gateway, "/api/v1/runs", { flow: "publishing", session_id }, key)).status).toBe(202);
  // The step is asked for again where its result was lost.
  void check.next().then((again) => finish(again, GOOD_OUTPUTS.POLICY_CHECK));
  expect((await toRest(gateway, running)).at(-1)).toMatchObject({
    type: "run_finished",
    data: { status: "ok" },
  });
});
