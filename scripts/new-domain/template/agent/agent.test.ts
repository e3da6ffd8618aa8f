import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import sample from "../data/sample.json" with { type: "json" };
import { minimalAgent } from "./agent.ts";

const TASK = "MINIMAL";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(minimalAgent());
});
afterAll(() => agent.close());

const ask = async (inputs: object, language?: string) =>
  await agent.sync({ task_type: TASK, mode: "LIVE", inputs, ...(language ? { language } : {}) });

test("counts everything, in the language that it is asked for", async () => {
  const { body } = await ask(sample);
  const text = "1239 in stock: BOLT-M8 1200, VALVE-V7 35, PUMP-P1 4.";
  expect(body).toMatchObject({ status: "ok", outputs: { total: 1239, summary: text, not_applied: [] } });
  expect((await ask(sample, "ko")).body).toMatchObject({
    outputs: { summary: "재고 1239개: BOLT-M8 1200, VALVE-V7 35, PUMP-P1 4." },
  });
});

test("applies what was said, and names what it cannot apply", async () => {
  const constraints = [
    { slot: "items", op: "except", value: ["BOLT-M8"] },
    { slot: "top", op: "set", value: 1 },
    { slot: "colour", op: "set", value: "red" },
  ];
  const { body } = await ask({ ...sample, constraints });
  expect(body).toMatchObject({ outputs: { counts: { "VALVE-V7": 35 }, not_applied: ["colour"] } });
});

test("fails by name where nothing is left to count", async () => {
  const constraints = [{ slot: "items", op: "only", value: ["NONE"] }];
  expect((await ask({ ...sample, constraints })).body).toMatchObject({
    status: "error",
    error: { code: "NOTHING_SELECTED" },
  });
});

test("refuses a field that it does not know", async () => {
  expect((await ask({ ...sample, shelf: 4 })).status).toBe(400);
});
