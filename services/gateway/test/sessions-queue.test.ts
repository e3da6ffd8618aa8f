import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import type { Answer } from "./support/http.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, decide, get, KIM, pausedRun, post, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { type Call, callsOf, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const explain = holding();
let agent: StandIn;
let replicas: [TestGateway, TestGateway];

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(await standIn({ ...PUBLISHING, PRICE_EXPLANATION: explain.handler }));
  const options = { manifest: publishingMesh(agent.url), redisUrl: redis.url };
  replicas = [keep(await testGateway(options)), keep(await testGateway(options))];
});

const chat = (n: number, session_id: string, query = "", message = "explain"): Promise<Answer> =>
  post(replicas[n % 2] ?? replicas[0], `/api/v1/chat${query}`, { message, session_id }, ANN);

const session = async (id: string) => (await get(replicas[1], `/api/v1/sessions/${id}`, ANN)).json();
const turnsOf = async (id: string) =>
  ((await session(id)).turns as { role: string; text: string }[]).map(({ role, text }) => [role, text]);
const summary = (call: Call) => finish(call, { summary: "Cost drives it." });

describe("a second message to a session while the first is under way", () => {
  test("is refused: busy, with the run that is under way and when to come back", async () => {
    const id = randomUUID();
    const first = chat(0, id);
    const call = await explain.next();
    const run = call.body.workflow_id;
    for (const n of [0, 1]) {
      const refused = await chat(n, id);
      expect(refused).toMatchObject({ status: 409 });
      expect(refused.json()).toMatchObject({ code: "session_busy", retryable: true, run_id: run });
      expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    }
    const background = await post(replicas[1], "/api/v1/runs", { flow: "pricing", session_id: id }, ANN);
    expect(background.json()).toMatchObject({ code: "session_busy" });
    expect(await session(id)).toMatchObject({ active_run: run });
    summary(call);
    expect((await first).status).toBe(200);
    // Nothing of the refused ones is left.
    expect(await turnsOf(id)).toHaveLength(2);
    expect(await session(id)).not.toHaveProperty("active_run");
  });

  test("waits its turn with multitask=enqueue: one after the other, in the order they came", async () => {
    const id = randomUUID();
    const messages = ["explain one", "explain two", "explain three", "explain four"];
    const answers: Promise<Answer>[] = [];
    for (const [n, message] of messages.entries()) {
      answers.push(chat(n, id, "?multitask=enqueue", message));
      // In the store before the next one is sent.
      await until(async () => ((await session(id)).turns as unknown[] | undefined)?.length === n + 1);
    }
    for (let n = 0; n < messages.length; n++) {
      const call = await explain.next();
      const under = callsOf(agent, "PRICE_EXPLANATION").filter(({ res }) => !res.writableEnded);
      expect(under).toEqual([call]);
      expect(await session(id)).toMatchObject({ active_run: call.body.workflow_id });
      summary(call);
      expect((await answers[n])?.json()).toMatchObject({ thread_id: call.body.workflow_id, done: true });
    }
    const turns = await turnsOf(id);
    expect(turns.filter(([role]) => role === "user").map(([, text]) => text)).toEqual(messages);
    expect(turns).toHaveLength(8);
    expect(await session(id)).not.toHaveProperty("active_run");
  });

  test("streams from its start to its end, whoever executes it", async () => {
    const id = randomUUID();
    const first = chat(0, id);
    const call = await explain.next();
    const stream = await EventReader.open(`${replicas[1].url}/api/v1/chat?stream=true&multitask=enqueue`, {
      headers: ANN,
      body: { message: "explain", session_id: id },
    });
    await stream.until((frames) => frames.length > 0);
    expect(callsOf(agent, "PRICE_EXPLANATION").at(-1)).toBe(call);
    summary(call);
    await first;
    summary(await explain.next());
    expect(await stream.over).toBe("ended");
    expect(stream.data.map(({ seq }) => seq)).toEqual(stream.data.map((_, index) => index + 1));
    expect(stream.data.at(-1)).toMatchObject({ done: true });
  });
});

describe("a session is free again", () => {
  test.each([
    ["lost its agent", (call: Call) => call.res.destroy()],
    ["broke the contract", (call: Call) => finish(call, {}, { status: "error", ok: true })],
  ])("after a run that %s", async (_, end) => {
    const id = randomUUID();
    const first = chat(0, id);
    end(await explain.next());
    expect((await first).status).toBeGreaterThanOrEqual(500);
    expect(await session(id)).not.toHaveProperty("active_run");
    const second = chat(1, id);
    summary(await explain.next());
    expect((await second).status).toBe(200);
  });

  test("while a run waits for its approval; the run goes on beside what comes then", async () => {
    const id = randomUUID();
    const run = await pausedRun(replicas[0], { flow: "publishing", session_id: id });
    const second = chat(1, id);
    const call = await explain.next();
    expect((await decide(replicas[1], run, "approve", { ...KIM })).status).toBe(200);
    expect((await toRest(replicas[0], run.runId, ANN, run.seq)).at(-1)).toMatchObject({
      data: { status: "ok" },
    });
    // The message's run still holds the session.
    expect(await session(id)).toMatchObject({ active_run: call.body.workflow_id });
    summary(call);
    expect((await second).status).toBe(200);
    expect(await session(id)).not.toHaveProperty("active_run");
  });

  test("after its client went away from a simple ask", async () => {
    const id = randomUUID();
    const stream = await EventReader.open(`${replicas[0].url}/api/v1/chat?stream=true`, {
      headers: ANN,
      body: { message: "explain", session_id: id },
    });
    await explain.next();
    stream.leave();
    await until(async () => !Object.hasOwn(await session(id), "active_run"));
  });
});

test("sessions do not wait for each other", async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const asked = [chat(0, one), chat(0, two)];
  const calls = [await explain.next(), await explain.next()];
  for (const call of calls) finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
});
