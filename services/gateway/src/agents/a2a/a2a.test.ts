import { afterEach, describe, expect, test } from "@jest/globals";
import { Egress, EgressRules } from "../../egress/index.ts";
import {
  type Call,
  clientFor,
  dispatch,
  failureOf,
  LIMITS,
  openStream,
  sendJson,
  startAgent,
} from "../test/agent.ts";
import type { DispatchRequest } from "../types.ts";
import { isAskable } from "./card.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const id = "run:step:1";
const result = (of: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: of })}\n\n`;
const status = (state: string, text?: string) => ({
  statusUpdate: {
    ...{ taskId: "t1", contextId: "c1" },
    status: { state: `TASK_STATE_${state}`, ...(text ? { message: { parts: [{ text }] } } : {}) },
  },
});
const artifact = (text: string, more: object = {}) => ({
  artifactUpdate: {
    taskId: "t1",
    contextId: "c1",
    artifact: { artifactId: "a", parts: [{ text }] },
    ...more,
  },
});

/** Asks an agent that answers as the test says. */
async function asked(answer: (call: Call) => unknown, fields: Partial<DispatchRequest> = {}) {
  const agent = await startAgent(answer);
  const client = clientFor(`${agent.url}/agent`, { protocol: "a2a", limits: { retries: 1 } });
  open.push(agent.close, () => client.close());
  return { agent, answer: client.stream(dispatch({ idempotencyKey: "run:step", ...fields })) };
}

const streaming =
  (...frames: string[]) =>
  (call: Call) => {
    openStream(call);
    call.res.end(frames.join(""));
  };

const DIALOGUE = { state: null, message: "hello", history: [], locale: "en" };
const turn = { body: { request_id: "run:step", task_type: "TASK", inputs: DIALOGUE } };

test("a stream's artifacts are the answer, what is appended to them too, and what is told on the way is passed on", async () => {
  const told: unknown[] = [];
  const frames = [status("WORKING", "Looking."), artifact("One "), artifact("price.", { append: true })];
  const { agent, answer } = await asked(streaming(...frames.map(result), result(status("COMPLETED"))), {
    body: { request_id: "run:step", task_type: "TASK", inputs: { message: "Which price?", item: "A" } },
    onEvent: ({ type, data }) => void told.push([type, data]),
  });
  expect(await answer).toMatchObject({ outputs: { text: "One price." } });
  expect(told).toEqual([
    ["progress", { message: "Looking." }],
    ["token", { text: "One " }],
    ["token", { text: "price." }],
  ]);
  const [call] = agent.calls;
  expect(call).toMatchObject({ path: "/agent", headers: { "a2a-version": "1.0" } });
  expect(call?.body).toMatchObject({
    method: "SendStreamingMessage",
    params: {
      message: {
        messageId: "run:step",
        role: "ROLE_USER",
        parts: [{ text: "Which price?" }, { data: { item: "A" } }],
      },
    },
  });
});

test("inputs that are large are passed on as they are", async () => {
  const inputsJson = JSON.stringify({ items: "x".repeat(300_000) });
  const { agent, answer } = await asked(streaming(result({ message: { parts: [{ text: "Yes." }] } })), {
    inputsJson,
  });
  expect(await answer).toMatchObject({ outputs: { text: "Yes." } });
  const { params } = Object(agent.calls[0]?.body);
  expect(JSON.stringify(params.message.parts)).toBe(`[{"data":${inputsJson}}]`);
});

test("what an agent asks goes on with its task, in a dialogue", async () => {
  const { answer } = await asked(streaming(result(status("INPUT_REQUIRED", "Where to?"))), turn);
  expect((await answer).outputs).toEqual({
    state: { context_id: "c1", task_id: "t1" },
    message: "Where to?",
    next_action: "ASK",
  });
  const state = { context_id: "c1", task_id: "t1" };
  const next = await asked(streaming(result(artifact("Booked.")), result(status("COMPLETED"))), {
    body: { ...turn.body, inputs: { ...DIALOGUE, state } },
  });
  expect((await next.answer).outputs).toEqual({
    state: { context_id: "c1" },
    message: "Booked.",
    next_action: "DONE",
  });
  expect(next.agent.calls[0]?.body.params).toMatchObject({ message: { contextId: "c1", taskId: "t1" } });
});

describe("what is no answer", () => {
  test.each<[string, (call: Call) => unknown, object]>([
    ["a stream that ends early", streaming(result(artifact("One "))), { reason: "no_terminal" }],
    ["an empty stream", streaming(), { reason: "no_terminal" }],
    ["another request's answer", streaming(result({}).replace(id, "x")), { reason: "wrong_request_id" }],
    ["no form of the protocol", streaming(result({ hello: 1 })), { reason: "not_contract" }],
    [
      "more after the end",
      streaming(result(status("COMPLETED", "x")), result(artifact("y"))),
      { reason: "after_terminal" },
    ],
    ["a failed task", streaming(result(status("FAILED", "No."))), { agentCode: "INTERNAL", message: "No." }],
    ["a rejected task", streaming(result(status("REJECTED"))), { agentCode: "TASK_REJECTED" }],
    ["a task that needs rights", streaming(result(status("AUTH_REQUIRED"))), { agentCode: "UNAUTHORIZED" }],
    [
      "a question to a step",
      streaming(result(status("INPUT_REQUIRED", "?"))),
      { agentCode: "INPUT_REQUIRED" },
    ],
    [
      "an error",
      (call) => sendJson(call, { jsonrpc: "2.0", id, error: { code: -32603, message: "Broken." } }),
      { agentCode: "INTERNAL", message: "Broken." },
    ],
    [
      "a page",
      ({ res }) => res.writeHead(200, { "content-type": "text/html" }).end("x"),
      { reason: "not_event_stream" },
    ],
    [
      "a cut",
      (call) => {
        openStream(call);
        call.res.write(result(artifact("x")), () => call.res.destroy());
      },
      { reason: "connection_lost" },
    ],
  ])("%s", async (_, answer, expected) => {
    const { agent, answer: given } = await asked(answer);
    expect(await failureOf(given)).toMatchObject(expected);
    // What came may have had its effect: it is not asked again.
    expect(agent.calls.filter(({ body }) => body.method !== "CancelTask")).toHaveLength(1);
  });
});

test("a task that nobody waits for is cancelled at the agent", async () => {
  const leaving = new AbortController();
  const cancelled = Promise.withResolvers<Call>();
  const { answer } = await asked(
    (call) => {
      if (call.body.method === "CancelTask") return cancelled.resolve(call);
      openStream(call);
      call.res.write(result(status("WORKING", "Looking.")));
    },
    { signal: leaving.signal, onEvent: () => leaving.abort() },
  );
  expect(await failureOf(answer)).toMatchObject({ code: "cancelled" });
  const { body, res } = await cancelled.promise;
  expect(body.params).toEqual({ id: "t1" });
  res.end();
});

test("an agent at an address that is not allowed is not asked", async () => {
  const agent = await startAgent(() => undefined);
  const egress = new Egress({ rules: new EgressRules({ loopback: false }) });
  const client = clientFor(agent.url, { protocol: "a2a", egress, limits: LIMITS });
  open.push(agent.close, () => client.close());
  expect(await failureOf(client.stream(dispatch()))).toMatchObject({ reason: "egress_refused" });
  expect(agent.calls).toEqual([]);
});

test.each([
  [true, {}],
  [true, { skills: [{ id: "Book Trip" }] }],
  [false, { skills: [{ id: "fly" }] }],
  [false, { capabilities: {} }],
  [false, { supportedInterfaces: [{ protocolBinding: "GRPC", protocolVersion: "1.0" }] }],
  [false, { supportedInterfaces: [{ protocolBinding: "JSONRPC", protocolVersion: "0.3" }] }],
])("whether an agent can be asked is in its card: %s, %j", (expected, more) => {
  const card = {
    supportedInterfaces: [{ protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true },
    skills: [{ id: "book-trip" }],
    ...more,
  };
  expect(isAskable(card, ["BOOK_TRIP"])).toBe(expected);
});
