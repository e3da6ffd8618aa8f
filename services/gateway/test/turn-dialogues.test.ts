import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { dialogueMesh, orderAnswer } from "./support/dialogue.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
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

const keep = closingAtEnd();
let order: (call: Call) => unknown;
let agent: StandIn;
let gateway: TestGateway;
let options: Parameters<typeof testGateway>[0];

/** Says its message word by word. */
function speaking(call: Call): void {
  const answer = orderAnswer(call);
  const words = answer.message.match(/\S+\s*/g) ?? [];
  const progress = { task_progress: { index: 1, total: 2, slots: { item: "tea" } } };
  begin(call, event("progress", progress) + words.map((text) => event("token", { text })).join(""));
  finish(call, answer);
}

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(await standIn({ ORDER_TURN: (call) => order(call) }));
  const label = { en: "Taking your order", ko: "주문 받는 중" };
  const manifest = dialogueMesh(agent.url, { agent: { label } });
  options = { manifest, redisUrl: redis.url, env: { LEASE_MS: "2000" } };
  gateway = keep(await testGateway(options));
});

beforeEach(() => {
  order = speaking;
});

function open(where: TestGateway, session_id: string, message: string, headers = {}): Promise<EventReader> {
  const query = new URLSearchParams({ session_id, message });
  return EventReader.open(`${where.url}/v1/agent/chat/stream?${query}`, { headers: { ...ANN, ...headers } });
}

/** Takes a turn by GET. @returns its events, and every frame as it came */
async function say(session_id: string, message: string, headers: Record<string, string> = {}) {
  const reader = await open(gateway, session_id, message, headers);
  expect(await reader.over).toBe("ended");
  const events = reader.frames.map(({ event, data }) => ({ event, data: JSON.parse(data) }));
  for (const one of events) expect(gatewayContract.turnEvent(one)).toEqual({ ok: true, value: one });
  return { events, frames: reader.frames, run: reader.headers["x-run-id"] };
}

test("a dialogue is held turn by turn, in the words of its stages, to what it changed in the world", async () => {
  const id = randomUUID();
  const agentNamed = { agent: "waiter", label: "Taking your order" };
  expect((await say(id, "order tea")).events).toEqual([
    { event: "AGENT_START", data: agentNamed },
    { event: "TASK_PROGRESS", data: { index: 1, total: 2, slots: { item: "tea" } } },
    ...["tea. ", "What ", "else?"].map((data) => ({ event: "LLM_TOKEN", data })),
    { event: "LLM_DONE", data: { action: "ASK", message: "tea. What else?" } },
    { event: "AGENT_DONE", data: { ...agentNamed, success: true, stage: "FILLING" } },
    {
      event: "DONE",
      data: {
        message: "tea. What else?",
        next_action: "ASK",
        ui_hint: { buttons: ["order done", "order cake"] },
        state_snapshot: { stage: "FILLING", items: ["tea"] },
      },
    },
  ]);
  const korean = await say(id, "주문 케이크");
  expect(korean.events[0]?.data).toEqual({ agent: "waiter", label: "주문 받는 중" });
  const end = await post(gateway, "/v1/agent/chat", { session_id: id, message: "order done" }, ANN);
  expect(end.json()).toEqual({
    message: "It comes.",
    next_action: "DONE",
    ui_hint: { buttons: [] },
    state_snapshot: { stage: "EXECUTED", items: ["tea", "케이크"] },
  });
  const { json } = await get(gateway, `/v1/agent/completed?session_id=${id}`, ANN);
  expect(gatewayContract.completedList(json()).ok).toBe(true);
  expect(json().completed).toMatchObject([
    { id: "item-0", kind: "order", item: "tea", service: "order" },
    { id: "item-1", kind: "order", item: "케이크", service: "order" },
  ]);
});

test("the same said twice is two turns; a turn that is read again is none", async () => {
  const id = randomUUID();
  const first = await say(id, "order tea");
  const second = await say(id, "order tea");
  expect(second.events.at(-1)?.data.state_snapshot.items).toEqual(["tea", "tea"]);
  const asked = callsOf(agent, "ORDER_TURN").length;
  const cursors = second.frames.flatMap((frame) => frame.id ?? []).slice(0, -1);
  for (const cursor of [`${second.run}:1`, ...cursors]) {
    const again = await say(id, "order tea", { "last-event-id": cursor });
    const from = second.frames.findLastIndex((frame) => frame.id === cursor) + 1;
    expect(again.frames).toEqual(second.frames.slice(from));
  }
  expect((await say(id, "order tea", { "last-event-id": `${first.run}:1` })).frames).toEqual(first.frames);
  expect(callsOf(agent, "ORDER_TURN").length).toBe(asked);
});

test("a turn that fails says so last, and the dialogue stands where it stood", async () => {
  const id = randomUUID();
  await say(id, "order tea");
  order = failing("KITCHEN_CLOSED", "The kitchen is closed.");
  const { events } = await say(id, "order cake");
  expect(events.map((one) => one.event)).toEqual(["AGENT_START", "AGENT_DONE", "DONE"]);
  expect(events.at(-1)?.data).toMatchObject({ next_action: "ASK", error: { code: expect.any(String) } });
  order = speaking;
  const next = await say(id, "order pie");
  expect(next.events.at(-1)?.data.state_snapshot.items).toEqual(["tea", "pie"]);
});

test("a turn whose gateway is killed ends elsewhere, with a DONE that says so; said again it is a new turn", async () => {
  const id = randomUUID();
  const held = holding();
  order = held.handler;
  const killed = keep(await gatewayProcess(options));
  const cut = await open(killed, id, "order tea");
  await held.next();
  await cut.until((frames) => frames.length > 0);
  killed.child.kill("SIGKILL");
  expect(await cut.over).toBe("cut");
  order = speaking;
  const { events, run } = await say(id, "order tea", { "last-event-id": cut.frames[0]?.id ?? "" });
  expect(run).toBe(cut.headers["x-run-id"]);
  expect(events).toEqual([
    { event: "AGENT_DONE", data: expect.objectContaining({ success: false }) },
    { event: "DONE", data: expect.objectContaining({ error: { code: "interrupted", retryable: true } }) },
  ]);
  expect((await say(id, "order tea")).events.at(-1)?.data.state_snapshot).toMatchObject({ items: ["tea"] });
});
