import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, get, pausedRun, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { finish, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
const check = holding();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await testRedis());
  agent = keep(await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler }));
});

/** A mesh whose approvals expire soon. */
function hastyMesh() {
  const mesh = publishingMesh(agent.url);
  const { publish, ...steps } = mesh.flows.publishing.steps;
  const approval = { ...RULE, expires_in_s: 2 };
  const publishing = { ...mesh.flows.publishing, steps: { ...steps, publish: { ...publish, approval } } };
  return { ...mesh, flows: { ...mesh.flows, publishing } };
}

/** What is lost of the queues: all of it, or their lists, while what they list stays. */
const LOST = { everything: () => true, "the lists alone": (type: string) => type !== "hash" };

test.each(Object.entries(LOST))("losing jobs changes nothing: %s", async (_, isLost) => {
  const gateway = use(
    await testGateway({ manifest: hastyMesh(), redisUrl: redis.url, env: { MAX_RUNS: "1" } }),
  );
  const store = use(new StoreView(redis.url));
  const paused = await pausedRun(gateway, { flow: "publishing" });
  const running = await startRun(gateway, { flow: "pricing", goals: ["policy"] });
  const call = await check.next();
  const session_id = randomUUID();
  const queued = await startRun(gateway, { flow: "pricing", goals: ["policy"], session_id });
  const jobs = await store.redis.keys("{il-queue}:*");
  expect(jobs.length).toBeGreaterThan(3);
  const types = await Promise.all(jobs.map((key) => store.redis.type(key)));
  await store.redis.del(...jobs.filter((_key, index) => isLost(types[index] ?? "")));
  expect((await get(gateway, `/api/v1/runs/${queued}`, ANN)).json()).toMatchObject({ state: "queued" });

  finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  const last = await check.next();
  expect(last.body.workflow_id).toBe(queued);
  finish(last, GOOD_OUTPUTS.POLICY_CHECK);
  const ends = [
    await toRest(gateway, running),
    await toRest(gateway, queued),
    await toRest(gateway, paused.runId, ANN, paused.seq),
  ];
  expect(ends.map((events) => events.at(-1)?.type)).toEqual(Array(3).fill("run_finished"));
  const decided = ends[2]?.find(({ type }) => type === "approval_decided");
  expect(decided).toMatchObject({ data: { decision: "expired" } });
});
