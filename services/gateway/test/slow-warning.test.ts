import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, eventsOf, openEvents } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const optimizer = holding();
let redisUrl: string;
let agent: StandIn;
let gateway: TestGateway;

const start = (env: Record<string, string> = {}) =>
  testGateway({ manifest: pricingMesh(agent.url), redisUrl, env: { SLOW_WARNING_MS: "50", ...env } });

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: optimizer.handler,
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
      PRICE_EXPLANATION: answering(GOOD_OUTPUTS.PRICE_EXPLANATION),
    }),
  );
  gateway = keep(await start());
});

const isWarning = ({ type }: { type: string }) => type === "warning";

test("a slow ask warns its reader once, as progress; the log has it for replays", async () => {
  const live = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
    headers: ANN,
    body: { message: "Propose new prices", session_id: randomUUID() },
  });
  const call = await optimizer.next();
  await live.until((frames) => frames.some(({ data }) => data.includes('"stage":"warning"')));
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  await live.toEnd();
  const warnings = live.data.filter(({ progress }) => Object(progress).stage === "warning");
  expect(warnings).toEqual([
    {
      seq: expect.any(Number),
      done: false,
      progress: { stage: "warning", code: "slow", message: expect.any(String) },
    },
  ]);
  for (const data of live.data) expect(gatewayContract.chatEvent(data)).toMatchObject({ ok: true });
  const log = await openEvents(gateway, String(live.headers["x-run-id"]));
  await log.toEnd();
  expect(eventsOf(log).filter(isWarning)).toHaveLength(1);
  for (const event of eventsOf(log)) expect(gatewayContract.runEvent(event)).toMatchObject({ ok: true });
});

test("a replica that carries a run on does not warn again", async () => {
  const first = await start({ SHUTDOWN_GRACE_MS: "0" });
  const live = await EventReader.open(`${first.url}/api/v1/chat?stream=true&plan=true`, {
    headers: ANN,
    body: { message: COMPOSITE_ASK, session_id: randomUUID() },
  });
  await optimizer.next();
  await live.until((frames) => frames.some(({ data }) => data.includes('"stage":"warning"')));
  await first.stop();
  finish(await optimizer.next(), GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  const after = await openEvents(gateway, String(live.headers["x-run-id"]));
  await after.toEnd();
  const events = eventsOf(after);
  expect(events.at(-1)).toMatchObject({ type: "run_finished" });
  expect(events.filter(isWarning)).toHaveLength(1);
});
