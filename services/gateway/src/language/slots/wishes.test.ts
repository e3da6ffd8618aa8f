import { expect, test } from "@jest/globals";
import type { Slots } from "../index.ts";
import { campingReader } from "./test/camping.ts";

const read = campingReader(["CMP-3120", "CMP-3240", "CMP-1180", "CMP-7701", "CMP-6054", "CMP-5533"]);

type Case = readonly [text: string, slots: Slots];

const stove: Slots = { items: ["CMP-1180"] };

const AIMS: readonly Case[] = [
  ["Reprice the stove. Revenue. Max change 3%.", { ...stove, objective: "revenue", max_change_pct: 0.03 }],
  ["Revenue please", { objective: "revenue" }],
  ["We want profit for the stove", { ...stove, objective: "profit" }],
  ["I'm not asking for profit, I'm asking for revenue", { objective: "revenue" }],
  ["For the stove: revenue. At most 6%.", { ...stove, objective: "revenue", max_change_pct: 0.06 }],
  [
    "For the stove, profit, and a margin of at least 20 %",
    { ...stove, objective: "profit", min_margin: 0.2 },
  ],
  ["In the family segment as much profit as we can find", { segment: "family", objective: "profit" }],
  ["She'd rather see the profit grow than the revenue", { objective: "profit" }],
];

test.each(AIMS)("an objective that is a sentence of its own or a plain wish is one: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ slots: expected, asks: [], unsupported: [] });
});

test.each([
  "Profit?",
  "What does revenue mean?",
  "Explain the change. Revenue. Cost. Demand.",
  "I want profit figures for the stove",
  "If you want profit, tell me",
])("an objective that is only mentioned is none: %s", (text) => {
  expect(read(text).slots).not.toHaveProperty("objective");
});

const VIOLATING: readonly Case[] = [
  ["Which items are outside our pricing policy? Just list those", { only_violating: true }],
  ["Which items are in breach? I don't want to see the fine ones", { only_violating: true }],
  ["List the stove only if it breaks a rule", { ...stove, only_violating: true }],
];

test.each(VIOLATING)("only what breaks a rule, in other words: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const AMOUNTS: readonly Case[] = [
  ["What if purchasing costs come in 8% over plan?", { cost_move: 0.08 }],
  ["no cut deeper than 4 % and no rise beyond 4 %", { max_change_pct: 0.04 }],
  ["can the stove take a rise of 3% without tripping over the rules", { ...stove, price_move: 0.03 }],
];

test.each(AMOUNTS)("what an amount is compared with says what it is for: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ slots: expected, asks: [], unsupported: [] });
});

test.each([
  ["Get the stove repriced by noon", "by noon"],
  ["Have the stove online before Thursday", "before Thursday"],
  ["never above the rate the shop next door asks", "above the rate the shop next door asks"],
  ["We must not be more expensive than last summer", "must not be more expensive than last summer"],
  ["Set the stove to precisely 399", "stove to precisely 399"],
  ["students pay 15% less for the stove", "students pay 15% less for the stove"],
  ["stay below the 29 euros our neighbour charges", "stay below the 29 euros our neighbour charges"],
])("what nothing here can apply is named: %s", (text, phrase) => {
  const { slots, unsupported } = read(text);
  expect(unsupported).toEqual([phrase]);
  expect(Object.keys(slots).filter((name) => name !== "items")).toEqual([]);
});

const VALUES: readonly Case[] = [
  ["best prices for family please", { segment: "family" }],
  ["cut the repair tariff of the stove by 4%", { ...stove, tiers: ["repair"], price_move: -0.04 }],
  ["the exchange fare", { tiers: ["exchange"] }],
];

test.each(VALUES)("an ordinary word is a value behind an aim and before a rate: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ slots: expected, asks: [], unsupported: [] });
});

test("the beginning of a name, beside another word of it, names it", () => {
  expect(read("raise the tunn tent by 3%").slots).toEqual({ items: ["CMP-3240"], price_move: 0.03 });
});

test("a name with a word that no name has is asked about", () => {
  const { slots, asks } = read("cut the pocket lantern by 4%");
  expect(slots).toEqual({ price_move: -0.04 });
  expect(asks).toMatchObject([{ slot: "items", options: [{ sets: { items: ["CMP-5533"] } }] }]);
});
