import { describe, expect, test } from "@jest/globals";
import { PricingError } from "../errors.ts";
import { policyCheck } from "../policy.ts";
import type { PolicyItem } from "../policy-types.ts";
import { standardRulePack } from "../rule-pack.ts";
import { applyConstraints } from "./apply.ts";
import type { OrderConstraint } from "./constraint.ts";
import type { Constrainable } from "./types.ts";

const VALVE: PolicyItem = {
  item_id: "VALVE",
  region: "EMEA",
  tiers: { new: { current_price: 100, unit_cost: 60 }, repair: { current_price: 70, unit_cost: 40 } },
};
const MOTOR: PolicyItem = {
  item_id: "MOTOR",
  region: "APAC",
  tiers: { new: { current_price: 300, unit_cost: 200, bounds: { min: 250, max: 350 } } },
};
/** Breaks a rule today, and is in no region. */
const PUMP: PolicyItem = {
  item_id: "PUMP",
  tiers: { new: { current_price: 50, unit_cost: 10 }, repair: { current_price: 60, unit_cost: 10 } },
};
const CATALOGUE = [VALVE, MOTOR, PUMP];

const apply = (constraints: OrderConstraint[], more: Partial<Constrainable> = {}) =>
  applyConstraints({ items: CATALOGUE, constraints, ...more } as Constrainable, standardRulePack);
const items = (constraints: OrderConstraint[], more: Partial<Constrainable> = {}): PolicyItem[] =>
  apply(constraints, more).inputs.items ?? [];
const set = (
  slot: string,
  value: OrderConstraint["value"],
  rest: Partial<OrderConstraint> = {},
): OrderConstraint => ({
  slot,
  op: "set",
  ...(value === undefined ? {} : { value }),
  ...rest,
});
const naming = (op: OrderConstraint["op"], slot: string, ...value: string[]): OrderConstraint => ({
  slot,
  op,
  value,
});
const refusal = (constraints: OrderConstraint[], more: Partial<Constrainable> = {}): PricingError => {
  try {
    apply(constraints, more);
  } catch (error) {
    if (error instanceof PricingError) return error;
  }
  throw new Error("nothing was refused");
};

describe("which items are looked at", () => {
  test.each<[what: string, constraints: OrderConstraint[], ids: string[]]>([
    ["all, where nothing is said", [], ["VALVE", "MOTOR", "PUMP"]],
    ["all, where what was said is taken back", [{ slot: "items", op: "clear" }], ["VALVE", "MOTOR", "PUMP"]],
    ["those that are named", [naming("only", "items", "PUMP", "VALVE")], ["VALVE", "PUMP"]],
    ["all others", [naming("except", "items", "PUMP")], ["VALVE", "MOTOR"]],
    ["those of a region, and those of none", [naming("only", "region", "EMEA")], ["VALVE", "PUMP"]],
    ["those that break a rule today", [set("only_violating", true)], ["PUMP"]],
    [
      "all, where those that keep the rules are wanted too",
      [set("only_violating", false)],
      ["VALVE", "MOTOR", "PUMP"],
    ],
    [
      "what two constraints leave",
      [naming("only", "region", "EMEA"), naming("except", "items", "PUMP")],
      ["VALVE"],
    ],
    ["those that freeze too", [naming("freeze", "items", "PUMP")], ["VALVE", "MOTOR", "PUMP"]],
  ])("%s", (_, constraints, ids) => {
    expect(items(constraints).map(({ item_id }) => item_id)).toEqual(ids);
  });

  test.each<[constraints: OrderConstraint[], slot: string, message: RegExp]>([
    [[naming("only", "items", "FAN")], "items", /fits items \(only\) FAN/],
    [
      [naming("only", "items", "VALVE"), naming("only", "region", "APAC")],
      "region",
      /fits region \(only\) APAC/,
    ],
    [[naming("only", "items", "VALVE"), set("only_violating", true)], "only_violating", /breaks a rule/],
    [[naming("only", "tiers", "usm")], "tiers", /fits tiers \(only\) usm/],
    [[naming("only", "items", "MOTOR"), naming("only", "tiers", "repair")], "tiers", /repair/],
    [[naming("except", "items", "VALVE", "MOTOR", "PUMP")], "items", /items \(except\)/],
  ])("nothing left names what leaves nothing", (constraints, constraint, message) => {
    const error = refusal(constraints);
    expect(error.code).toBe("NOTHING_SELECTED");
    expect(error.details).toMatchObject({ constraint });
    expect(error.message).toMatch(message);
  });

  test("an item without a region gets the one that was asked for, before that the one of the request", () => {
    const regions = (more: Partial<Constrainable>, ...said: string[]) =>
      items(said.length > 0 ? [naming("only", "region", ...said)] : [], more).map(({ region }) => region);
    expect(regions({}, "EMEA")).toEqual(["EMEA", "EMEA"]);
    expect(regions({}, "EMEA", "APAC")).toEqual(["EMEA", "APAC", undefined]);
    expect(regions({ region: "NA" })).toEqual(["EMEA", "APAC", "NA"]);
    expect(regions({ region: "APAC" }, "APAC")).toEqual(["APAC", "APAC"]);
  });

  test("proposals for items that are not asked for are left out; one for an item that does not exist stays", () => {
    const proposed = ["VALVE", "MOTOR", "GHOST"].map((item_id) => ({
      item_id,
      tiers: { new: { price: 90 } },
    }));
    const { inputs } = apply([naming("only", "items", "VALVE")], { proposed });
    expect(inputs.proposed?.map(({ item_id }) => item_id)).toEqual(["VALVE", "GHOST"]);
  });
});

describe("what prices may be", () => {
  const boundsOf = (constraints: OrderConstraint[], item = "VALVE") => {
    const { min, max } = items(constraints).find(({ item_id }) => item_id === item)?.tiers.new?.bounds ?? {};
    return [min ?? 0, max ?? Number.POSITIVE_INFINITY];
  };
  test.each<[constraints: OrderConstraint[], low: number, high: number]>([
    [[set("max_change_pct", 0.1, { direction: "most" })], 90, 110],
    [[set("max_change_pct", 0.1, { direction: "up" })], 100, 110],
    [[set("max_change_pct", 0.1, { direction: "down" })], 90, 100],
    [[set("max_change_pct", 4, { unit: "money", direction: "most" })], 96, 104],
    [[set("min_price", 95)], 95, Number.POSITIVE_INFINITY],
    [[set("max_price", 120)], 0, 120],
    [[set("min_margin", 0.2)], 75, Number.POSITIVE_INFINITY],
    [[set("min_margin", 12, { unit: "money" })], 72, Number.POSITIVE_INFINITY],
    [
      [set("cost_move", 6, { unit: "money", direction: "down" }), set("min_margin", 0.1)],
      60,
      Number.POSITIVE_INFINITY,
    ],
    [[set("cost_move", 0.1, { direction: "up" }), set("min_margin", 0.2)], 82.5, Number.POSITIVE_INFINITY],
    [[set("min_price", 95, { scope: { tiers: ["new"] } }), set("max_change_pct", 0.1)], 95, 110],
    [[set("min_price", 95, { scope: { items: ["MOTOR"] } })], 0, Number.POSITIVE_INFINITY],
    [[set("min_price", 95, { scope: { tiers: ["NEW"] } })], 95, Number.POSITIVE_INFINITY],
    [[set("min_price", 95, { scope: { region: "APAC" } })], 0, Number.POSITIVE_INFINITY],
    [[set("min_price", 95, { scope: { region: ["APAC", "EMEA"] } })], 95, Number.POSITIVE_INFINITY],
    [[set("min_price", 95, { scope: { region: ["APAC", "NA"] } })], 0, Number.POSITIVE_INFINITY],
    [[naming("freeze", "items", "VALVE")], 100, 100],
    [[naming("except", "tiers", "New")], 100, 100],
    // What stays is no matter of limits.
    [[naming("freeze", "items", "VALVE"), set("min_price", 250)], 100, 100],
  ])("%j", (constraints, low, high) => {
    const [least, most] = boundsOf(constraints);
    expect(least).toBeCloseTo(low, 9);
    expect(most).toBeCloseTo(high, 9);
  });

  test("an item's own bounds hold too", () => {
    expect(boundsOf([set("max_price", 320)], "MOTOR")).toEqual([250, 320]);
  });

  test("the bounds of a request that does not enforce them are left out, and what was said holds", () => {
    const { inputs } = apply([set("max_price", 340)], { enforce: ["ordering"] });
    expect(inputs.enforce).toEqual(["ordering", "bounds"]);
    expect(inputs.items?.[1]?.tiers.new?.bounds).toEqual({ min: 0, max: 340 });
  });

  test.each<[constraints: OrderConstraint[], names: RegExp]>([
    [[set("min_price", 120), set("max_price", 80)], /min_price 120 and max_price 80/],
    [
      [set("max_change_pct", 0.05), set("price_move", 0.1, { direction: "up" })],
      /price_move up 0.1 and max_change_pct 0.05/,
    ],
    [
      [set("price_move", 0.1, { direction: "up" }), set("price_move", 0.1, { direction: "down" })],
      /price_move up 0.1 and price_move down 0.1/,
    ],
  ])("constraints that cross for every item are an error that names both", (constraints, names) => {
    const error = refusal(constraints);
    expect(error.code).toBe("CONFLICTING_CONSTRAINTS");
    expect(error.message).toMatch(names);
  });

  test("an item for which they cross costs no other item, and is named with both", () => {
    const { inputs, errors } = apply([set("min_price", 65), set("max_price", 290)]);
    expect(inputs.items?.map(({ item_id }) => item_id)).toEqual(["VALVE", "MOTOR", "PUMP"]);
    expect(errors).toEqual([]);
    const crossed = apply([set("min_price", 360), set("max_change_pct", 5)]);
    expect(crossed.inputs.items?.map(({ item_id }) => item_id)).toEqual(["VALVE"]);
    expect(crossed.errors.map(({ code, message }) => [code, message])).toEqual([
      ["CONFLICTING_CONSTRAINTS", "Item MOTOR, new: min_price 360 and its own bounds leave no price."],
      ["CONFLICTING_CONSTRAINTS", "Item PUMP, new: min_price 360 and max_change_pct 5 leave no price."],
    ]);
  });
});

describe("a move that was said", () => {
  const moveOf = (constraints: OrderConstraint[], more: Partial<Constrainable> = {}) =>
    Object.fromEntries(
      (apply(constraints, more).move ?? []).map(({ item_id, tiers }) => [
        item_id,
        Object.values(tiers).map(({ price }) => price),
      ]),
    );
  const up = set("price_move", 0.033, { unit: "share", direction: "up" });

  test("is rounded to the increment, and leaves frozen prices and those out of its scope as they are", () => {
    expect(moveOf([up])).toEqual({ VALVE: [103.3, 72.31], MOTOR: [309.9], PUMP: [51.65, 61.98] });
    const less = set("price_move", 2.5, { unit: "money", direction: "down" });
    expect(moveOf([less])).toEqual({ VALVE: [97.5, 67.5], MOTOR: [297.5], PUMP: [47.5, 57.5] });
    expect(moveOf([up, set("rounding", 1)])).toEqual({ VALVE: [103, 72], MOTOR: [310], PUMP: [52, 62] });
    expect(moveOf([up, naming("only", "tiers", "new"), naming("freeze", "items", "PUMP")])).toEqual({
      VALVE: [103.3, 70],
      MOTOR: [309.9],
      PUMP: [50, 60],
    });
    expect(moveOf([{ ...up, scope: { items: ["MOTOR"] } }])).toMatchObject({
      VALVE: [100, 70],
      MOTOR: [309.9],
    });
  });

  test("is the proposal where nobody gave one", () => {
    expect(apply([up]).inputs.proposed?.[0]).toEqual({
      item_id: "VALVE",
      tiers: { new: { price: 103.3 }, repair: { price: 72.31 } },
    });
    const other = [{ item_id: "VALVE", tiers: { new: { price: 99 } } }];
    const given = apply([up], { proposed: other });
    expect(given.inputs.proposed).toEqual(other);
    expect(given.effects().notApplied).toEqual([up]);
  });

  test("keeps no rule, so that the policy check names those that it breaks", () => {
    const { inputs } = apply([set("price_move", 0.3, { direction: "up" }), naming("only", "items", "MOTOR")]);
    const { constraints: _, ...policy } = inputs;
    expect(policyCheck(policy, standardRulePack).violations).toMatchObject([
      { type: "out_of_bounds", tiers: ["new"] },
    ]);
  });
});

test("costs move by every constraint that is about them", () => {
  const moved = items([
    set("cost_move", 0.1, { direction: "up" }),
    set("cost_move", 0.5, { direction: "down", scope: { tiers: ["repair"] } }),
  ]);
  const costs = moved.map(({ tiers }) =>
    Object.values(tiers).map(({ unit_cost = 0 }) => Math.round(unit_cost)),
  );
  expect(costs).toEqual([[66, 22], [220], [11, 6]]);
});

test("the objective, the rounding and the gap are settings of the request", () => {
  const { inputs } = apply([
    set("objective", "revenue"),
    set("rounding", 1),
    set("gap", 0.05, { unit: "share", direction: "least" }),
    set("gap", 3, { unit: "money", direction: "least" }),
  ]);
  expect(inputs).toMatchObject({
    objective: "revenue",
    price_increment: 1,
    min_gap: { share: 0.05, amount: 3 },
  });
});

describe("what was applied, with its effect, and what was not", () => {
  const report = (constraints: OrderConstraint[], more: Partial<Constrainable> = {}) =>
    apply(constraints, more).effects();

  test("each constraint says how many items and prices it reaches, and how many it stops", () => {
    const constrained = apply([
      naming("only", "region", "EMEA"),
      naming("freeze", "items", "PUMP"),
      set("max_change_pct", 0.05),
      set("top", 3),
    ]);
    const { applied, notApplied, top } = constrained.effects([
      { item_id: "VALVE", tiers: { new: { price: 105 }, repair: { price: 71 } } },
      { item_id: "PUMP", tiers: { new: { price: 50 }, repair: { price: 60 } } },
    ]);
    expect(applied.map(({ slot, items: about, prices, binds }) => [slot, about, prices, binds])).toEqual([
      ["region", 2, 0, undefined],
      ["items", 1, 2, 2],
      ["max_change_pct", 1, 2, 1],
      ["top", 0, 0, undefined],
    ]);
    expect(notApplied).toEqual([]);
    expect(top).toBe(3);
  });

  test.each<[what: string, constraint: OrderConstraint]>([
    ["a slot that nobody knows", set("carats", 18)],
    ["a period, which no price has", set("period", "2026-12")],
    ["an amount that is no number", set("min_price", "fifty")],
    ["a margin that no price has", set("min_margin", 1)],
    ["a fall below nothing", set("price_move", 1.2, { direction: "down" })],
    ["a fall by more than any price", set("price_move", 1000, { unit: "money", direction: "down" })],
    ["a floor that is a share", set("min_price", 0.5, { unit: "share" })],
    ["a change in numbers of things", set("max_change_pct", 2, { unit: "number" })],
    ["a segment, where no item has any", naming("only", "segment", "premium")],
    ["a limit in a segment, where no item has any", set("min_price", 90, { scope: { segment: "premium" } })],
    ["a limit for an item that is not there", set("min_price", 90, { scope: { items: ["FAN"] } })],
    ["an item that is left out and not there", naming("except", "items", "FAN")],
    ["a tier that stays and is not there", naming("freeze", "tiers", "usm")],
    ["an objective for a part of the items", set("objective", "revenue", { scope: { items: ["VALVE"] } })],
    ["a ranking that is no number", set("top", "few")],
    ["an increment that is none", set("rounding", -1)],
    ["a gap of everything", set("gap", 1, { unit: "share" })],
    ["an unknown choice", set("objective", "fame")],
  ])("%s is named as not applied", (_, constraint) => {
    const { applied, notApplied } = report([constraint]);
    expect([applied, notApplied]).toEqual([[], [constraint]]);
    expect(items([constraint])).toEqual(CATALOGUE);
  });

  test("of names of which some are there, the others are named", () => {
    const { applied, notApplied } = report([naming("only", "items", "VALVE", "FAN")]);
    expect(applied).toEqual([{ slot: "items", op: "only", value: ["VALVE"], items: 1, prices: 0 }]);
    expect(notApplied).toEqual([naming("only", "items", "FAN")]);
  });

  test("the price of a tier that the optimizer holds is an error where a constraint does not allow it", () => {
    const constrained = apply([set("min_price", 90)]);
    expect(
      constrained.broken({ item_id: "VALVE", tiers: { new: { price: 100 }, repair: { price: 90 } } }),
    ).toBe(undefined);
    expect(
      constrained.broken({ item_id: "VALVE", tiers: { new: { price: 100 }, repair: { price: 70 } } }),
    ).toMatchObject({
      code: "INFEASIBLE",
      details: { item_id: "VALVE", tiers: ["repair"], constraint: "min_price" },
    });
  });
});
