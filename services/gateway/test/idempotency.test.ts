import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { keysOf } from "../src/store/keys.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import {
  ANN,
  as,
  eventsOf,
  get,
  KIM,
  LEE,
  openEvents,
  pausedRun,
  pauseOf,
  post,
  toRest,
} from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
const check = holding();
let redisUrl: string;
let store: StoreView;
let agent: StandIn;
let one: TestGateway;
let two: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  redisUrl = redis.url;
  store = keep(new StoreView(redis.url));
  agent = keep(await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler }));
  const manifest = publishingMesh(agent.url);
  const { publishing } = manifest.flows;
  const again = {
    needs: ["publish"],
    publish: "approval.proposal",
    to: "price-book",
    allow_sample: true,
    approval: RULE,
  };
  const twice = {
    ...publishing,
    steps: { ...publishing.steps, again },
    goals: { publishing: ["publish", "again"] },
  };
  const quick = {
    steps: { optimize: publishing.steps.optimize },
    goals: { optimizer: ["optimize"] },
  };
  const options = { manifest: { ...manifest, flows: { ...manifest.flows, twice, quick } }, redisUrl };
  one = keep(await testGateway(options));
  two = keep(await testGateway(options));
});

const keyed = (headers = ANN, key: string = randomUUID()) => ({ ...headers, "idempotency-key": key });
const quick = (session_id: string = randomUUID()) => ({ flow: "quick", session_id });
const question = (session_id: string = randomUUID()) => ({ message: "check the hierarchy", session_id });
const chat = (where: TestGateway, body: object, headers: Record<string, string>, query = "") =>
  post(where, `/api/v1/chat${query}`, body, headers);

describe("a background run started with a key", () => {
  test("is the same run for the same key and body, on every replica, under way and afterwards", async () => {
    const headers = keyed();
    const body = { flow: "pricing", goals: ["policy"], session_id: randomUUID() };
    const first = await post(one, "/api/v1/runs", body, headers);
    const call = await check.next();
    const again = await post(two, "/api/v1/runs", body, headers);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.location).toBe(first.headers.location);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    const run = String(first.json().run_id);
    await toRest(one, run);
    expect((await post(two, "/api/v1/runs", body, headers)).text).toBe(first.text);
    expect(callsOf(agent, "POLICY_CHECK").filter(({ body: sent }) => sent.workflow_id === run)).toHaveLength(
      1,
    );
    // The key stands for the bytes that were sent: the same value written in another way is another body.
    const { flow, goals, session_id } = body;
    const turned = await post(one, "/api/v1/runs", { session_id, goals, flow }, headers);
    expect([turned.status, turned.json().code]).toEqual([422, "idempotency_mismatch"]);
  });

  test("is one run for twenty requests at once", async () => {
    const headers = keyed();
    const body = quick();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(n % 2 ? one : two, "/api/v1/runs", body, headers)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const runs = new Set(answers.map((answer) => String(answer.json().run_id)));
    expect(runs.size).toBe(1);
    for (const run of runs) await toRest(one, run);
    expect(
      callsOf(agent, "PRICE_OPTIMIZATION").filter(({ body: sent }) => runs.has(String(sent.workflow_id))),
    ).toHaveLength(1);
  });

  test("is refused for the same key with another body, path or query", async () => {
    const headers = keyed();
    const body = quick();
    await post(one, "/api/v1/runs", body, headers);
    const others = await Promise.all([
      post(two, "/api/v1/runs", { ...body, inputs: {} }, headers),
      post(two, "/api/v1/runs?multitask=enqueue", body, headers),
      chat(one, question(body.session_id), headers),
    ]);
    expect(others.map((answer) => [answer.status, answer.json().code])).toEqual([
      [422, "idempotency_mismatch"],
      [422, "idempotency_mismatch"],
      [422, "idempotency_mismatch"],
    ]);
  });

  test("is another run for another subject and another tenant", async () => {
    const key = randomUUID();
    const callers = [ANN, as("bob"), as("ann", "", "other")];
    const answers = await Promise.all(
      callers.map((caller) => post(one, "/api/v1/runs", quick(), keyed(caller, key))),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map((answer) => answer.json().run_id)).size).toBe(3);
  });

  test("is known for a day", async () => {
    const before = new Set(await store.redis.keys(keysOf("default").idempotency("*")));
    await post(one, "/api/v1/runs", quick(), keyed());
    const [made = ""] = (await store.redis.keys(keysOf("default").idempotency("*"))).filter(
      (key) => !before.has(key),
    );
    const left = await store.redis.ttl(made);
    expect([left > 86_000, left <= 86_400]).toEqual([true, true]);
  });
});

describe("a chat with a key", () => {
  test("while the first is under way: 409 that says when to come back; then its answer again", async () => {
    const headers = keyed();
    const body = question();
    const first = chat(one, body, headers);
    const call = await check.next();
    const meanwhile = await chat(two, body, headers);
    expect([meanwhile.status, meanwhile.json().code]).toEqual([409, "idempotency_in_progress"]);
    expect(meanwhile.headers["retry-after"]).toMatch(/^\d+$/);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    const answer = await first;
    expect(answer.status).toBe(200);
    expect(await chat(two, body, headers)).toMatchObject({ status: 200, text: answer.text });
    expect((await get(one, `/api/v1/sessions/${body.session_id}`, ANN)).json().turns).toHaveLength(2);
  });

  test("as a stream: the second joins the run, and has the same events", async () => {
    const headers = keyed();
    const body = { ...question(), message: "check the hierarchy of all" };
    const open = (where: TestGateway) =>
      EventReader.open(`${where.url}/api/v1/chat?stream=true`, { headers, body });
    const first = await open(one);
    const call = await check.next();
    const second = await open(two);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    expect([await first.over, await second.over]).toEqual(["ended", "ended"]);
    expect(second.headers["x-run-id"]).toBe(first.headers["x-run-id"]);
    expect(second.text).toBe(first.text);
    const later = await open(two);
    await later.toEnd();
    expect(later.text).toBe(first.text);
  });

  test("as a stream, when its log is not held any more: a reset, and the end", async () => {
    const headers = keyed();
    const body = question();
    const open = (where: TestGateway) =>
      EventReader.open(`${where.url}/api/v1/chat?stream=true`, { headers, body });
    const first = await open(one);
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
    await first.toEnd();
    await store.redis.del(keysOf("default").events(String(first.headers["x-run-id"])));
    const again = await open(two);
    await again.toEnd();
    expect(again.frames.map(({ event }) => event)).toEqual(["reset", undefined]);
    expect(again.data.at(-1)).toEqual(first.data.at(-1));
  });

  test("that failed has its failure stored", async () => {
    const headers = keyed();
    const body = question();
    const first = chat(one, body, headers);
    const call = await check.next();
    finish(call, {}, { status: "error", ok: false, error: { code: "NO_RULES", message: "No rules." } });
    const answer = await first;
    expect([answer.status, answer.json().code]).toEqual([422, "invalid_inputs"]);
    const strip = (text: string) => text.replace(/"request_id":"[^"]*"/, "");
    const again = await chat(two, body, headers);
    expect([again.status, strip(again.text)]).toEqual([422, strip(answer.text)]);
  });

  test("that pauses answers with the pause, and after the decision with the end", async () => {
    const headers = keyed();
    const body = { message: "publish the prices", session_id: randomUUID() };
    const first = await chat(one, body, headers);
    expect(first.json()).toMatchObject({ status: "paused" });
    expect((await chat(two, body, headers)).text).toBe(first.text);
    const thread_id = String(first.json().thread_id);
    const { seq } = (await get(one, `/api/v1/runs/${thread_id}`, ANN)).json();
    const stream = await openEvents(one, thread_id, ANN, Number(seq));
    expect((await post(two, "/api/v1/chat/approve", { thread_id }, LEE)).status).toBe(200);
    await stream.toEnd();
    expect((await chat(two, body, headers)).json()).toMatchObject({ message: "Published: true." });
  });
});

describe("a refusal is not stored", () => {
  test("for the replica's capacity: the same key runs when there is room", async () => {
    const full = use(
      await testGateway({
        manifest: publishingMesh(agent.url),
        redisUrl,
        env: { MAX_RUNS: "1" },
      }),
    );
    const blocking = chat(full, question(), ANN);
    const call = await check.next();
    const headers = keyed();
    const body = question();
    const refused = await chat(full, body, headers);
    expect([refused.status, refused.json().code]).toEqual([503, "overloaded"]);
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    await blocking;
    const retried = chat(full, body, headers);
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
    expect((await retried).status).toBe(200);
  });

  test("for a busy session: the same key runs when the session is free", async () => {
    const session_id = randomUUID();
    const blocking = chat(one, question(session_id), ANN);
    const call = await check.next();
    const headers = keyed();
    const body = { ...quick(session_id) };
    const refused = await post(two, "/api/v1/runs", body, headers);
    expect([refused.status, refused.json().code]).toEqual([409, "session_busy"]);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    await blocking;
    expect((await post(two, "/api/v1/runs", body, headers)).status).toBe(202);
  });
});

describe("a key", () => {
  test("that is none is refused", async () => {
    for (const key of ["", " ", "with space", "ü", "x".repeat(256)]) {
      const encoded = Buffer.from(key).toString("latin1");
      const answer = await post(one, "/api/v1/runs", quick(), keyed(ANN, encoded));
      expect([key, answer.status, answer.json().code]).toEqual([key, 400, "invalid_idempotency_key"]);
    }
  });

  test("of a short approval does not approve what the run waits for later", async () => {
    const run = await pausedRun(one, { flow: "twice" });
    const stream = await openEvents(one, run.runId, ANN, run.seq);
    const headers = keyed(LEE);
    const body = { thread_id: run.runId };
    const first = await post(one, "/api/v1/chat/approve", body, headers);
    await stream.toEnd();
    const second = pauseOf(run.runId, eventsOf(stream));
    expect(second.approvalId).not.toBe(run.approvalId);
    expect(await post(two, "/api/v1/chat/approve", body, headers)).toMatchObject({
      status: 200,
      text: first.text,
    });
    const view = await get(two, `/api/v1/approvals/${second.approvalId}`, LEE);
    expect(view.json()).toMatchObject({ state: "pending" });
    expect(await store.published(run.runId)).toHaveLength(1);
    expect((await post(two, "/api/v1/chat/approve", body, keyed(KIM))).status).toBe(200);
    await toRest(one, run.runId, ANN, second.seq);
    expect(await store.published(run.runId)).toHaveLength(2);
  });
});
