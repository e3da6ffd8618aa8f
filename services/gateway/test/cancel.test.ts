import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS } from "./support/mesh.ts";
import {
  ANN,
  as,
  decide,
  eventsOf,
  get,
  LEE,
  openEvents,
  pausedRun,
  post,
  startRun,
  toRest,
} from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, finish, gone, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const check = holding();
const explain = holding();
let store: StoreView;
let agent: StandIn;
let replicas: [TestGateway, TestGateway];

beforeAll(async () => {
  const redis = keep(await testRedis());
  store = keep(new StoreView(redis.url));
  agent = keep(
    await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler, PRICE_EXPLANATION: explain.handler }),
  );
  const options = { manifest: publishingMesh(agent.url), redisUrl: redis.url };
  replicas = [keep(await testGateway(options)), keep(await testGateway(options))];
});

/** What a cancelled run has to look like, now and later. */
async function expectCancelled(run: string): Promise<void> {
  for (const where of replicas) {
    const events = await toRest(where, run);
    expect(events.filter(({ type }) => /^run_(finished|failed|cancelled)$/.test(type))).toEqual([
      events.at(-1),
    ]);
    expect(events.at(-1)).toMatchObject({ type: "run_cancelled", data: { status: "cancelled" } });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect((await get(where, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({
      state: "cancelled",
      result: { status: "cancelled" },
    });
  }
}

const cancel = (where: TestGateway, run: string, headers = ANN) =>
  post(where, `/api/v1/runs/${run}/cancel`, undefined, headers);

const plan = (session_id = randomUUID()) =>
  EventReader.open(`${replicas[0].url}/api/v1/chat?stream=true`, {
    headers: ANN,
    body: { message: COMPOSITE_ASK, session_id },
  });
const runOf = (stream: EventReader) => String(stream.headers["x-run-id"]);

describe("cancelling a run under way", () => {
  test.each([0, 1] as const)("on replica %i: within 2 s its agent is told, and it ends once", async (n) => {
    const stream = await plan();
    const call = await check.next();
    const asked = performance.now();
    const answer = await cancel(replicas[n], runOf(stream));
    expect(answer).toMatchObject({ status: 200 });
    expect(gatewayContract.runCancelled(answer.json())).toMatchObject({ ok: true });
    await gone(call);
    expect(performance.now() - asked).toBeLessThan(2_000);
    expect(await stream.over).toBe("ended");
    expect(stream.data.at(-1)).toMatchObject({ done: true, code: "cancelled" });
    expect(stream.data.filter(({ done }) => done)).toHaveLength(1);
    await expectCancelled(runOf(stream));
  });

  test("reaches every step that runs", async () => {
    const stream = await EventReader.open(`${replicas[0].url}/api/v1/chat?stream=true`, {
      headers: ANN,
      body: { message: "full review", session_id: randomUUID() },
    });
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
    const call = await explain.next();
    await cancel(replicas[1], runOf(stream));
    await gone(call);
    await expectCancelled(runOf(stream));
  });

  test("by its thread, in the chat's own words; without a stream the caller hears it too", async () => {
    const session_id = randomUUID();
    const asking = post(replicas[0], "/api/v1/chat", { message: COMPOSITE_ASK, session_id }, ANN);
    const call = await check.next();
    const thread_id = String(call.body.workflow_id);
    const answer = await post(replicas[1], "/api/v1/chat/cancel", { thread_id }, ANN);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toEqual({ run_id: thread_id, thread_id, state: "cancelled" });
    const asked = await asking;
    expect([asked.status, asked.json().code, asked.json().thread_id]).toEqual([499, "cancelled", thread_id]);
    await expectCancelled(thread_id);
    const turns = (await get(replicas[1], `/api/v1/sessions/${session_id}`, ANN)).json().turns;
    expect(turns).toMatchObject([{ role: "user" }, { role: "assistant", status: "cancelled" }]);
  });

  test("is not undone by an agent that answers at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const stream = await plan();
      const call = await check.next();
      const run = runOf(stream);
      const cancelling = cancel(replicas[round % 2 ? 0 : 1], run);
      finish(call, GOOD_OUTPUTS.POLICY_CHECK);
      expect((await cancelling).status).toBe(200);
      await stream.toEnd();
      await expectCancelled(run);
    }
  });
});

describe("cancelling a run that waits", () => {
  test("for its session: it never begins, and the one behind it does", async () => {
    const session_id = randomUUID();
    const first = await plan(session_id);
    const call = await check.next();
    const enqueue = async () => {
      const body = { flow: "pricing", goals: ["optimizer"], session_id };
      const answer = await post(replicas[1], "/api/v1/runs?multitask=enqueue", body, ANN);
      expect(answer.status).toBe(202);
      return String(answer.json().run_id);
    };
    const second = await enqueue();
    const third = await enqueue();
    expect((await cancel(replicas[0], second)).status).toBe(200);
    await cancel(replicas[1], runOf(first));
    await gone(call);
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
    expect((await toRest(replicas[0], third)).at(-1)).toMatchObject({ type: "run_finished" });
    await expectCancelled(second);
    expect(callsOf(agent, "PRICE_OPTIMIZATION").some(({ body }) => body.workflow_id === second)).toBe(false);
    expect((await get(replicas[0], `/api/v1/sessions/${session_id}`, ANN)).json()).not.toHaveProperty(
      "active_run",
    );
  });

  test("for an approval: the approval is cancelled with it, and nothing is published", async () => {
    const run = await pausedRun(replicas[0], { flow: "publishing" });
    const stream = await openEvents(replicas[0], run.runId, ANN, run.seq);
    expect((await cancel(replicas[1], run.runId)).status).toBe(200);
    await stream.toEnd();
    expect(eventsOf(stream).map(({ type }) => type)).toEqual(["run_cancelled"]);
    const view = (await get(replicas[0], `/api/v1/approvals/${run.approvalId}`, LEE)).json();
    expect(view).toMatchObject({ state: "cancelled", winner: { decision: "cancelled", by: "ann" } });
    const late = await decide(replicas[0], run, "approve", LEE);
    expect([late.status, late.json().winner]).toEqual([409, view.winner]);
    await expectCancelled(run.runId);
    expect(await store.published(run.runId)).toEqual([]);
    const pending = (await get(replicas[0], "/api/v1/approvals?state=pending", LEE)).json();
    expect(JSON.stringify(pending)).not.toContain(run.approvalId);
  });
});

describe("cancelling", () => {
  test("again is answered the same; a run that ended otherwise stays as it is", async () => {
    const stream = await plan();
    await check.next();
    const answers = await Promise.all(
      [0, 1, 0, 1].map((n) => cancel(replicas[n] ?? replicas[0], runOf(stream))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expectCancelled(runOf(stream));

    const run = await startRun(replicas[0], { flow: "pricing", goals: ["policy"] });
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
    const events = await toRest(replicas[0], run);
    const late = await cancel(replicas[1], run);
    expect([late.status, late.json()]).toMatchObject([409, { code: "conflict", state: "finished" }]);
    expect(await toRest(replicas[0], run)).toEqual(events);
  });

  test("another tenant's run, or one that is not there: 404", async () => {
    const run = await startRun(replicas[0], { flow: "pricing", goals: ["policy"] });
    const call = await check.next();
    const stranger = as("ann", "", "other");
    const answers = await Promise.all([
      cancel(replicas[0], run, stranger),
      cancel(replicas[0], "unknown"),
      post(replicas[0], "/api/v1/chat/cancel", { thread_id: run }, stranger),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    expect((await toRest(replicas[0], run)).at(-1)).toMatchObject({ type: "run_finished" });
  });
});
