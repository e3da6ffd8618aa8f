import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  answering,
  begin,
  callsOf,
  event,
  finish,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;
let agent: StandIn;
let gateway: TestGateway;

const SAMPLE = { warnings: ["The sample was used."] };

beforeAll(async () => {
  redis = keep(await testRedis());
  const started = await standIn({
    PRICE_OPTIMIZATION: (call) => {
      begin(call, event("progress", { done: 1, of: 2 }) + event("token", { text: "grüße 🙂" }));
      finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION, SAMPLE);
    },
    POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
    PRICE_EXPLANATION: answering(GOOD_OUTPUTS.PRICE_EXPLANATION),
    SENSITIVITY_ANALYSIS: answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS),
  });
  agent = keep(started);
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
});

const chat = (query = "") => `${gateway.url}/api/v1/chat${query}`;
const body = (message: string, more: { inputs?: object } = {}) => ({
  message,
  session_id: randomUUID(),
  ...more,
});

describe("a stream", () => {
  test("numbers its events from 1 without a gap, on the id line and in the data", async () => {
    const stream = await EventReader.open(chat("?stream=true"), { body: body(COMPOSITE_ASK) });
    const frames = await stream.toEnd();
    const expected = frames.map((_, index) => index + 1);
    expect(frames.map((frame) => Number(frame.id))).toEqual(expected);
    expect(stream.data.map((data) => data.seq)).toEqual(expected);
    expect(frames.every((frame) => /^id: \d+\ndata: \{.*\}\n\n$/.test(frame.raw))).toBe(true);
  });

  test("has one event that is done and one with a message: the last, after which it ends", async () => {
    const stream = await EventReader.open(chat("?stream=true"), { body: body(COMPOSITE_ASK) });
    expect(await stream.over).toBe("ended");
    expect(stream.data.filter((data) => data.done !== false)).toEqual([stream.data.at(-1)]);
    expect(stream.data.filter((data) => "message" in data)).toEqual([stream.data.at(-1)]);
    expect(stream.data.at(-1)).toMatchObject({
      done: true,
      message: "Passed: true\n\nCost drives it.",
      tools_used: ["price_optimization", "policy_check", "price_explanation"],
      thread_id: stream.headers["x-run-id"],
    });
    expect(stream.data.at(-1)).not.toHaveProperty("error");
  });

  test("keeps the contract in every event", async () => {
    const stream = await EventReader.open(chat("?stream=true"), { body: body(COMPOSITE_ASK) });
    await stream.toEnd();
    for (const data of stream.data)
      expect(gatewayContract.chatEvent(data)).toEqual({ ok: true, value: data });
  });

  test("tells of the plan first, then of each step, of its progress and of its tokens, in order", async () => {
    const stream = await EventReader.open(chat("?stream=true"), { body: body(COMPOSITE_ASK) });
    await stream.toEnd();
    expect(stream.data[0]).toMatchObject({ progress: { stage: "started", intent: "plan" }, model: "rules" });
    expect(stream.data[1]).toMatchObject({
      progress: {
        stage: "plan",
        goals: ["optimizer", "policy", "explainer"],
        steps: [{ id: "optimize" }, { id: "check" }, { id: "explain" }, { id: "report" }],
      },
    });
    const optimize = stream.data.filter((data) => data.node === "optimize");
    expect(optimize).toMatchObject([
      { tool_call: { name: "price_optimization", agent: "optimizer", status: "started" } },
      { progress: { done: 1, of: 2 } },
      { token: "grüße 🙂" },
      { tool_call: { name: "price_optimization", status: "ok", outputs: GOOD_OUTPUTS.PRICE_OPTIMIZATION } },
    ]);
  });

  test("is served as an event stream that nobody on the way may hold back", async () => {
    const stream = await EventReader.open(chat("?stream=true"), { body: body("hello") });
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    await stream.toEnd();
  });
});

describe("without a stream", () => {
  test("the answer is the last event of the stream, as JSON, without its seq", async () => {
    const session = randomUUID();
    const { status, json } = await ask(chat(), { body: { message: COMPOSITE_ASK, session_id: session } });
    expect(status).toBe(200);
    expect(gatewayContract.chatAnswer(json())).toMatchObject({ ok: true });
    expect(json()).toEqual({
      thread_id: expect.any(String),
      session_id: session,
      model: "rules",
      message: "Passed: true\n\nCost drives it.",
      tools_used: ["price_optimization", "policy_check", "price_explanation"],
      warnings: ["The sample was used."],
      status: "ok",
      sample: true,
      done: true,
    });
  });

  test("?stream=false is the same as no parameter, and so is an empty one", async () => {
    for (const query of ["?stream=false", "?stream=0", "?stream="]) {
      const { headers } = await ask(chat(query), { body: body("hello") });
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    }
  });
});

describe("where a message goes", () => {
  test("a message that asks for one service is answered by its agent alone", async () => {
    const message = body("Propose new prices", { inputs: { items: [{ item_id: "A100" }] } });
    const { json } = await ask(chat(), { body: message });
    expect(json()).toMatchObject({ message: "One price moves.", tools_used: ["price_optimization"] });
    const call = callsOf(agent, "PRICE_OPTIMIZATION").at(-1);
    expect(call?.body).toMatchObject({
      task_type: "PRICE_OPTIMIZATION",
      mode: "LIVE",
      workflow_id: json().thread_id,
      inputs: message.inputs,
    });
    expect(call?.headers["idempotency-key"]).toBe(`${json().thread_id}:optimizer`);
  });

  test("an ask without inputs lets the agent use its sample, and says so", async () => {
    const { json } = await ask(chat(), { body: body("Propose new prices") });
    expect(callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.body).toMatchObject({ mode: "DEMO", inputs: {} });
    expect(json().warnings).toEqual(["The sample was used."]);
  });

  test("a message that asks for several services, or plan=true, makes a plan", async () => {
    const forced = await ask(chat("?plan=true"), { body: body("Propose new prices") });
    expect(forced.json()).toMatchObject({ tools_used: ["price_optimization", "policy_check"] });
    const all = await ask(chat("?plan=true"), { body: body("hello") });
    expect(all.json().tools_used).toHaveLength(4);
  });

  test("a message that asks for nothing gets the mesh's own words", async () => {
    const { json } = await ask(chat(), { body: body("hello") });
    expect(json()).toMatchObject({ message: "Ask for prices.", tools_used: [], done: true });
  });

  test("the caller's trace context reaches the agents; what is none does not", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await ask(chat(), { body: body("Propose new prices"), headers: { traceparent } });
    expect(callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.headers.traceparent).toBe(traceparent);
    await ask(chat(), { body: body("Propose new prices"), headers: { traceparent: "none" } });
    expect(callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.headers).not.toHaveProperty("traceparent");
  });
});

describe("the model", () => {
  test("is the hint where it is on the allowlist, and the choice is logged with its reason", async () => {
    const { json } = await ask(chat("?model=small"), { body: body("Propose new prices") });
    expect(json().model).toBe("small");
    expect(gateway.logs()).toContain('"model":{"hint":"small","chosen":"small","reason":"hint"}');
  });

  test("is the task's default, then the default, where the hint is not on the list", async () => {
    const one = await ask(chat("?model=canary-model-7"), { body: body("Propose new prices") });
    expect(one.json().model).toBe("large");
    const two = await ask(chat("?model=canary-model-7"), { body: body("hello") });
    expect(two.json().model).toBe("rules");
    expect(gateway.logs()).not.toContain("canary-model-7");
  });
});

test("two messages at once to one session: the second hears that it is busy, and with which run", async () => {
  const session = randomUUID();
  const optimizer = holding();
  const slow = use(await standIn({ PRICE_OPTIMIZATION: optimizer.handler }));
  const other = use(await testGateway({ manifest: pricingMesh(slow.url), redisUrl: redis.url }));
  const first = await EventReader.open(`${other.url}/api/v1/chat?stream=true`, {
    body: { message: "Propose new prices", session_id: session },
  });
  const call = await optimizer.next();
  const second = await ask(chat(), { body: { message: "hello", session_id: session } });
  expect(second.status).toBe(409);
  expect(second.headers["retry-after"]).toMatch(/^\d+$/);
  expect(second.json()).toMatchObject({
    code: "session_busy",
    retryable: true,
    run_id: first.headers["x-run-id"],
  });
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  await first.toEnd();
  const third = await ask(chat(), { body: { message: "hello", session_id: session } });
  expect(third.status).toBe(200);
});

describe("a session", () => {
  test("keeps its turns in order, and knows the run under way", async () => {
    const session = randomUUID();
    const say = async (message: string) =>
      (await ask(chat(), { body: { message, session_id: session, conversation_id: "q1" } })).json();
    const one = await say("Propose new prices");
    const two = await say("hello");
    const { json } = await ask(`${gateway.url}/api/v1/sessions/${session}`);
    expect(gatewayContract.sessionView(json())).toMatchObject({ ok: true });
    expect(json()).toMatchObject({
      session_id: session,
      title: "Propose new prices",
      turns: [
        { role: "user", text: "Propose new prices", run_id: one.thread_id, conversation_id: "q1" },
        { role: "assistant", text: "One price moves.", run_id: one.thread_id, status: "ok" },
        { role: "user", text: "hello", run_id: two.thread_id },
        { role: "assistant", text: "Ask for prices.", run_id: two.thread_id, status: "ok" },
      ],
    });
    expect(json()).not.toHaveProperty("active_run");
  });

  test("comes once in the pages of the list, latest first", async () => {
    const sessions = Array.from({ length: 5 }, (): string => randomUUID());
    await Promise.all(sessions.map((session_id) => ask(chat(), { body: { message: "hello", session_id } })));
    const latest = randomUUID();
    await ask(chat(), { body: { message: "hello", session_id: latest } });
    const seen: string[] = [];
    let before = "";
    do {
      const { json } = await ask(`${gateway.url}/api/v1/sessions?limit=2&before=${before}`);
      const page = gatewayContract.sessionList(json());
      if (!page.ok) throw new Error(page.problem.message);
      seen.push(...page.value.sessions.map((session) => session.session_id));
      before = page.value.next ?? "";
    } while (before !== "" && !sessions.every((id) => seen.includes(id)));
    expect(seen.filter((id) => sessions.includes(id)).sort()).toEqual(sessions.sort());
    expect(seen.indexOf(latest)).toBeLessThan(Math.min(...sessions.map((id) => seen.indexOf(id))));
  });
});
