import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { closing } from "./support/closing.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { ANN, decide, get, KIM, LEE, pausedRun, startRun, toRest } from "./support/people.ts";
import { PROPOSED, PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { startRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { finish, holding, standIn } from "./support/stand-in.ts";

const use = closing();

test("everything is killed while one run waits for approval and another is under way: both go on as if nothing had been", async () => {
  const redis = use(await startRedis());
  const robustness = holding();
  const agent = use(await standIn({ ...PUBLISHING, SENSITIVITY_ANALYSIS: robustness.handler }));
  const options = { manifest: publishingMesh(agent.url), redisUrl: redis.url, env: { LEASE_MS: "1000" } };

  const [one, two] = [use(await gatewayProcess(options)), use(await gatewayProcess(options))];
  const pausing = pausedRun(one, { flow: "publishing" });
  finish(await robustness.next());
  const paused = await pausing;
  const busy = await startRun(two, { flow: "publishing", session_id: randomUUID() });
  const cut = await EventReader.open(`${one.url}/api/v1/runs/${busy}/events`, { headers: ANN });
  await robustness.next();
  await cut.until((frames) => frames.some(({ data }) => data.includes('"node":"robustness"')));
  const audit = (await get(two, `/api/v1/approvals/${paused.approvalId}/audit`, LEE)).json();

  for (const gateway of [one, two]) gateway.child.kill("SIGKILL");
  await redis.kill();
  expect(await cut.over).toBe("cut");
  await redis.restart();
  const [three, four] = [use(await testGateway(options)), use(await testGateway(options))];
  const store = use(new StoreView(redis.url));

  // The approval is as it was; of two that approve it at once, one does.
  expect((await get(three, `/api/v1/approvals/${paused.approvalId}/audit`, LEE)).json()).toEqual(audit);
  const answers = await Promise.all([
    decide(three, paused, "approve", LEE),
    decide(four, paused, "approve", KIM),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const rest = await EventReader.open(`${four.url}/api/v1/runs/${paused.runId}/events?dialect=chat`, {
    headers: { ...ANN, "last-event-id": String(paused.seq) },
  });
  expect(await rest.over).toBe("ended");
  expect(rest.data.map(({ seq }) => seq)).toEqual(rest.data.map((_, index) => paused.seq + 1 + index));
  expect(rest.data.filter(({ done }) => done)).toEqual([rest.data.at(-1)]);
  expect(await store.published(paused.runId)).toMatchObject([{ payload: { payload: { prices: PROPOSED } } }]);

  // The reader that was cut comes back elsewhere, with what it has.
  const after = Number(cut.frames.at(-1)?.id);
  finish(await robustness.next());
  const resumed = await toRest(three, busy, ANN, after);
  expect(resumed[0]?.seq).toBe(after + 1);
  expect(resumed.at(-1)).toMatchObject({ type: "run_paused" });
});

test("a gateway that is told to stop while its store is away does stop", async () => {
  const redis = use(await startRedis());
  const robustness = holding();
  const agent = use(await standIn({ ...PUBLISHING, SENSITIVITY_ANALYSIS: robustness.handler }));
  const gateway = use(
    await gatewayProcess({
      manifest: publishingMesh(agent.url),
      redisUrl: redis.url,
      env: { SHUTDOWN_GRACE_MS: "100" },
    }),
  );
  await startRun(gateway, { flow: "publishing" });
  const call = await robustness.next();
  await redis.kill();
  finish(call);
  gateway.child.kill("SIGTERM");
  expect(await gateway.exited).toEqual({ code: 0, signal: null });
});
