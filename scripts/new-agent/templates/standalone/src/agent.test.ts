import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { minimalAgent } from "./agent.ts";

const TASK = "MINIMAL";

let agent: TestAgent;
before(async () => {
  agent = await startAgent(minimalAgent());
});
after(() => agent.close());

async function ask(inputs: object) {
  return await agent.sync({ task_type: TASK, mode: "LIVE", inputs });
}

test("counts the words of a text, in any script", async () => {
  const { body } = await ask({ text: "¿Qué hora es? 지금 몇 시예요?" });
  assert.partialDeepStrictEqual(body, { status: "ok", outputs: { words: 6, longest: "hora" } });
});

test("runs on its sample and streams its progress", async () => {
  const { events, final } = await agent.stream({ task_type: TASK });
  assert.deepEqual(
    events.map(({ event }) => event),
    ["started", "progress", "final"],
  );
  assert.partialDeepStrictEqual(final, { status: "ok", outputs: { words: 9, longest: "quick" } });
});

test("fails by name where there are no words", async () => {
  const { status, body } = await ask({ text: "…" });
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, { status: "error", error: { code: "NO_WORDS" } });
});

test("refuses inputs that break the schema", async () => {
  for (const inputs of [{}, { text: "" }, { text: 7 }, { text: "one two", language: "en" }])
    assert.equal((await ask(inputs)).status, 400);
});
