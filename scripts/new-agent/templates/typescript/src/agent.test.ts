import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { minimalAgent } from "./agent.ts";

const TASK = "MINIMAL";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(minimalAgent());
});
afterAll(() => agent.close());

async function ask(inputs: object) {
  return await agent.sync({ task_type: TASK, mode: "LIVE", inputs });
}

test("counts the words of a text, in any script", async () => {
  const { body } = await ask({ text: "¿Qué hora es? 지금 몇 시예요?" });
  expect(body).toMatchObject({ status: "ok", outputs: { words: 6, longest: "hora" } });
});

test("runs on its sample and streams its progress", async () => {
  const { events, final } = await agent.stream({ task_type: TASK });
  expect(events.map(({ event }) => event)).toEqual(["started", "progress", "final"]);
  expect(final).toMatchObject({ status: "ok", outputs: { words: 9, longest: "quick" } });
});

test("fails by name where there are no words", async () => {
  const { status, body } = await ask({ text: "…" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "error", error: { code: "NO_WORDS" } });
});

test.each([
  ["no text", {}],
  ["an empty text", { text: "" }],
  ["a text that is a number", { text: 7 }],
  ["a field that it does not know", { text: "one two", language: "en" }],
])("refuses %s", async (_what, inputs) => {
  expect((await ask(inputs)).status).toBe(400);
});
