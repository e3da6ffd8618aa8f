import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { holdDialogue, startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { minimalAgent } from "./agent.ts";

const TASK = "MINIMAL_TURN";

let agent: TestAgent;
before(async () => {
  agent = await startAgent(minimalAgent());
});
after(() => agent.close());

test("asks for what is missing, and books once it is confirmed", async () => {
  const talk = holdDialogue(agent, TASK);
  assert.partialDeepStrictEqual(await talk.say("a table for 4, please"), {
    message: "At what time, such as 19:30?",
    next_action: "ASK",
    state: { stage: "FILLING", slots: { people: 4 }, missing: ["time"] },
  });
  assert.partialDeepStrictEqual(await talk.say("19:30"), {
    next_action: "CONFIRM",
    state: { stage: "READY" },
  });
  assert.partialDeepStrictEqual(await talk.say("yes"), {
    next_action: "DONE",
    effects: [{ kind: "booking", people: 4, time: "19:30" }],
  });
});

test("what is cancelled is not booked", async () => {
  const talk = holdDialogue(agent, TASK);
  await talk.say("for 4 at 19:30");
  const { effects = [], ...last } = await talk.say("cancel");
  assert.partialDeepStrictEqual(last, { next_action: "DONE", state: { stage: "CANCELLED" } });
  assert.deepEqual(effects, []);
});
