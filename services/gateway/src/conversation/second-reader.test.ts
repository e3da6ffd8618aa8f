import { describe, expect, test } from "@jest/globals";
import type { SlotReading, Slots, TaggedReading } from "../language/index.ts";
import { withLimitsOfParts } from "./parts.ts";
import { settle } from "./second-reader.ts";

const reading = (slots: Slots, more: Partial<SlotReading> = {}): SlotReading => ({
  slots,
  cleared: [],
  unsupported: [],
  asks: [],
  rest: "",
  ...more,
});
const second = (slots: Slots, confidence: number, more: Partial<SlotReading> = {}): TaggedReading => ({
  reading: reading(slots, more),
  confidence,
  slotConfidence: Object.fromEntries(Object.keys(slots).map((name) => [name, confidence])),
  spans: [],
  bounds: [],
  ofNames: [],
  others: () => [],
  freeOf: [],
  ground: { leastMention: 1, leastWord: 1, mentions: 0, words: 0, unread: 0, means: 0, unknown: 0 },
});
const TALK = {
  comparable: ["items", "tier", "limit", "goal", "move"],
  narrowing: new Set(["items", "tier"]),
  moves: new Set(["move"]),
  findings: new Set(["faulty"]),
  shown: ["top"],
  handsOver: false,
  isOrdinary: (slot: string) => slot === "tier",
  echo: (slots: Slots) => JSON.stringify(slots),
};
const settled = (first: SlotReading, other: TaggedReading) =>
  settle("a message", { first, second: other, before: {} }, TALK);

test("readers that agree ask nothing", () => {
  expect(settled(reading({ limit: 5 }), second({ limit: 5 }, 1))).toEqual({
    reading: reading({ limit: 5 }),
    unsupported: [],
  });
});

test("where they differ, the user chooses one reading, the other, or both", () => {
  const { ask, reading: kept } = settled(reading({ limit: 5 }), second({ goal: "profit" }, 0.9));
  expect(ask?.options.map(({ sets }) => sets)).toEqual([
    { limit: 5 },
    { goal: "profit" },
    { limit: 5, goal: "profit" },
  ]);
  expect(kept.slots).toEqual({ limit: 5 });
  const { ask: other } = settled(reading({ limit: 5 }), second({ limit: 7 }, 0.9));
  expect(other?.options.map(({ sets }) => sets)).toEqual([{ limit: 5 }, { limit: 7 }]);
});

test("the second stands alone where it is sure, with what it joins to a selection", () => {
  expect(settled(reading({ limit: 5 }), second({ limit: 7 }, 0.98))).toMatchObject({
    reading: { slots: { limit: 7 } },
  });
  expect(settled(reading({ limit: 5 }), second({ limit: 7 }, 0.98))).not.toHaveProperty("ask");
  expect(settled(reading({ limit: 5 }), second({}, 0.98)).reading.slots).toEqual({});
  const edits = { items: { adds: ["A"], drops: [] } };
  expect(settled(reading({ items: ["A"] }), second({ items: ["A"] }, 0.98, { edits })).reading.edits).toEqual(
    edits,
  );
  expect(
    settled(reading({ items: ["A"] }), second({ items: ["A"] }, 0.9, { edits })).reading.edits,
  ).toBeUndefined();
});

test("a reader that is not sure contradicts nothing, and what it alone reads is asked about sooner", () => {
  expect(settled(reading({ limit: 5 }), second({ limit: 7 }, 0.6))).not.toHaveProperty("ask");
  expect(settled(reading({}), second({ limit: 7 }, 0.6))).toHaveProperty("ask");
  expect(settled(reading({}), second({ limit: 7 }, 0.3))).not.toHaveProperty("ask");
});

test("a selection that one of them reads is taken; an ordinary word is asked about", () => {
  const taken = settled(reading({}), second({ items: ["A"] }, 0.9));
  expect(taken).not.toHaveProperty("ask");
  expect(taken.reading.slots).toEqual({ items: ["A"] });
  const ordinary = settled(reading({}), second({ tier: "new" }, 0.9));
  expect(ordinary).toHaveProperty("ask");
  expect(ordinary.reading.slots).toEqual({});
});

test("a what-if that the rules read is not asked about", () => {
  expect(settled(reading({ move: 0.1 }), second({}, 1))).not.toHaveProperty("ask");
  expect(settled(reading({}), second({ move: 0.1 }, 0.9))).toHaveProperty("ask");
});

test("what either names is named, once", () => {
  const first = reading({}, { unsupported: ["no price under the web shop"] });
  const other = second({}, 1, { unsupported: ["under the web shop", "before Friday"] });
  expect(settled(first, other).unsupported).toEqual(["no price under the web shop", "before Friday"]);
});

describe("a figure", () => {
  const span = (text: string, figure: number) =>
    ({ start: 0, end: text.length, text, op: "none", probability: 1, figure }) as const;
  const named = (figures: ReturnType<typeof span>[], first: SlotReading, before: Slots = {}) =>
    settle("a message", { first, second: { ...second({}, 1), spans: figures }, before }, TALK).unsupported;

  test("that neither reads is named", () => {
    expect(named([span("6000", 6000)], reading({ items: ["A"] }))).toEqual(["6000"]);
    expect(named([span("6000", 6000)], reading({}, { unsupported: ["over 6000"] }))).toEqual(["over 6000"]);
    expect(named([span("3,000", 3000)], reading({}, { unsupported: ["000"] }))).toEqual(["3,000"]);
  });

  test("is named to whom the agent gets the message, too, but for times, which the agent reads", () => {
    const at = (start: number, text: string, more: object) => ({
      ...span(text, 11),
      start,
      end: start + text.length,
      ...more,
    });
    const month = at(0, "August", { op: "in" as const, figure: undefined });
    const read = (...spans: object[]) =>
      settle(
        "a message",
        {
          first: reading({}),
          second: { ...second({}, 1), spans: spans as TaggedReading["spans"] },
          before: {},
        },
        { ...TALK, handsOver: true },
      ).unsupported;
    expect(read(month, at(7, "11", {}))).toEqual([]);
    expect(read(month, at(30, "11", {}))).toEqual(["11"]);
    expect(read(at(0, "11 days", { time: true }))).toEqual([]);
  });

  test("that one of them reads, asks about, or that was in force is not", () => {
    const named = (figures: TaggedReading["spans"], first: SlotReading, before: Slots = {}) =>
      settle(
        "a message",
        { first, second: { ...second({}, 0.9), spans: figures }, before },
        {
          ...TALK,
          comparable: [],
        },
      ).unsupported;
    expect(named([span("5 %", 0.05)], reading({ limit: 0.05 }))).toEqual([]);
    expect(named([span("5", 5)], reading({ limit: 0.05 }))).toEqual([]);
    expect(named([span("3 %", 0.03)], reading({}), { limit: 0.03 })).toEqual([]);
    const asks = [{ slot: "limit", question: "?", options: [] }];
    expect(named([span("7", 7)], reading({}, { asks }))).toEqual([]);
  });
});

test("what is said again to take it back is not set, and no amount is asked of what is lifted", () => {
  const clear = { start: 0, end: 4, text: "drop", op: "clear", probability: 1 } as const;
  const settledOn = (first: SlotReading, other: TaggedReading, before: Slots) =>
    settle("a message", { first, second: { ...other, spans: [clear] }, before }, TALK).reading;
  const again = settledOn(reading({ limit: 60 }), second({}, 0.6), { limit: 60 });
  expect([again.slots, again.cleared]).toEqual([{}, ["limit"]]);
  expect(settledOn(reading({ limit: 60 }), second({}, 0.6), { limit: 50 }).slots).toEqual({ limit: 60 });
  const asks = [{ slot: "limit", question: "?", options: [] }];
  const lifted = settledOn(reading({}, { asks }), second({}, 1, { cleared: ["limit"] }), {});
  expect([lifted.asks, lifted.cleared]).toEqual([[], ["limit"]]);
});

test("limits of parts replace what was read of them, and nothing else that was named", () => {
  const limits = { limits: [{ value: 0.05, scope: { tier: ["x"] } }] };
  const rules = reading(
    { items: ["A"], tier: "x", limit: 0.05 },
    {
      unsupported: ["3 % elsewhere", "volume above 900"],
      asks: [{ slot: "limit", question: "?", options: [] }],
    },
  );
  expect(withLimitsOfParts(rules, reading({ limit: limits }, { limited: ["5 %", "3 %"] }))).toEqual(
    reading({ items: ["A"], limit: limits }, { unsupported: ["volume above 900"] }),
  );
  expect(withLimitsOfParts(rules, reading({ limit: 0.05 }))).toBe(rules);
});

test("what is named as not applied is not applied as well", () => {
  const spans = [{ text: "$20,000", figure: 20_000, op: "set", start: 13, end: 20, probability: 1 }];
  const named = "no more than $20,000 in lost sales";
  const read = (unsupported: string[]) =>
    settle(
      named,
      {
        first: reading({ limit: 20_000, goal: "profit" }, { unsupported }),
        second: { ...second({ limit: 20_000, goal: "profit" }, 1), spans: spans as TaggedReading["spans"] },
        before: {},
      },
      TALK,
    ).reading.slots;
  expect(read([named])).toEqual({ goal: "profit" });
  expect(read(["in time"])).toEqual({ limit: 20_000, goal: "profit" });
});
