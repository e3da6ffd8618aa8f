import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createClient, type InterlockClient } from "../src/index.ts";
import { type AgentCall, meshOf, startAgent, type TestAgent } from "./support/agent.ts";
import { collect, quick } from "./support/client.ts";
import { type GatewayProcess, startGateway, tokenOf } from "./support/gateway.ts";
import { type TestRedis, testRedis } from "./support/redis.ts";
import { until } from "./support/server.ts";
import { startWire, type Wire } from "./support/wire.ts";

/** Two replicas of the real gateway over one Redis, and a TCP proxy that can cut connections. */
const ADA = tokenOf("ada", "analyst", "editor");
let redis: TestRedis;
let agent: TestAgent;
let replicas: GatewayProcess[] = [];
let wire: Wire;
let client: InterlockClient;

beforeAll(async () => {
  redis = await testRedis();
  agent = await startAgent();
  const manifest = meshOf(agent.url);
  replicas = await Promise.all([startGateway(manifest, redis.url), startGateway(manifest, redis.url)]);
  wire = await startWire(url(0));
});

beforeEach(() => {
  wire.target(url(0));
  client = createClient(quick(wire.url, { token: ADA }));
});

afterAll(async () => {
  await wire?.close();
  await Promise.all(replicas.map((replica) => replica.stop()));
  await agent?.close();
  await redis?.stop();
});

function url(replica: number): string {
  return replicas[replica]?.url ?? "";
}

function session() {
  return { sessionId: randomUUID() };
}

/** Acts, then waits for the agent's next call. */
async function nextCall(act: () => void): Promise<AgentCall> {
  const before = agent.calls.length;
  act();
  await until(() => agent.calls.length > before);
  const call = agent.calls[before];
  if (!call) throw new Error("no call");
  return call;
}

describe("a turn", () => {
  test("yields the same events live and from the replayed log", async () => {
    const turn = client.chat("say hello", session());
    const { events, error } = await collect(turn);
    expect(error).toBeUndefined();
    expect(events.map((event) => event.type)).toEqual([
      "started",
      "tool_call",
      "token",
      "token",
      "tool_call",
      "end",
    ]);
    const result = await turn.result;
    expect(result).toMatchObject({ status: "ok", message: "grüße 🙂", tools_used: ["echo"] });
    const runId = turn.runId ?? "";
    expect(result.thread_id).toBe(runId);

    const replay = client.runs.events(runId, { dialect: "chat" });
    expect(await collect(replay)).toEqual({ events, error: undefined });
    const log = await collect(client.runs.events(runId));
    expect(log.events.map((event) => event.type)).toEqual([
      "run_started",
      "step_started",
      "token",
      "token",
      "step_finished",
      "run_finished",
    ]);
    const nothing = client.runs.events(runId, { after: turn.lastSeq });
    expect(await collect(nothing)).toEqual({ events: [], error: undefined });
  });

  test("resumes on another replica after the event at which it was cut", async () => {
    const turn = client.chat("say hello", { ...session(), inputs: { hold: true }, onDisconnect: "continue" });
    const reading = collect(turn);
    const call = await nextCall(() => undefined);
    call.token("one ");
    await until(() => turn.lastSeq === 3);
    wire.target(url(1));
    wire.cut();
    call.token("two ");
    await until(() => turn.lastSeq === 4);
    wire.target(url(0));
    wire.cut();
    call.token("three");
    call.finish({ text: "one two three" });
    const { events, error } = await reading;
    expect(error).toBeUndefined();
    expect(events.flatMap((event) => (event.type === "token" ? event.token : []))).toEqual([
      "one ",
      "two ",
      "three",
    ]);
    expect(await turn.result).toMatchObject({ status: "ok", message: "one two three" });
    const replay = client.runs.events(turn.runId ?? "", { dialect: "chat" });
    expect((await collect(replay)).events).toEqual(events);
  });

  test("whose answer was lost is found again by its Idempotency-Key, without a second run", async () => {
    const turn = client.chat("say hello", { ...session(), inputs: { hold: true }, onDisconnect: "continue" });
    wire.swallow();
    const reading = collect(turn);
    const call = await nextCall(() => undefined);
    const before = agent.calls.length;
    wire.cut();
    call.finish({ text: "hello" });
    const { events, error } = await reading;
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: "end", message: "hello" });
    expect(agent.calls.length).toBe(before);
  });

  test("that the caller leaves is cancelled, and so is its agent's run", async () => {
    const turn = client.chat("say hello", { ...session(), inputs: { hold: true } });
    let call: AgentCall | undefined;
    const before = agent.calls.length;
    for await (const event of turn) {
      if (event.type !== "tool_call") continue;
      await until(() => agent.calls.length > before);
      call = agent.calls[before];
      break;
    }
    await call?.gone;
    const log = client.runs.events(turn.runId ?? "");
    await expect(log.result).rejects.toMatchObject({ name: "RunFailedError", outcome: "cancelled" });
  });

  test("in a busy session is refused with the active run's id, or queued with multitask=enqueue", async () => {
    const one = session();
    const first = client.chat("say hello", { ...one, inputs: { hold: true } });
    const reading = collect(first);
    const call = await nextCall(() => undefined);
    await expect(client.chat("say more", one).result).rejects.toMatchObject({
      code: "session_busy",
      status: 409,
      retryable: true,
      details: { run_id: first.runId },
    });
    const second = client.chat("say more", { ...one, multitask: "enqueue" }).result;
    call.finish({ text: "hello" });
    expect((await reading).error).toBeUndefined();
    expect(await second).toMatchObject({ status: "ok", message: "grüße 🙂" });
  });

  test("without a message is refused with 400 invalid_request", async () => {
    await expect(client.chat(" ", session()).result).rejects.toMatchObject({
      name: "ApiError",
      code: "invalid_request",
      status: 400,
      requestId: expect.stringMatching(/^\w+$/),
    });
  });
});

describe("a run in the background", () => {
  test("is started once, followed on any replica, and listed", async () => {
    const order = { ...session(), flow: "release", goals: ["echo"], inputs: {} };
    const started = await client.runs.start(order, { idempotencyKey: randomUUID() });
    const log = createClient(quick(url(1), { token: () => ADA })).runs.events(started.run_id);
    expect(await log.result).toMatchObject({ type: "run_finished", data: { message: "Said: grüße 🙂" } });
    expect(await client.runs.get(started.run_id)).toMatchObject({ state: "finished", flow: "release" });
    const page = await client.runs.list({ sessionId: order.sessionId, limit: 10 });
    expect(page.runs.map((run) => run.run_id)).toContain(started.run_id);
  });

  test("is the same run for the same key; another request under that key is refused", async () => {
    const order = { ...session(), flow: "release", goals: ["echo"] };
    const effect = { idempotencyKey: randomUUID() };
    const [one, two] = [await client.runs.start(order, effect), await client.runs.start(order, effect)];
    expect(one.run_id).toBe(two.run_id);
    const other = client.runs.start({ ...order, inputs: { other: true } }, effect);
    await expect(other).rejects.toMatchObject({ code: "idempotency_mismatch", status: 422 });
    await client.runs.events(one.run_id).result;
  });

  test("is cancelled, and so is its agent's run", async () => {
    const order = { ...session(), flow: "release", goals: ["echo"], inputs: { hold: true } };
    const before = agent.calls.length;
    const { run_id } = await client.runs.start(order);
    await until(() => agent.calls.length > before);
    expect(await client.runs.cancel(run_id)).toMatchObject({ run_id, state: "cancelled" });
    await agent.calls[before]?.gone;
    const failure = await client.runs.events(run_id).result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "cancelled", outcome: "cancelled", runId: run_id });
  });

  test("that does not exist answers 404", async () => {
    const missing = { name: "ApiError", code: "not_found", status: 404, retryable: false };
    await expect(client.runs.get("nothing")).rejects.toMatchObject(missing);
    await expect(client.runs.events("nothing").result).rejects.toMatchObject(missing);
  });
});

describe("an approval", () => {
  test("pauses the run, is decided once, and resumes the run after the pause", async () => {
    const turn = client.chat("release it", { ...session(), plan: true, inputs: {} });
    const paused = await turn.result;
    if (paused.status !== "paused") throw new Error(`the run is ${paused.status}`);
    const page = await client.approvals.list({ state: "pending" });
    expect(page.approvals.map((approval) => approval.id)).toContain(paused.approval.id);
    const approval = await client.approvals.get(paused.approval.id);
    expect(approval).toMatchObject({ run_id: turn.runId, state: "pending", proposal: { text: "grüße 🙂" } });

    const decision = { decision: "approve", proposalHash: approval.proposal_hash, note: "fine" } as const;
    const effect = { idempotencyKey: randomUUID() };
    const decided = await client.approvals.decide(approval.id, decision, effect);
    expect(decided).toMatchObject({ approval_id: approval.id, decision: "approved", by: "ada" });
    expect(await client.approvals.decide(approval.id, decision, effect)).toEqual(decided);
    await expect(
      client.approvals.decide(approval.id, { ...decision, decision: "reject" }),
    ).rejects.toMatchObject({
      code: "conflict",
      status: 409,
      details: { winner: { decision: "approved", by: "ada" } },
    });

    const more = client.runs.events(turn.runId ?? "", { after: turn.lastSeq });
    const { events, error } = await collect(more);
    expect(error).toBeUndefined();
    expect(events[0]).toMatchObject({ type: "approval_decided", seq: paused.seq + 1 });
    expect(await more.result).toMatchObject({ type: "run_finished", data: { message: "Said: grüße 🙂" } });

    const whole = await collect(client.runs.events(turn.runId ?? "", { dialect: "chat" }));
    expect(whole.error).toBeUndefined();
    expect(whole.events.find((event) => event.type === "rest")).toMatchObject({
      status: "paused",
      approval: { id: approval.id },
    });
  });
});

test("lists agents, tools, models and sessions", async () => {
  const { agents } = await client.agents.list();
  expect(agents).toMatchObject([{ name: "echo", tasks: ["ECHO", "PUBLISH"] }]);
  expect(await client.tools.list()).toContainEqual({ name: "echo", description: "Says something." });
  const models = await client.models.list();
  expect(models.models.map((model) => model.id)).toContain(models.default);
  const { sessions } = await client.sessions.list({ limit: 1 });
  const one = await client.sessions.get(sessions[0]?.session_id ?? "");
  const cleared = await client.sessions.reset(one.session_id);
  expect([one.turns.length > 0, cleared.turns]).toEqual([true, []]);
  expect(one.turns[0]).toMatchObject({ role: "user" });
});
