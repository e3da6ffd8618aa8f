import { holdDialogue, startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { minimalAgent } from "./agent.ts";

const TASK = "MINIMAL_TURN";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(minimalAgent());
});
afterAll(() => agent.close());

test("asks for what is missing, and books once it is confirmed", async () => {
  const talk = holdDialogue(agent, TASK);
  expect(await talk.say("a table for 4, please")).toMatchObject({
    message: "At what time, such as 19:30?",
    next_action: "ASK",
    state: { stage: "FILLING", slots: { people: 4 }, missing: ["time"] },
  });
  const shown = await talk.say("19:30");
  expect(shown).toMatchObject({ next_action: "CONFIRM", state: { stage: "READY", missing: [] } });
  expect(shown.message).toContain("people: 4, time: 19:30");
  expect(await talk.say("yes")).toMatchObject({
    next_action: "DONE",
    effects: [{ kind: "booking", people: 4, time: "19:30" }],
  });
});

test("speaks the user's language", async () => {
  const talk = holdDialogue(agent, TASK, "ko");
  expect(await talk.say("네 자리 예약해 주세요")).toMatchObject({ message: "몇 분이세요?" });
  expect((await talk.say("4명 9:05")).message).toContain("인원: 4명, 시간: 09:05");
  expect(await talk.say("네")).toMatchObject({ next_action: "DONE", effects: [{ time: "09:05" }] });
});

test("a correction is shown again, and what is cancelled is not booked", async () => {
  const talk = holdDialogue(agent, TASK);
  await talk.say("for 4 at 19:30");
  expect(await talk.say("no, 6 people")).toMatchObject({
    next_action: "CONFIRM",
    state: { slots: { people: 6 } },
  });
  const { effects = [], ...last } = await talk.say("cancel");
  expect(last).toMatchObject({ next_action: "DONE", state: { stage: "CANCELLED" } });
  expect(effects).toEqual([]);
});

test.each([
  ["too many people", "for 21 at 19:30", "people"],
  ["a time that is none", "for 4 at 25:00", "time"],
])("asks again for %s", async (_what, message, missing) => {
  const talk = holdDialogue(agent, TASK);
  expect(await talk.say(message)).toMatchObject({ next_action: "ASK", state: { missing: [missing] } });
});
