import { describe, expect, test } from "@jest/globals";
import { begin, converse, ITEMS } from "./support/garden.ts";

const EMEA = { region: "EMEA" };
const ids = ITEMS.map(({ item_id }) => item_id);
const allBut = (...left: readonly string[]) => ids.filter((id) => !left.includes(id));

describe("a reason beside a constraint asks for nothing and selects nothing", () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["no more than 3 %, the dealers are nervous", { max_change_pct: 0.03 }],
    ["without the pole saw, it's under contract", { max_change_pct: 0.05, items: allBut("SAW-7") }],
    [
      "leave out the soil tiller as it is being phased out",
      { max_change_pct: 0.05, items: allBut("TILL-5") },
    ],
    ["no price under 50, otherwise we lose money", { max_change_pct: 0.05, min_price: 50 }],
    ["also NA, Petra needs it for her report", { max_change_pct: 0.05, region: ["EMEA", "NA"] }],
    ["only NA, Petra is asking", { max_change_pct: 0.05, region: "NA" }],
    ["finance wants 4 instead of 5", { max_change_pct: 0.04 }],
    ["the board insists on at least 25 % margin", { max_change_pct: 0.05, min_margin: 0.25 }],
  ])("%s", (message, slots) => {
    converse([
      ["Best prices for EMEA, at most 5 % change", "optimizer", { ...EMEA, max_change_pct: 0.05 }],
      [message, "optimizer", { ...EMEA, ...slots }],
    ]);
  });

  test("a limit that its reason hides is applied or named, and not dropped", () => {
    const conversation = begin({ items: ITEMS });
    conversation.say("Best prices for EMEA, at most 5 % change");
    const message = "no lower than 100 euros since shipping eats the margin below that";
    const { slots, unsupported = [] } = conversation.say(message);
    expect(slots).toMatchObject({ ...EMEA, max_change_pct: 0.05 });
    expect(slots.min_price ?? unsupported.join()).toEqual(
      slots.min_price === undefined ? expect.stringContaining("100") : 100,
    );
  });

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ["at most 4 %, and how robust is it?", "sensitivity", { max_change_pct: 0.04 }],
    ["is the tiller within the rules at 4 %?", "policy", { items: ["TILL-5"], max_change_pct: 0.04 }],
  ])("%s: what is asked beside it is heard", (message, route, slots) => {
    converse([
      ["How robust are the prices in EMEA?", "sensitivity", EMEA],
      [message, route, { ...EMEA, ...slots }],
    ]);
  });
});

describe("what was left out is in again by its name", () => {
  test.each([
    ["the contract has ended, so you can include the chain saw again"],
    ["the chain saw can be in again"],
    ["good news, chain saw back in please"],
    ["The campaign was called off. The chain saw can go back in"],
  ])("%s", (message) => {
    converse([
      ["Reprice everything but the chain saw", "optimizer", { items: allBut("SAW-9C") }],
      [message, "optimizer", {}],
      ["is that within the rules?", "policy", {}],
    ]);
  });

  test("one after the other, and one that is left out beside the last one", () => {
    converse([
      ["Reprice everything but the chain saw", "optimizer", { items: allBut("SAW-9C") }],
      ["and the leaf blower too", "optimizer", { items: allBut("SAW-9C", "BLOW-X2") }],
      ["put the chain saw back in", "optimizer", { items: [...allBut("SAW-9C", "BLOW-X2"), "SAW-9C"] }],
      ["the leaf blower can come back in", "optimizer", {}],
    ]);
  });
});

describe("what is supposed", () => {
  test.each([
    [
      "What would happen if we raised the chain saw by 3%?",
      "sensitivity",
      { items: ["SAW-9C"], price_move: 0.03 },
    ],
    ["What if we raised all prices by 3 percent?", "sensitivity", { price_move: 0.03 }],
    ["Imagine costs go up by 6% and reprice everything on that basis", "optimizer", { cost_move: 0.06 }],
  ])("%s", (message, route, slots) => {
    converse([[message, route, slots]]);
  });
});

describe("each clause of a plan is heard by itself", () => {
  test.each<[string, readonly string[]]>([
    [
      "Give me prices for the budget parts, explain them and tell me how robust they are",
      ["optimizer", "explainer", "sensitivity"],
    ],
  ])("%s", (message, goals) => {
    converse([[message, "plan", expect.anything(), { goals }]]);
  });

  test("segments in a list are no goals", () => {
    converse([
      [
        "optimise budget and standard",
        "optimizer",
        { segment: expect.arrayContaining(["budget", "standard"]) },
      ],
    ]);
  });
});

describe("a question which item is meant", () => {
  const asked = ["I want to reprice the saw", "clarify", {}] as const;
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["never mind, do the whole range", {}],
    ["doesn't matter, take both of them", { items: ["SAW-7", "SAW-9C"] }],
  ])("%s", (message, slots) => {
    converse([
      asked,
      [message, "optimizer", slots],
      ["at most 4 %", "optimizer", { ...slots, max_change_pct: 0.04 }],
    ]);
  });
});
