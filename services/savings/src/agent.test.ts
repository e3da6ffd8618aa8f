import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { savingsAgent } from "./agent.ts";

const TASK = "SAVINGS";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(savingsAgent());
});
afterAll(() => agent.close());

async function ask(inputs: object, more: object = {}) {
  return agent.sync({ task_type: TASK, mode: "LIVE", inputs, ...more });
}

test("it judges the sample: what to change, what is counted once, and what cannot be judged", async () => {
  const { body } = await agent.sync({ task_type: TASK });
  expect(body).toMatchObject({ status: "ok", ok: true });
  const outputs = body.outputs as {
    sum: number;
    joint: number;
    recommendations: { id: string; overlaps: string[] }[];
  };
  const ids = outputs.recommendations.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([
    "commitment:compute",
    "data_transfer:nat-to-storage",
    "idle:batch-7",
    "orphaned:disk-9",
    "rightsizing:web-1",
    "storage_tier:archive",
    "untagged:spend",
  ]);
  expect(outputs.joint).toBeLessThan(outputs.sum);
  expect(outputs).toMatchObject({
    currency: "USD",
    summary: expect.stringMatching(/^Together they save \$\d/),
    not_judged: expect.arrayContaining([{ subject: "legacy-3", about: "idle", reason: "NO_USAGE_DATA" }]),
  });
  const commitment = outputs.recommendations.find(({ id }) => id === "commitment:compute");
  expect(commitment?.overlaps.toSorted()).toEqual(["idle:batch-7", "rightsizing:web-1"]);
});

test("it answers in the language of the run", async () => {
  const { body } = await agent.sync({ task_type: TASK, language: "ko-KR" });
  expect(body.outputs).toMatchObject({ summary: expect.stringMatching(/^모두 실행하면 월 US\$/) });
});

describe("it refuses", () => {
  const resource = { resource_id: "a", kind: "compute", monthly_cost: 1 };

  test.each([
    ["no resources", {}],
    ["a negative cost", { resources: [{ ...resource, monthly_cost: -1 }] }],
    ["an unknown kind", { resources: [{ ...resource, kind: "boat" }] }],
    ["a field that it does not know", { resources: [{ ...resource, idle: true }] }],
  ])("%s", async (_, inputs) => {
    expect((await ask(inputs)).status).toBe(400);
  });

  test("a resource twice, and names it", async () => {
    expect((await ask({ resources: [resource, resource] })).body).toMatchObject({
      status: "error",
      error: { code: "INVALID_RESOURCE", details: { resource_id: "a" } },
    });
  });

  test("everything, when it is switched off", async () => {
    const off = await startAgent(savingsAgent({ enabled: false }));
    try {
      const { body } = await off.sync({ task_type: TASK });
      expect(body).toMatchObject({ status: "error", error: { code: "SAVINGS_OFF" } });
    } finally {
      await off.close();
    }
  });
});

test("a long analysis ends at its deadline", async () => {
  const on_demand = Array.from({ length: 8760 }, (_, hour) => hour % 24);
  const pool = {
    grain: "hour",
    usage: [{ group: "a", on_demand }],
    options: [{ name: "o", term_months: 12, discounts: { a: 0.3 } }],
  };
  const pools = Array.from({ length: 20 }, (_, i) => ({ name: `pool ${i}`, ...pool }));
  const { body } = await ask({ resources: [], pools }, { budgets: { timeout_ms: 200 } });
  expect(body).toMatchObject({ error: { code: "DEADLINE_EXCEEDED" } });
});
