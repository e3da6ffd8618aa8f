import { describe, expect, test } from "@jest/globals";
import type { Slots } from "../catalogue/reading.ts";
import { differencesOf } from "./compare.ts";

const DECLARED = ["items", "limit", "goal"];

describe("two readings", () => {
  test.each<[Slots, Slots]>([
    [{}, {}],
    [{ items: ["A", "B"] }, { items: ["B", "A"] }],
    [{ items: "A" }, { items: ["A"] }],
    [{ limit: 0.3 }, { limit: 0.1 + 0.2 }],
    [{ goal: "profit" }, { goal: "profit" }],
  ])("%j and %j are the same", (first, second) => {
    expect(differencesOf(first, second, DECLARED)).toEqual([]);
  });

  test.each<[Slots, Slots, object]>([
    [{ limit: 0.05 }, {}, { slot: "limit", first: 0.05 }],
    [{}, { goal: "revenue" }, { slot: "goal", second: "revenue" }],
    [{ limit: 0.05 }, { limit: -0.05 }, { slot: "limit", first: 0.05, second: -0.05 }],
    [{ items: ["A"] }, { items: ["A", "B"] }, { slot: "items", first: ["A"], second: ["A", "B"] }],
  ])("%j and %j differ", (first, second, difference) => {
    expect(differencesOf(first, second, DECLARED)).toEqual([difference]);
  });

  test("differ in the order of the slots", () => {
    const found = differencesOf({ goal: "profit", items: ["A"] }, { limit: 3 }, DECLARED);
    expect(found.map(({ slot }) => slot)).toEqual(DECLARED);
  });
});
