import { agentContract } from "@interlock/contracts";
import { afterEach, describe, expect, test } from "@jest/globals";
import { countTask, failingTask, returning, slowTask, start, until } from "../test/agents.ts";
import { createAgent, createLog, TaskError } from "./index.ts";
import { startAgent, type TestAgent } from "./testing.ts";

let agent: TestAgent | undefined;
afterEach(() => agent?.close());

async function text(path: string): Promise<string> {
  return (await fetch(`${agent?.url}${path}`)).text();
}

describe("an agent that is not right", () => {
  const card = { name: "tester", version: "1" };

  test.each<[string, () => unknown, RegExp]>([
    ["without tasks", () => createAgent({ card, tasks: {} }), /at least one task/],
    [
      "with a bad name",
      () => createAgent({ card: { ...card, name: "a b" }, tasks: { C: countTask } }),
      /\/name/,
    ],
    [
      "with a slip in a schema",
      () => createAgent({ card, tasks: { C: { ...countTask, inputs: { type: "object", propertees: {} } } } }),
      /inputs schema of task C/,
    ],
    [
      "whose outputs are no object",
      () => createAgent({ card, tasks: { C: { ...countTask, outputs: { type: "array" } } } }),
      /outputs schema of task C/,
    ],
    ["with an error code in small letters", () => new TaskError("nope", ""), /UPPER_CASE/],
  ])("%s is found when it is made", (_, make, message) => {
    expect(make).toThrow(message);
  });
});

test("the card comes from the same schemas", async () => {
  agent = await start(
    { COUNT: { ...countTask, examples: [{ to: 1 }] } },
    {},
    { description: "Counts.", limits: { max_event_bytes: 8192 } },
  );
  const card: unknown = JSON.parse(await text("/agents/card"));
  expect(agentContract.card(card).ok).toBe(true);
  expect(card).toEqual({
    name: "tester",
    version: "1.2.3",
    description: "Counts.",
    contract: "agent/v1",
    limits: { max_event_bytes: 8192 },
    task_types: [
      {
        task_type: "COUNT",
        description: "Counts",
        inputs: countTask.inputs,
        outputs: countTask.outputs,
        examples: [{ to: 1 }],
      },
    ],
  });
});

test("health and readiness are answered", async () => {
  agent = await start({ COUNT: countTask });
  expect(JSON.parse(await text("/health"))).toEqual({ status: "ok" });
  expect(JSON.parse(await text("/health/ready"))).toEqual({ status: "ready" });
});

test("the run past the limit is refused, with when to come again", async () => {
  agent = await start({ SLOW: slowTask(60_000), COUNT: countTask }, { maxConcurrent: 1 });
  const client = new AbortController();
  const first = agent.sync({ task_type: "SLOW" }, { signal: client.signal });
  await until(async () => (await text("/metrics")).includes("runs_active 1"));
  const { status, headers, body } = await agent.sync({ task_type: "COUNT" });
  expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
  expect(body).toMatchObject({ error: { code: "OVERLOADED" } });
  client.abort();
  await expect(first).rejects.toThrow();
  await until(async () => (await agent?.sync({ task_type: "COUNT" }))?.status === 200);
});

test("traceparent reaches the task if it is one", async () => {
  const seen: unknown[] = [];
  agent = await start({
    TRACE: returning((context) => {
      seen.push([context.traceparent, context.trace]);
      return {};
    }),
  });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await agent.sync({ task_type: "TRACE" }, { headers: { traceparent, tracestate: "a=1" } });
  await agent.sync({ task_type: "TRACE" }, { headers: { traceparent: "mine", tracestate: "a=1" } });
  expect(seen).toEqual([
    [traceparent, { traceparent, tracestate: "a=1" }],
    [undefined, {}],
  ]);
});

test("the language that a request asks for reaches the task", async () => {
  const seen: unknown[] = [];
  agent = await start({
    TRACE: returning((context) => {
      seen.push(context.language);
      return {};
    }),
  });
  await agent.sync({ task_type: "TRACE", language: "ko-KR" });
  await agent.sync({ task_type: "TRACE" });
  expect(seen).toEqual(["ko-KR", undefined]);
});

test("metrics count runs by task, status and code, and refusals by code", async () => {
  agent = await start({ COUNT: countTask, FAIL: failingTask });
  await agent.sync({ task_type: "COUNT" });
  await agent.stream({ task_type: "FAIL" });
  await agent.sync({ task_type: "canary-4711" });
  const metrics = await text("/metrics");
  expect(metrics).toContain('interlock_agent_runs_total{task_type="COUNT",status="ok",code="OK"} 1');
  expect(metrics).toContain(
    'interlock_agent_runs_total{task_type="FAIL",status="error",code="INFEASIBLE"} 1',
  );
  expect(metrics).toContain('interlock_agent_refusals_total{code="UNSUPPORTED_TASK"} 1');
  expect(metrics).toContain('interlock_agent_run_duration_seconds_count{task_type="COUNT"} 1');
  expect(metrics).toContain("interlock_agent_runs_active 0");
  expect(metrics).not.toContain("canary");
});

test("a log line says which run, how long and how it ended, and nothing else of the request", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    agent: "tester",
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const definition = { card: { name: "tester", version: "1" }, tasks: { COUNT: countTask } };
  agent = await startAgent(createAgent(definition), { log });
  const canary = { user_id: "canary-4711", headers: "canary-4711" };
  await agent.sync({ request_id: "r-1", task_type: "COUNT", ...canary });
  await agent.sync({ request_id: "r-2", task_type: "COUNT", inputs: { to: "canary-4711" } });
  await agent.sync({ request_id: "r-3", task_type: "canary-4711", inputs: {} });
  const common = {
    level: 30,
    time: expect.any(String),
    agent: "tester",
    msg: "request",
    duration_ms: expect.any(Number),
  };
  expect(lines).toEqual([
    { ...common, request_id: "r-1", task_type: "COUNT", status: "ok", code: "OK" },
    { ...common, request_id: "r-2", task_type: "COUNT", status: "refused", code: "INVALID_INPUTS" },
    { ...common, request_id: "r-3", status: "refused", code: "UNSUPPORTED_TASK" },
  ]);
});

test("a line that a task logs says of which run it is, whatever else it says", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const TALK = returning((context) => {
    context.log.warn("odd", { rows: 3, request_id: 7 });
    return {};
  });
  agent = await startAgent(createAgent({ card: { name: "tester", version: "1" }, tasks: { TALK } }), { log });
  await agent.sync({ request_id: "r-1", task_type: "TALK" });
  expect(lines[0]).toMatchObject({ level: 40, msg: "odd", rows: 3, request_id: "r-1", task_type: "TALK" });
});
