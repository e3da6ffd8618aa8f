import { randomUUID } from "node:crypto";
import { HttpAgent, type RunAgentParameters } from "@ag-ui/client";
import type { AGUIEvent, Interrupt, RunFinishedEvent } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, begin, type Call, standIn } from "./support/stand-in.ts";

/** The shipped manifest, over agents that answer at once. */
const keep = closingAtEnd();
const effect = { demand: 1, revenue: 1, profit: 1 };
const PRICING = {
  PRICE_OPTIMIZATION: { proposed: [], totals: { current: effect, expected: effect, change: effect } },
  POLICY_CHECK: {
    passed: true,
    violations: [],
    suggestions: [],
    current: { violations: [], suggestions: [] },
  },
  SENSITIVITY_ANALYSIS: { summary: "how sure", totals: { robustness: {} } },
  PRICING_REPORT: { summary: "review", proposed: [], shown: {} },
  ORDER_CHECK: { passed: true, verdicts: [] },
};
const BO = as("bo", "pricing_approver");
let gateway: TestGateway;
let onExplain: (call: Call) => unknown;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const tasks = Object.entries(PRICING).map(([task, outputs]) => [task, answering(outputs)]);
  const agent = keep(
    await standIn({ ...Object.fromEntries(tasks), PRICE_EXPLANATION: (call) => onExplain(call) }),
  );
  onExplain = answering({ items: [], omitted: 0, summary: "why" });
  gateway = keep(await testGateway({ manifest: shippedMesh(agent.url), redisUrl: redis.url }));
});

const somebody = () => as(`u-${randomUUID()}`, "analyst");

/** A conversation by the protocol's own client; each event that it gets is held against the protocol's schema. */
function conversation(headers: Record<string, string>, path = "/ag-ui") {
  const threadId = randomUUID();
  const agent = new HttpAgent({ url: `${gateway.url}${path}`, headers, threadId });
  const run = async (parameters: RunAgentParameters = {}): Promise<AGUIEvent[]> => {
    const events: AGUIEvent[] = [];
    await agent.runAgent(parameters, {
      onEvent({ event }) {
        expect([event, EventSchemas.safeParse(event).error]).toEqual([event, undefined]);
        events.push(event as AGUIEvent);
      },
    });
    return events;
  };
  const say = async (content: string): Promise<AGUIEvent[]> => {
    agent.addMessage({ id: randomUUID(), role: "user", content });
    return await run();
  };
  return { agent, threadId, run, say };
}

const typesOf = (events: readonly AGUIEvent[]) => events.map(({ type }) => String(type));
const finishOf = (events: readonly AGUIEvent[]): RunFinishedEvent => {
  const last = events.at(-1);
  if (last?.type !== "RUN_FINISHED") throw new Error(`the run ended with ${last?.type}`);
  return last;
};
const interruptOf = (events: readonly AGUIEvent[]): Interrupt => {
  const { outcome } = finishOf(events);
  if (outcome?.type !== "interrupt") throw new Error(`the outcome is ${outcome?.type}`);
  const [interrupt] = outcome.interrupts;
  if (!interrupt) throw new Error("nothing waits");
  return interrupt;
};
const decision = ({ id, metadata }: Interrupt, decision: string) => ({
  interruptId: id,
  status: "resolved" as const,
  payload: { decision, proposal_hash: metadata?.["interlock/proposal_hash"] },
});
/** Answers an interrupt as the client does, which would write a line about a refusal. */
const statusOf = async (threadId: string, entry: object, headers: Record<string, string>) =>
  (await post(gateway, "/ag-ui", { threadId, runId: "r", messages: [], resume: [entry] }, headers)).status;

test("a pricing conversation: steps, tool calls, text, and what was understood as state", async () => {
  const { agent, threadId, say } = conversation(somebody());
  const events = await say("Propose prices for EMEA, maximise profit");
  const types = typesOf(events);
  expect(types[0]).toBe("RUN_STARTED");
  expect(types[1]).toBe("STATE_SNAPSHOT");
  for (const type of ["STEP_STARTED", "TOOL_CALL_RESULT", "STEP_FINISHED", "TEXT_MESSAGE_CONTENT"])
    expect(types).toContain(type);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "TOOL_CALL_START", toolCallName: "price_optimization" }),
  );
  expect(finishOf(events)).toMatchObject({
    threadId,
    outcome: { type: "success" },
    result: { session_id: threadId, status: "ok" },
  });
  const sessionOf = async () =>
    Object((await get(gateway, `/api/v1/sessions/${threadId}`, agent.headers)).json());
  const { slots } = (await sessionOf()).working_set;
  expect(Object.keys(slots).length).toBeGreaterThan(0);
  expect(agent.state).toEqual({ slots });
  // The next turn begins with the state as it is, and tells what it changes alone.
  const next = await say("and for APAC");
  expect(next.find(({ type }) => type === "STATE_SNAPSHOT")).toMatchObject({ snapshot: { slots } });
  expect(types).toContain("STATE_DELTA");
  const text = agent.messages.findLast(({ role }) => role === "assistant");
  const session = await sessionOf();
  expect(text?.content).toBe(session.turns.at(-1).text);
  expect(agent.state).toEqual({ slots: session.working_set.slots });
});

test("an approval is an interrupt; only an approver's own token decides", async () => {
  const ann = somebody();
  const { agent, threadId, run, say } = conversation(ann);
  const interrupt = interruptOf(await say("Propose prices and publish them"));
  expect(interrupt).toMatchObject({ reason: "approval_required", message: expect.any(String) });
  const view = (await get(gateway, `/api/v1/approvals/${interrupt.id}`, BO)).json();
  expect(interrupt.metadata).toMatchObject({ "interlock/proposal_hash": view.proposal_hash });
  // Whoever asked decides nothing, and may look again.
  expect(await statusOf(threadId, decision(interrupt, "approve"), ann)).toBe(403);
  const follow = { interruptId: interrupt.id, status: "resolved" as const };
  expect(interruptOf(await run({ resume: [follow] }))).toMatchObject({ id: interrupt.id });
  // Nor does another tenant's approver know of it.
  const zoe = as("zoe", "pricing_approver", `t-${randomUUID()}`);
  expect(await statusOf(threadId, decision(interrupt, "approve"), zoe)).toBe(404);
  // Another proposal than the one that waits is not approved.
  const stale = { ...interrupt, metadata: { "interlock/proposal_hash": "0".repeat(64) } };
  expect(await statusOf(threadId, decision(stale, "approve"), BO)).toBe(409);
  agent.headers = BO;
  const decided = await run({ resume: [decision(interrupt, "approve")] });
  expect(finishOf(decided).outcome).toMatchObject({ type: "success" });
  expect((await get(gateway, `/api/v1/approvals/${interrupt.id}`, BO)).json().state).toBe("approved");
  // Whoever asked learns how it ended.
  agent.headers = ann;
  const ended = await run({ resume: [follow] });
  expect(finishOf(ended)).toMatchObject({ outcome: { type: "success" }, result: { status: "ok" } });
  expect(typesOf(ended)).toContain("TEXT_MESSAGE_CONTENT");
});

test("a request for an approval is taken back", async () => {
  const { run, say } = conversation(somebody());
  const { id } = interruptOf(await say("Propose prices and publish them"));
  const events = await run({ resume: [{ interruptId: id, status: "cancelled" }] });
  expect(finishOf(events)).toMatchObject({ outcome: { type: "success" }, result: { status: "rejected" } });
  expect((await get(gateway, `/api/v1/approvals/${id}`, BO)).json().state).toBe("withdrawn");
});

test("an agent that breaks off is RUN_ERROR, and no step stays open", async () => {
  onExplain = (call) => {
    begin(call);
    setImmediate(() => call.res.destroy());
  };
  const { agent, threadId } = conversation(somebody(), "/ag-ui/explainer");
  const body = {
    ...{ threadId, runId: "r1", state: {}, tools: [], context: [] },
    messages: [{ id: "m1", role: "user", content: "Explain" }],
  };
  const answer = await post(gateway, "/ag-ui/explainer", body, agent.headers);
  const events = answer.text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? EventSchemas.parse(JSON.parse(line.slice(6))) : []));
  expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: expect.stringMatching(/^upstream_/) });
  expect(typesOf(events as AGUIEvent[])).not.toContain("RUN_FINISHED");
  expect(typesOf(events as AGUIEvent[]).filter((type) => type.startsWith("STEP_"))).toEqual([
    "STEP_STARTED",
    "STEP_FINISHED",
  ]);
});

test("what cannot be heeded is refused", async () => {
  const headers = somebody();
  const body = { threadId: randomUUID(), runId: "r1", messages: [{ role: "user", content: "Explain" }] };
  const image = [{ type: "image", source: { type: "url", value: "https://example.com/a.png" } }];
  for (const more of [
    { tools: [{ name: "look", description: "" }] },
    { messages: [{ role: "user", content: image }] },
    { messages: [{ role: "assistant", content: "No." }] },
    { threadId: "no id" },
  ]) {
    const { status, json } = await post(gateway, "/ag-ui", { ...body, ...more }, headers);
    expect([more, status, json().code]).toEqual([more, 400, "invalid_request"]);
  }
});
