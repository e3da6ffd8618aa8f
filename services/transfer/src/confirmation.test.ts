import { holdDialogue, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startTransfer, type TestLedger, testLedger } from "../test/agent.ts";
import { CLEAR_YES_EN, CLEAR_YES_KO, NO_CLEAR_YES_EN, NO_CLEAR_YES_KO } from "../test/confirm-turns.ts";

let ledger: TestLedger;
let agent: TestAgent;
beforeAll(async () => {
  ledger = testLedger();
  agent = await startTransfer(ledger);
});
afterAll(() => agent.close());

const EN = "send 50 dollars to Anna";
const KO = "민수에게 5만원";

function executed(): number {
  return [...ledger.entries.values()].filter(({ status }) => status === "executed").length;
}

async function shown(order: string) {
  const talk = holdDialogue(agent, "TRANSFER_TURN");
  expect(await talk.say(order)).toMatchObject({ next_action: "CONFIRM" });
  return talk;
}

describe("what is said to a confirmation", () => {
  test.each([
    ...NO_CLEAR_YES_EN.map((turn) => [turn, EN] as const),
    ...NO_CLEAR_YES_KO.map((turn) => [turn, KO] as const),
  ])("%s: executes nothing", async (turn, order) => {
    const talk = await shown(order);
    const before = executed();
    const { state } = await talk.say(turn);
    expect(state.stage).not.toBe("EXECUTED");
    expect(executed()).toBe(before);
  });

  test.each([
    ...CLEAR_YES_EN.map((turn) => [turn, EN] as const),
    ...CLEAR_YES_KO.map((turn) => [turn, KO] as const),
  ])("%s: executes what was shown, once", async (turn, order) => {
    const talk = await shown(order);
    const before = executed();
    expect(await talk.say(turn)).toMatchObject({ next_action: "DONE", state: { stage: "EXECUTED" } });
    expect(executed()).toBe(before + 1);
  });
});

describe("a confirmation", () => {
  test.each([
    ["no, Anne", "Recipient changed: Anna → Anne. Send $50 to Anne. Is that right?"],
    ["make it 60", "Amount changed: $50 → $60. Send $60 to Anna. Is that right?"],
    ["in euros", "Amount changed: $50 → €50. Send €50 to Anna. Is that right?"],
    ["add a memo: lunch", "Memo added: lunch. Send $50 to Anna (memo: lunch). Is that right?"],
    ["yes tomorrow", "Date added: 2026-11-19. Send $50 to Anna on 2026-11-19. Is that right?"],
    ["아니 영희한테", "받는 분 변경: Anna → 영희. 영희에게 50달러를 보냅니다. 맞나요?"],
  ])("after %s names what has changed", async (turn, message) => {
    const talk = await shown(EN);
    expect(await talk.say(turn)).toMatchObject({ message, next_action: "CONFIRM" });
  });

  test.each([
    ["Anne", "Who do you mean: Anna or Anne?"],
    ["the other Anna", "Who should get $50?"],
    ["10 more", "How much should I send to Anna?"],
  ])("is not asked for after %s", async (turn, message) => {
    const talk = await shown(EN);
    expect(await talk.say(turn)).toMatchObject({ message, next_action: "ASK" });
    expect((await talk.say("yes")).state.stage).toBe("FILLING");
  });

  test("is shown again where a yes follows something that was not understood", async () => {
    const talk = await shown(EN);
    const { message, state } = await talk.say("tom should get some of it");
    expect(message).toMatch(/^Sorry, I didn't get that\. Nothing has been done\./);
    expect(state).toMatchObject({ stage: "READY", slots: { target: "Anna", amount: 50 } });
    expect(await talk.say("yes")).toMatchObject({ next_action: "CONFIRM" });
    expect(await talk.say("yes")).toMatchObject({ state: { stage: "EXECUTED" } });
  });

  test.each(["yes now", "send it right now", "지금 보내"])(
    "of a transfer on Friday: %s is another day",
    async (turn) => {
      const talk = await shown(`${EN} on friday`);
      const { next_action, state } = await talk.say(turn);
      expect({ next_action, slots: state.slots }).toEqual({
        next_action: "CONFIRM",
        slots: { target: "Anna", amount: 50, currency: "USD" },
      });
    },
  );
});
