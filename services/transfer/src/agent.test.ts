import { holdDialogue, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { idOf, startTransfer, type TestLedger, testLedger } from "../test/agent.ts";

let ledger: TestLedger;
let agent: TestAgent;
beforeAll(async () => {
  ledger = testLedger();
  agent = await startTransfer(ledger);
});
afterAll(() => agent.close());

function talk(locale = "en") {
  return holdDialogue(agent, "TRANSFER_TURN", locale);
}

describe("TRANSFER_TURN over HTTP", () => {
  test("makes a transfer in Korean, as it was shown", async () => {
    const { say } = talk();
    expect(await say("송금하고 싶어")).toMatchObject({
      message: "누구에게 얼마를 보내드릴까요?",
      next_action: "ASK",
      state: { stage: "FILLING", slots: {}, missing: ["target", "amount"] },
    });
    await say("민수");
    const shown = await say("5만원");
    expect(shown).toMatchObject({
      message: "민수에게 50,000원을 보냅니다. 맞나요?",
      next_action: "CONFIRM",
      ui_hint: { buttons: ["확인", "취소"] },
    });
    const id = idOf(shown.state);
    expect(await say("확인")).toMatchObject({
      next_action: "DONE",
      state: { stage: "EXECUTED" },
      effects: [{ id, kind: "transfer", status: "executed", target: "민수", amount: 50000, currency: "KRW" }],
    });
    expect(ledger.entries.get(id)?.transfer).toEqual({
      target: "민수",
      amount_minor: "50000",
      currency: "KRW",
    });
  });

  test("holds cents exactly", async () => {
    const { say } = talk();
    const id = idOf((await say("send $1,234.56 to Jane")).state);
    expect(await say("yes")).toMatchObject({ effects: [{ amount: 1234.56, amount_text: "1234.56" }] });
    expect(ledger.entries.get(id)?.transfer).toMatchObject({ amount_minor: "123456", currency: "USD" });
  });

  test("several transfers are confirmed one by one, with their places told", async () => {
    const { say } = talk();
    const first = await say("A한테 만원, B랑 C한테 2만원씩");
    expect(first).toMatchObject({
      next_action: "CONFIRM",
      state: {
        slots: { target: "A", amount: 10000 },
        queue: [{ target: "B", amount: 20000 }, { target: "C" }],
      },
      progress: [{ task_progress: { index: 1, total: 3, slots: { target: "A" } } }],
    });
    expect(await say("네")).toMatchObject({
      next_action: "ASK_CONTINUE",
      state: { stage: "EXECUTED" },
      ui_hint: { buttons: ["계속 진행", "취소"] },
    });
    const second = await say("계속 진행");
    expect(second).toMatchObject({ next_action: "CONFIRM", state: { slots: { target: "B" } } });
    expect(second.progress).toMatchObject([{ task_progress: { index: 2, total: 3 } }]);
    expect(await say("이건 취소")).toMatchObject({
      next_action: "ASK_CONTINUE",
      state: { stage: "CANCELLED" },
    });
    await say("계속");
    expect(await say("확인")).toMatchObject({
      next_action: "DONE",
      state: { slots: { target: "C" }, queue: [] },
    });
  });

  test("cancels one of them by name, or all", async () => {
    const { say } = talk();
    await say("send 10,000 to Ann, 20,000 to Bob and 30,000 to Cy");
    expect(await say("cancel the one to Bob")).toMatchObject({
      next_action: "CONFIRM",
      state: { slots: { target: "Ann" }, queue: [{ target: "Cy" }] },
    });
    expect(await say("cancel everything")).toMatchObject({
      next_action: "DONE",
      state: { stage: "CANCELLED", queue: [] },
    });
  });

  test("answers in the language of each message", async () => {
    const { say } = talk();
    expect((await say("send 50,000 won to Minsu")).message).toMatch(/^Send 50,000 won/);
    expect((await say("아니 3만원")).message).toBe(
      "금액 변경: 50,000원 → 30,000원. Minsu에게 30,000원을 보냅니다. 맞나요?",
    );
    expect((await say("40,000")).message).toMatch(/Minsu에게 40,000원을/);
  });

  test("a ledger that does not answer fails the turn, and the next message finds out under the same id", async () => {
    const held = talk();
    const id = idOf((await held.say("send 7,000 won to Dan")).state);
    ledger.isDown = true;
    const inputs = { state: held.state, message: "yes", history: [], locale: "en" };
    const { events, final } = await agent.stream({ task_type: "TRANSFER_TURN", mode: "LIVE", inputs });
    expect(final).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    const checkpoint = events.find(({ event }) => event === "progress")?.data.checkpoint as { state: object };
    expect(checkpoint.state).toMatchObject({ stage: "CONFIRMED", task: { id } });
    ledger.isDown = false;
    held.state = checkpoint.state;
    expect(await held.say("hello?")).toMatchObject({
      state: { stage: "EXECUTED" },
      effects: [{ id, target: "Dan" }],
    });
    expect([...ledger.entries.values()].filter(({ transfer }) => transfer.target === "Dan")).toHaveLength(1);
  });

  test.each(["no", "아니 8만원", "send it to Eve instead"])(
    "%s after an execution that was never told says that it is done, and does nothing twice",
    async (message) => {
      const held = talk();
      const target = `Fay${message.length}`;
      const { state } = await held.say(`send 5,000 won to ${target}`);
      await held.say("yes");
      held.state = state;
      expect(await held.say(message)).toMatchObject({
        state: { stage: "EXECUTED", slots: { target } },
        effects: [{ id: idOf(state) }],
      });
    },
  );

  test("what was cancelled is not executed by a confirmation that comes late", async () => {
    const held = talk();
    const { state } = await held.say("send 5,000 won to Gus");
    await held.say("cancel");
    held.state = state;
    // The cancellation was the last thing said, so that this yes is none to the confirmation.
    expect(await held.say("yes")).toMatchObject({ next_action: "CONFIRM", state: { stage: "READY" } });
    expect(await held.say("yes")).toMatchObject({ state: { stage: "FAILED" } });
    expect(ledger.entries.get(idOf(state))?.status).toBe("withdrawn");
  });

  test("an id that the ledger has another transfer under is refused", async () => {
    const held = talk();
    const { state } = await held.say("send 5,000 won to Hal");
    const id = idOf(state);
    await ledger.record({
      id,
      status: "executed",
      at: "",
      transfer: { target: "Ian", amount_minor: "1", currency: "KRW" },
    });
    expect(await held.say("yes")).toMatchObject({ state: { stage: "FAILED" }, next_action: "DONE" });
  });
});
