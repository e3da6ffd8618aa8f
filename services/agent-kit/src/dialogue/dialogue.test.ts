import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createAgent, dialogue } from "../index.ts";
import { holdDialogue, startAgent, type TestAgent } from "../testing.ts";

type Order = { item: string; quantity: number; note?: string };

const executed: object[] = [];
const withdrawn = new Set<string>();

const ORDER_TURN = dialogue<Order>({
  slots: {
    item: {
      label: { en: "item", ko: "품목" },
      ask: { en: "What would you like to order?", ko: "무엇을 주문할까요?" },
      check: (raw) =>
        typeof raw === "string" && /^(?:pump|valve)s?$/.test(raw)
          ? { value: raw.replace(/s$/, "") }
          : { problem: "We have pumps and valves." },
      find: (message) => /\b(?:pump|valve)s?\b/.exec(message)?.[0],
    },
    quantity: {
      label: { en: "quantity", ko: "수량" },
      ask: { en: "How many?", ko: "몇 개 드릴까요?" },
      check: (raw) => {
        const value = Number(raw);
        return Number.isInteger(value) && value > 0
          ? { value }
          : { problem: "The number must be at least 1." };
      },
      find: (message) => /-?\d+/.exec(message)?.[0],
    },
    note: {
      label: { en: "note", ko: "메모" },
      ask: { en: "Which note?", ko: "메모는요?" },
      optional: true,
      check: (raw) => ({ value: String(raw) }),
    },
  },
  async execute({ id, slots }) {
    if (slots.quantity === 13) return { ok: false, reason: "13 is out of stock." };
    executed.push({ id, ...slots });
    return { ok: true, effect: { kind: "order", item: slots.item } };
  },
  async withdraw({ id }) {
    withdrawn.add(id);
    return undefined;
  },
});

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(createAgent({ card: { name: "orders", version: "1" }, tasks: { ORDER_TURN } }));
});
afterAll(() => agent.close());

describe("a dialogue", () => {
  test("fills its slots, shows them, and executes what was confirmed under the id that was shown", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    expect(await talk.say("I need pumps")).toMatchObject({ message: "How many?", next_action: "ASK" });
    const shown = await talk.say("3");
    expect(shown).toMatchObject({
      message: "item: pump, quantity: 3. Shall I go ahead?",
      next_action: "CONFIRM",
      ui_hint: { buttons: ["Confirm", "Cancel"] },
      state: { stage: "READY", slots: { item: "pump", quantity: 3 }, missing: [], queue: [] },
    });
    const id = (shown.state.task as { id: string }).id;
    const done = await talk.say("Confirm");
    expect(done).toMatchObject({ next_action: "DONE", effects: [{ id, kind: "order", item: "pump" }] });
    expect(done.progress).toMatchObject([{ checkpoint: { state: { stage: "CONFIRMED", task: { id } } } }]);
    expect(executed).toContainEqual({ id, item: "pump", quantity: 3 });
  });

  test("a correction is shown anew under another id, and the first is withdrawn", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    const first = (await talk.say("2 valves")).state.task as { id: string };
    const second = await talk.say("no, 4");
    expect(second).toMatchObject({
      next_action: "CONFIRM",
      state: { slots: { item: "valve", quantity: 4 } },
    });
    expect(second.state.task).not.toMatchObject({ id: first.id });
    expect(withdrawn).toContain(first.id);
  });

  test("whatever is not clearly a yes executes nothing", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    await talk.say("2 valves");
    for (const unclear of ["maybe", "yes if he pays", "yes?", "어...", "yes no"]) {
      expect(await talk.say(unclear)).toMatchObject({ next_action: "CONFIRM", state: { stage: "READY" } });
    }
    expect(await talk.say("아니요")).toMatchObject({ next_action: "DONE", state: { stage: "CANCELLED" } });
  });

  test("a confirmation of something else than what was shown is shown again", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    const { state } = await talk.say("2 valves");
    talk.state = { ...state, slots: { item: "valve", quantity: 200 } };
    expect(await talk.say("yes")).toMatchObject({
      next_action: "CONFIRM",
      state: { slots: { quantity: 200 } },
    });
  });

  test("what was confirmed is not executed with other content, even after its confirmation", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    const { state } = await talk.say("2 valves");
    talk.state = { ...state, stage: "CONFIRMED", slots: { item: "valve", quantity: 777 } };
    expect(await talk.say("yes")).toMatchObject({ next_action: "CONFIRM", state: { stage: "READY" } });
    expect(executed).not.toContainEqual(expect.objectContaining({ quantity: 777 }));
  });

  test("a yes counts only where the confirmation was the last thing said", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    const first = await talk.say("2 valves");
    const second = await talk.say("no, 4");
    talk.state = first.state;
    const again = await talk.say("yes");
    expect(again).toMatchObject({ next_action: "CONFIRM", state: { slots: { quantity: 2 } } });
    expect(again.message).toMatch(/^Something else was said in between/);
    talk.state = second.state;
    expect(await talk.say("Confirm")).toMatchObject({ next_action: "CONFIRM" });
    expect(await talk.say("Confirm")).toMatchObject({ next_action: "DONE", effects: [{ item: "valve" }] });
  });

  test("a no with more to it is asked about, and a yes to that question is no confirmation", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    await talk.say("2 valves");
    expect(await talk.say("no, the bigger ones")).toMatchObject({
      message: expect.stringContaining("What should be different?"),
      state: { stage: "READY" },
    });
    expect(await talk.say("yes")).toMatchObject({
      message: expect.stringContaining("Shall I go ahead?"),
      state: { stage: "READY" },
    });
    expect(await talk.say("yes")).toMatchObject({ state: { stage: "EXECUTED" } });
  });

  test("equal orders have confirmations of their own", async () => {
    const ids = await Promise.all(
      [0, 1].map(async () => (await holdDialogue(agent, "ORDER_TURN").say("6 pumps")).state.task),
    );
    expect(new Set(ids.map((task) => (task as { id: string }).id)).size).toBe(2);
  });

  test.each([
    ["says nothing", []],
    ["goes on", [{ op: "next" }]],
    ["sets a slot", [{ op: "set", slot: "quantity", value: 9 }]],
    ["yields what is no operation", [{ op: "yes" }]],
  ])("a model that %s makes no yes of an unclear turn", async (_, operations) => {
    const done: unknown[] = [];
    const TURN = dialogue<{ quantity: number }>({
      slots: {
        quantity: {
          label: { en: "quantity", ko: "수량" },
          ask: { en: "How many?", ko: "몇 개?" },
          check: (raw) => ({ value: Number(raw) }),
        },
      },
      rules: ({ message }) =>
        /^\d+$/.test(message) ? [{ op: "set", slot: "quantity", value: message }] : [],
      fill: async () => operations as never,
      execute: async (task) => {
        done.push(task);
        return { ok: true };
      },
    });
    const own = await startAgent(createAgent({ card: { name: "m", version: "1" }, tasks: { M_TURN: TURN } }));
    const talk = holdDialogue(own, "M_TURN");
    await talk.say("3");
    for (const unclear of ["yes, if you think so", "whatever", "ok then, more"]) {
      expect(await talk.say(unclear)).toMatchObject({ next_action: "CONFIRM" });
    }
    expect(done).toEqual([]);
    await own.close();
  });

  test("says what is wrong with a value, and gives up after five turns that fill nothing", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    await talk.say("I'd like to order something");
    expect(await talk.say("-2 pumps")).toMatchObject({ message: "The number must be at least 1." });
    for (let turn = 0; turn < 4; turn++)
      expect(await talk.say("a boat")).toMatchObject({ state: { stage: "FILLING" } });
    expect(await talk.say("a boat")).toMatchObject({ next_action: "DONE", state: { stage: "UNSUPPORTED" } });
  });

  test("goes on with the same id where a confirmed task has an unknown end", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    const { state } = await talk.say("5 pumps");
    talk.state = { ...state, stage: "CONFIRMED" };
    const { id } = state.task as { id: string };
    expect(await talk.say("did it work?")).toMatchObject({ next_action: "DONE", effects: [{ id }] });
  });

  test("a refusal is told with its reason", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    await talk.say("13 pumps");
    expect(await talk.say("yes")).toMatchObject({
      message: "That was refused: 13 is out of stock.",
      state: { stage: "FAILED" },
    });
  });

  test("a state of another shape begins anew, and says so", async () => {
    const talk = holdDialogue(agent, "ORDER_TURN");
    talk.state = { v: 0, stage: "READY" };
    const { message, state } = await talk.say("2 valves");
    expect(message).toMatch(/^I lost track/);
    expect(state).toMatchObject({ stage: "READY", slots: { item: "valve" } });
  });
});
