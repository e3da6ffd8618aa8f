import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { SessionStore } from "../src/store/session-store.ts";
import { closingAtEnd } from "./support/closing.ts";
import {
  chat,
  checkpoint,
  dialogueMesh,
  dialoguesOf,
  endOf,
  orderAnswer,
  say,
  turnOf,
} from "./support/dialogue.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, eventsOf, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import {
  answering,
  begin,
  type Call,
  callsOf,
  event,
  failing,
  finish,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const KEYS = keysOf("default");
const usual = answering(orderAnswer);
const held = holding();
let order: (call: Call) => unknown = usual;
let agent: StandIn;
let gateway: TestGateway;
/** Calls before this one belong to other tests. */
let first = 0;
let store: SessionStore;
let redis: Redis;

beforeAll(async () => {
  const { url } = keep(await testRedis());
  redis = new Redis(url);
  keep({ stop: () => redis.disconnect() });
  store = new SessionStore(redis);
  agent = keep(
    await standIn({
      ORDER_TURN: (call) => order(call),
      SURVEY_TURN: answering({ state: { asked: 1 }, message: "How was it?", next_action: "ASK" }),
    }),
  );
  const state = { type: "object", properties: { stage: { enum: ["FILLING", "SENT", "EXECUTED"] } } };
  const manifest = {
    ...dialogueMesh(agent.url, {
      dialogue: { max_state_bytes: 512, history_turns: 4 },
      agent: { outputs: { ORDER_TURN: { type: "object", properties: { state } } } },
    }),
    access: { roles: { diner: { services: ["survey"], agents: ["waiter"], sessions: "own" } } },
  };
  gateway = keep(await testGateway({ manifest, redisUrl: url }));
});

beforeEach(() => {
  order = usual;
  first = agent.calls.length + 1;
});

const asked = () => callsOf(agent, "ORDER_TURN").filter(({ number }) => number >= first);
describe("a dialogue", () => {
  test("gets the state that it answered with last, the conversation before, and the language", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    await say(gateway, id, "주문 케이크");
    await say(gateway, id, "order 2");
    expect(asked().map(turnOf)).toEqual([
      { state: null, message: "order tea", history: [], locale: "en" },
      {
        state: { stage: "FILLING", items: ["tea"] },
        message: "주문 케이크",
        history: [
          { role: "user", text: "order tea" },
          { role: "assistant", text: "tea. What else?" },
        ],
        locale: "ko",
      },
      expect.objectContaining({ state: { stage: "FILLING", items: ["tea", "케이크"] }, locale: "en" }),
    ]);
    expect(turnOf(asked()[2] as Call).history).toHaveLength(4);
    expect(asked().map(({ body }) => body.mode)).toEqual(["LIVE", "LIVE", "LIVE"]);
  });

  test("is told where it stands: message, buttons, next action, a version that grows, and the state", async () => {
    const id = randomUUID();
    const first = await say(gateway, id, "order tea");
    expect(first.map(({ type }) => type)).toEqual([
      "run_started",
      "step_started",
      "step_finished",
      "run_finished",
    ]);
    expect(endOf(first)).toMatchObject({
      status: "ok",
      message: "tea. What else?",
      tools_used: ["order_turn"],
      ui_hint: { buttons: ["order done", "order cake"] },
      dialogue: {
        service: "order",
        next_action: "ASK",
        version: 1,
        state: { stage: "FILLING", items: ["tea"] },
      },
    });
    expect(endOf(await say(gateway, id, "order done"))).toMatchObject({
      message: "It comes.",
      dialogue: { next_action: "DONE", version: 2, state: { stage: "EXECUTED", items: ["tea"] } },
    });
  });

  test("answers a plain request as any service does", async () => {
    const answer = await post(
      gateway,
      "/api/v1/chat",
      { message: "order tea", session_id: randomUUID() },
      ANN,
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toMatchObject({
      message: "tea. What else?",
      ui_hint: { buttons: ["order done", "order cake"] },
    });
  });

  test("stands beside others in the same session, and each keeps its own state", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    await say(gateway, id, "something else");
    await say(gateway, id, "survey please");
    await say(gateway, id, "something else");
    await say(gateway, id, "order cake");
    expect(await dialoguesOf(gateway, id)).toEqual([
      { service: "order", stage: "FILLING", next_action: "ASK", version: 2 },
      { service: "survey", next_action: "ASK", version: 1 },
    ]);
    expect(turnOf(asked()[1] as Call).state).toEqual({ stage: "FILLING", items: ["tea"] });
  });

  test("in another session begins anew", async () => {
    await say(gateway, randomUUID(), "order tea");
    await say(gateway, randomUUID(), "order cake");
    expect(asked().map((call) => turnOf(call).state)).toEqual([null, null]);
  });
});

describe("what a dialogue changed in the world", () => {
  test("is listed once, though the turn is repeated", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    await say(gateway, id, "order done");
    await say(gateway, id, "order done");
    const completed = await store.completed(KEYS, id);
    expect(completed).toEqual([
      expect.objectContaining({ id: "item-0", kind: "order", item: "tea", service: "order" }),
    ]);
    const [effect] = completed;
    expect(effect?.run_id).toBe(asked()[1]?.body.workflow_id);
  });

  test("stays listed when the session is reset, which ends its dialogues", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    await say(gateway, id, "order done");
    const reset = await post(gateway, `/api/v1/sessions/${id}/reset`, undefined, ANN);
    expect(reset).toMatchObject({ status: 200 });
    expect(reset.json()).not.toHaveProperty("dialogues");
    expect(await store.completed(KEYS, id)).toHaveLength(1);
    await say(gateway, id, "order cake");
    expect(turnOf(asked()[2] as Call)).toMatchObject({ state: null, history: [] });
  });
});

describe("a turn that fails", () => {
  const tea = { stage: "FILLING", items: ["tea"] };

  test.each([
    ["its agent says so", failing("KITCHEN_CLOSED", "Closed."), { agent_code: "KITCHEN_CLOSED" }],
    ["its agent is lost", (call: Call) => call.res.destroy(), { code: "upstream_unavailable" }],
    [
      "the answer is no answer of a dialogue",
      answering({ state: {}, message: "Yes?", next_action: "MAYBE" }),
      { code: "upstream_invalid", reason: "wrong_outputs" },
    ],
    [
      "the state is too large",
      answering({ state: { note: "x".repeat(600) }, message: "Yes?", next_action: "ASK" }),
      { code: "upstream_invalid", reason: "state_too_large" },
    ],
  ])("where %s leaves the state as it was", async (_, handler, failure) => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    order = handler;
    const failed = await say(gateway, id, "order cake");
    expect(endOf(failed)).toMatchObject({ status: "error", ...failure });
    expect(await dialoguesOf(gateway, id)).toMatchObject([{ service: "order", version: 1 }]);
    order = usual;
    await say(gateway, id, "order milk");
    expect(turnOf(asked().at(-1) as Call).state).toEqual(tea);
  });

  test("keeps the state that its agent told of before, and nobody reads it in the log", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    const sent = { stage: "SENT", items: ["tea"] };
    order = (call) => {
      begin(call, event("progress", { cooking: 1 }) + checkpoint(sent, [{ id: "tea", kind: "order" }]));
      finish(call, {}, { status: "error", ok: false, error: { code: "BURNT", message: "Burnt." } });
    };
    const failed = await say(gateway, id, "order done");
    expect(failed.map(({ type }) => type)).toEqual([
      "run_started",
      "step_started",
      "progress",
      "step_failed",
      "run_failed",
    ]);
    expect(await dialoguesOf(gateway, id)).toEqual([
      { service: "order", stage: "SENT", next_action: "ASK", version: 2 },
    ]);
    expect(await store.completed(KEYS, id)).toMatchObject([{ id: "tea", kind: "order" }]);
    order = usual;
    await say(gateway, id, "order milk");
    expect(turnOf(asked().at(-1) as Call).state).toEqual(sent);
  });

  test("at once where the state that its agent tells of is too large", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    order = (call) => begin(call, checkpoint({ note: "x".repeat(600) }));
    expect(endOf(await say(gateway, id, "order done"))).toMatchObject({ reason: "state_too_large" });
    expect(await dialoguesOf(gateway, id)).toMatchObject([{ version: 1 }]);
  });
});

describe("an answer that is none", () => {
  const wrong = { state: {}, message: "Yes?", next_action: "MAYBE" };

  test("is asked for once more, from the same state and under another key", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    const answers = [wrong];
    order = (call) => answering(answers.shift() ?? orderAnswer(call))(call);
    const events = await say(gateway, id, "order cake");
    expect(events.map(({ type }) => type)).toContain("step_repair");
    expect(endOf(events)).toMatchObject({ message: "tea, cake. What else?", dialogue: { version: 2 } });
    const [, one, two] = asked();
    expect(two?.body.inputs).toEqual(one?.body.inputs);
    expect(two?.headers["idempotency-key"]).toBe(`${one?.body.workflow_id}:order.again`);
  });

  test("is not asked for again where its agent has told of a state: that was given to nobody yet", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    order = (call) => {
      begin(call, checkpoint({ stage: "SENT", items: ["tea"] }));
      finish(call, wrong);
    };
    expect(endOf(await say(gateway, id, "order done"))).toMatchObject({ reason: "wrong_outputs" });
    expect(asked()).toHaveLength(2);
    expect(await dialoguesOf(gateway, id)).toMatchObject([{ stage: "SENT", version: 2 }]);
  });

  test("also by the manifest's own schema of its state", async () => {
    const id = randomUUID();
    order = answering({ state: { stage: "NOWHERE" }, message: "Yes?", next_action: "ASK" });
    expect(endOf(await say(gateway, id, "order tea"))).toMatchObject({ reason: "wrong_outputs" });
    expect(asked()).toHaveLength(2);
    expect(await dialoguesOf(gateway, id)).toBeUndefined();
  });
});

test("a turn that is cancelled keeps the state that its agent told of", async () => {
  const id = randomUUID();
  await say(gateway, id, "order tea");
  order = held.handler;
  const stream = await chat(gateway, id, "order done");
  const run = String(stream.headers["x-run-id"]);
  const call = await held.next();
  call.res.write(checkpoint({ stage: "SENT", items: ["tea"] }));
  await untilKept(id, 2);
  await post(gateway, `/api/v1/runs/${run}/cancel`, undefined, ANN);
  await stream.toEnd();
  expect(eventsOf(stream).at(-1)?.type).toBe("run_cancelled");
  finish(call, orderAnswer(call));
  expect(await dialoguesOf(gateway, id)).toEqual([
    { service: "order", stage: "SENT", next_action: "ASK", version: 2 },
  ]);
});

test("a message that waited for the one before it finds the state that that one left", async () => {
  const id = randomUUID();
  order = held.handler;
  const say = (message: string) =>
    post(gateway, "/api/v1/chat?multitask=enqueue", { message, session_id: id }, ANN);
  const first = say("order tea");
  const call = await held.next();
  const second = say("order cake");
  const third = say("order milk");
  await until(async () => (await redis.llen(KEYS.waiting(id))) === 2);
  order = usual;
  finish(call, orderAnswer(call));
  expect((await first).status).toBe(200);
  expect((await second).json()).toMatchObject({ message: expect.stringContaining("tea, ") });
  expect((await third).json()).toMatchObject({ message: expect.stringContaining("tea, ") });
  const [, next, last] = asked().map(turnOf);
  // What waits behind a message is not said yet, and what was answered since is nothing that it answers.
  expect(next?.history).toEqual([{ role: "user", text: "order tea" }]);
  expect(last?.history).toEqual([
    { role: "user", text: "order tea" },
    { role: "user", text: next?.message },
  ]);
  expect(last?.state).toMatchObject({ items: ["tea", next?.message.replace("order ", "")] });
  expect(await dialoguesOf(gateway, id)).toMatchObject([{ version: 3 }]);
});

describe("somebody else", () => {
  test("neither goes on with the dialogue nor sees it", async () => {
    const id = randomUUID();
    await say(gateway, id, "order tea");
    const body = { message: "order cake", session_id: id };
    expect(await post(gateway, "/api/v1/chat", body, as("lee"))).toMatchObject({ status: 404 });
    expect(await get(gateway, `/api/v1/sessions/${id}`, as("lee"))).toMatchObject({ status: 404 });
    expect(asked()).toHaveLength(1);
  });

  test("who may not use the service is refused, and nothing begins", async () => {
    const diner = as("dan", "diner");
    const id = randomUUID();
    const body = { message: "order cake", session_id: id };
    const refused = await post(gateway, "/api/v1/chat", body, diner);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.json()).toMatchObject({ code: "forbidden", service: "order" });
    expect(asked()).toEqual([]);
    expect(endOf(await say(gateway, id, "survey please", diner))).toMatchObject({ status: "ok" });
  });
});

test("all that a dialogue keeps expires with its session, and is in its slot", async () => {
  const id = randomUUID();
  await say(gateway, id, "order tea");
  await say(gateway, id, "order done");
  expect(await redis.keys(`*session:${id}*`)).toEqual([KEYS.session(id)]);
  expect(await redis.ttl(KEYS.session(id))).toBeGreaterThan(0);
  await redis.del(KEYS.session(id));
  expect(await store.completed(KEYS, id)).toEqual([]);
});

async function untilKept(id: string, version: number): Promise<void> {
  await until(async () => (await store.dialogue(KEYS, id, "order"))?.version === version);
}
