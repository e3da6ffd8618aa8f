import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { agent } from "./agent.ts";

let running: TestAgent;
before(async () => {
  running = await startAgent(agent);
});
after(() => running.close());

test("says what an order costs", async () => {
  const { body } = await running.sync({ task_type: "QUOTE", inputs: { item: "lamp", quantity: 2 } });
  assert.partialDeepStrictEqual(body, { status: "ok", outputs: { quote: { cost: 90 } } });
});

test("fails by name for an item that there is not", async () => {
  const { body } = await running.sync({ task_type: "QUOTE", inputs: { item: "sofa", quantity: 1 } });
  assert.partialDeepStrictEqual(body, { status: "error", error: { code: "UNKNOWN_ITEM" } });
});
