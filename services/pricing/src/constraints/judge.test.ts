import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { PolicyItem } from "../policy-types.ts";
import { standardRulePack } from "../rule-pack.ts";
import type { ProposedItem } from "../types.ts";
import type { OrderConstraint } from "./constraint.ts";
import { judgeOrder } from "./judge.ts";
import type { OrderCheckInputs } from "./types.ts";

const judge = (inputs: OrderCheckInputs) => judgeOrder(inputs, standardRulePack);

const VALVE: PolicyItem = {
  item_id: "VALVE",
  region: "EMEA",
  segment: "premium",
  tiers: { new: { current_price: 100, unit_cost: 60 }, repair: { current_price: 70, unit_cost: 40 } },
};
const MOTOR: PolicyItem = {
  item_id: "MOTOR",
  region: "APAC",
  tiers: { new: { current_price: 300, unit_cost: 200 } },
};
/** Breaks a rule today: a used part costs more than a new one. */
const PUMP: PolicyItem = {
  item_id: "PUMP",
  tiers: { new: { current_price: 50, unit_cost: 10 }, repair: { current_price: 60, unit_cost: 10 } },
};
const CATALOGUE = [VALVE, MOTOR, PUMP];

/** Prices by item and tier, as a payload. */
const payload = (prices: Record<string, Record<string, number>>): ProposedItem[] =>
  Object.entries(prices).map(([item_id, tiers]) => ({
    item_id,
    tiers: Object.fromEntries(Object.entries(tiers).map(([name, price]) => [name, { price }])),
  }));
const ALL = { VALVE: { new: 104, repair: 72 }, MOTOR: { new: 290 }, PUMP: { new: 51, repair: 48 } };

const only = (slot: string, ...value: string[]): OrderConstraint => ({ slot, op: "only", value });
const amount = (slot: string, value: number, direction?: string): OrderConstraint => ({
  slot,
  op: "set",
  value,
  ...(direction === undefined ? {} : { direction }),
});

describe("a payload that is not what was said is broken, and names the constraint", () => {
  test.each<[what: string, constraints: OrderConstraint[], prices: typeof ALL | object, wrong: object]>([
    ["an item that nobody named", [only("items", "VALVE")], ALL, { slot: "items", verdict: "broken" }],
    ["an item that is missing", [], { VALVE: ALL.VALVE }, { slot: "items", verdict: "incomplete" }],
    [
      "a named item that is missing",
      [only("items", "VALVE", "MOTOR")],
      { VALVE: ALL.VALVE },
      { slot: "items", verdict: "incomplete", item_ids: ["MOTOR"] },
    ],
    [
      "an item that the catalogue does not have",
      [],
      { ...ALL, X: { new: 1 } },
      { slot: "items", item_ids: ["X"] },
    ],
    ["an item of another region", [only("region", "EMEA")], ALL, { slot: "region", item_ids: ["MOTOR"] }],
    [
      "an item that is excepted",
      [{ slot: "items", op: "except", value: ["MOTOR"] }],
      ALL,
      { slot: "items", verdict: "broken", item_ids: ["MOTOR"] },
    ],
    [
      "a frozen item that moves",
      [{ slot: "items", op: "freeze", value: ["MOTOR"] }],
      ALL,
      { slot: "items", verdict: "broken", item_ids: ["MOTOR"] },
    ],
    ["another tier that moves", [only("tiers", "new")], ALL, { slot: "tiers", item_ids: ["VALVE", "PUMP"] }],
    [
      "a tier that the item does not have",
      [only("items", "MOTOR")],
      { MOTOR: { new: 290, gold: 1 } },
      { slot: "items", verdict: "broken" },
    ],
    [
      "a tier that is missing",
      [only("items", "VALVE")],
      { VALVE: { new: 104 } },
      { slot: "items", verdict: "incomplete" },
    ],
    [
      "a larger change",
      [amount("max_change_pct", 0.03)],
      ALL,
      { slot: "max_change_pct", item_ids: ["VALVE", "MOTOR", "PUMP"] },
    ],
    [
      "another move",
      [only("items", "MOTOR"), amount("price_move", 0.05, "down")],
      { MOTOR: { new: 315 } },
      { slot: "price_move", verdict: "broken" },
    ],
    [
      "another move in money",
      [only("items", "MOTOR"), { ...amount("price_move", 5, "up"), unit: "money" }],
      { MOTOR: { new: 315 } },
      { slot: "price_move", verdict: "broken" },
    ],
    [
      "a larger change in money",
      [{ ...amount("max_change_pct", 5), unit: "money" }],
      ALL,
      { slot: "max_change_pct", item_ids: ["MOTOR", "PUMP"] },
    ],
    [
      "prices that are not rounded",
      [amount("rounding", 5)],
      { VALVE: { new: 105, repair: 72 }, MOTOR: { new: 290 }, PUMP: { new: 50, repair: 45 } },
      { slot: "rounding", item_ids: ["VALVE"] },
    ],
    ["a price below the floor", [amount("min_price", 50)], ALL, { slot: "min_price", item_ids: ["PUMP"] }],
    ["a price above the cap", [amount("max_price", 200)], ALL, { slot: "max_price", item_ids: ["MOTOR"] }],
    ["too little margin", [amount("min_margin", 0.4)], ALL, { slot: "min_margin", item_ids: ["MOTOR"] }],
    [
      "too little margin over the costs that were supposed",
      [amount("cost_move", 0.1, "up"), amount("min_margin", 0.35)],
      ALL,
      { slot: "min_margin", item_ids: ["MOTOR"] },
    ],
    [
      "items that break no rule",
      [{ slot: "only_violating", op: "set", value: true }],
      ALL,
      { slot: "only_violating", item_ids: ["VALVE", "MOTOR"] },
    ],
    ["a slot that nobody knows", [amount("carats", 18)], ALL, { slot: "carats", verdict: "unknown" }],
    ["a ranking", [amount("top", 3)], ALL, { slot: "top", verdict: "unknown" }],
    [
      "an amount that is no number",
      [{ slot: "min_price", op: "set", value: "fifty" }],
      ALL,
      { verdict: "unknown" },
    ],
    ["names that are none", [{ slot: "items", op: "only", value: [] }], ALL, { verdict: "unknown" }],
  ])("%s", (_what, constraints, prices, wrong) => {
    const { passed, verdicts } = judge({
      constraints,
      items: CATALOGUE,
      proposed: payload(prices as Record<string, Record<string, number>>),
    });
    expect(passed).toBe(false);
    expect(verdicts.filter(({ verdict }) => verdict !== "kept" && verdict !== "not_checkable")).toEqual([
      expect.objectContaining(wrong),
    ]);
    for (const { slot } of constraints) expect(verdicts.map((one) => one.slot)).toContain(slot);
  });
});

describe("a gap that was said", () => {
  const inputs = { tier_order: ["new", "repair"], items: CATALOGUE };
  const gap = (value: number, unit: string) => ({ ...amount("gap", value), unit });
  const verdictOf = (prices: Record<string, Record<string, number>>, ...constraints: OrderConstraint[]) =>
    judge({ ...inputs, constraints, proposed: payload(prices) }).verdicts.find(({ slot }) => slot === "gap");

  test("is kept between neighbours in the tier order", () => {
    expect(verdictOf(ALL, gap(0.05, "share"))).toMatchObject({ verdict: "kept" });
    expect(verdictOf(ALL, gap(0.1, "share"))).toMatchObject({ verdict: "broken", item_ids: ["PUMP"] });
  });

  test("in money, and to a price that stays", () => {
    const alone = [only("items", "VALVE"), only("tiers", "new")];
    expect(verdictOf({ VALVE: { new: 100 } }, ...alone, gap(30, "money"))).toMatchObject({ verdict: "kept" });
    expect(verdictOf({ VALVE: { new: 99 } }, ...alone, gap(30, "money"))).toMatchObject({
      verdict: "broken",
    });
  });
});

describe("a payload that is what was said passes", () => {
  test.each<[what: string, constraints: OrderConstraint[], prices: object]>([
    ["everything, where nothing was said", [], ALL],
    ["the named item alone", [only("items", "VALVE")], { VALVE: ALL.VALVE }],
    ["items of a region, and those of none", [only("region", "EMEA")], { VALVE: ALL.VALVE, PUMP: ALL.PUMP }],
    [
      "a named tier, the other one absent or as it is",
      [only("tiers", "new")],
      { VALVE: { new: 104 }, MOTOR: { new: 290 }, PUMP: { new: 51, repair: 60 } },
    ],
    [
      "an exact move, rounded to the increment",
      [only("items", "VALVE"), amount("price_move", 0.0333, "up")],
      { VALVE: { new: 103.33, repair: 72.33 } },
    ],
    [
      "a limit of one item",
      [{ ...amount("max_change_pct", 0.01), scope: { items: ["MOTOR"] } }],
      { ...ALL, MOTOR: { new: 301 } },
    ],
    ["items that break a rule", [{ slot: "only_violating", op: "set", value: true }], { PUMP: ALL.PUMP }],
    ["what was lifted", [{ slot: "max_price", op: "clear" }], ALL],
  ])("%s", (_what, constraints, prices) => {
    const verdict = judge({
      constraints,
      items: CATALOGUE,
      proposed: payload(prices as Record<string, Record<string, number>>),
    });
    expect(verdict).toMatchObject({ passed: true });
  });

  test("and what no price can show is named as such", () => {
    const constraints = [
      amount("cost_move", 0.1, "up"),
      { slot: "objective", op: "set", value: "revenue" } as const,
    ];
    const { passed, verdicts } = judge({ constraints, items: CATALOGUE, proposed: payload(ALL) });
    expect(passed).toBe(true);
    expect(verdicts.map(({ slot, verdict }) => [slot, verdict])).toEqual([
      ["cost_move", "not_checkable"],
      ["objective", "not_checkable"],
      ["items", "kept"],
    ]);
  });
});

test("an incomplete payload says why items are missing, and for which it would be complete", () => {
  const failures = [{ item_id: "MOTOR", code: "NO_OPTIMUM", message: "Revenue has no maximum." }];
  const { MOTOR: _, ...rest } = ALL;
  const { passed, verdicts, complete_for } = judge({
    constraints: [],
    items: CATALOGUE,
    proposed: payload(rest),
    failures,
  });
  expect({ passed, complete_for }).toEqual({ passed: false, complete_for: ["VALVE", "PUMP"] });
  expect(verdicts[0]?.message).toBe("Nothing is proposed for 1 item (MOTOR). Revenue has no maximum.");
  const narrowed = judge({
    constraints: [only("items", ...(complete_for ?? []))],
    items: CATALOGUE,
    proposed: payload(rest),
  });
  expect(narrowed.passed).toBe(true);
});

/** Catalogues, what is said of them, and the payload that follows from it. */
const REGIONS = ["EMEA", "APAC", "NA"];
const TIERS = ["new", "exchange", "repair"];
const anyItem = fc.record({
  region: fc.option(fc.constantFrom(...REGIONS), { nil: undefined }),
  tiers: fc.dictionary(fc.constantFrom(...TIERS), fc.integer({ min: 1_000, max: 90_000 }), { minKeys: 1 }),
});
const anyOrder = fc
  .record({
    items: fc.array(anyItem, { minLength: 1, maxLength: 8 }),
    picked: fc.option(fc.array(fc.nat(7), { minLength: 1 }), { nil: undefined }),
    regions: fc.option(fc.subarray(REGIONS, { minLength: 1 }), { nil: undefined }),
    tiers: fc.option(fc.subarray(TIERS, { minLength: 1 }), { nil: undefined }),
    most: fc.integer({ min: 1, max: 30 }),
    moves: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }),
  })
  .map(({ items, picked, regions, tiers, most, moves }) => {
    const catalogue: PolicyItem[] = items.map(({ region, tiers: own }, at) => ({
      item_id: `I${at}`,
      ...(region === undefined ? {} : { region }),
      tiers: Object.fromEntries(
        Object.entries(own).map(([name, cents]) => [name, { current_price: cents / 100 }]),
      ),
    }));
    const names = picked?.map((at) => `I${at % items.length}`);
    const constraints = [
      ...(names ? [only("items", ...names)] : []),
      ...(regions ? [only("region", ...regions)] : []),
      ...(tiers ? [only("tiers", ...tiers)] : []),
      amount("max_change_pct", most / 100, "most"),
    ];
    const selected = catalogue.filter(
      ({ item_id, region }) =>
        (names?.includes(item_id) ?? true) && (region === undefined || (regions?.includes(region) ?? true)),
    );
    let at = 0;
    const proposed = selected.map(({ item_id, tiers: own }) => ({
      item_id,
      tiers: Object.fromEntries(
        Object.entries(own).map(([name, { current_price }]) => {
          const move = (tiers?.includes(name) ?? true) ? (moves[at++ % moves.length] ?? 0) : 0;
          return [name, { price: current_price * (1 + (move * most) / 100) }];
        }),
      ),
    }));
    return { catalogue, constraints, proposed, most, tiers };
  });

test("whatever is said, the payload that follows from it passes", () => {
  fc.assert(
    fc.property(anyOrder, ({ catalogue, constraints, proposed }) => {
      expect(judge({ constraints, items: catalogue, proposed })).toMatchObject({ passed: true });
    }),
  );
});

test("whatever is said, a payload with an item less, an item more or a price beyond the limit does not pass", () => {
  fc.assert(
    fc.property(anyOrder, fc.nat(), ({ catalogue, constraints, proposed, most, tiers }, chosen) => {
      const passes = (payload: ProposedItem[]) =>
        judge({ constraints, items: catalogue, proposed: payload }).passed;
      const at = proposed.length === 0 ? 0 : chosen % proposed.length;
      const without = proposed.filter((_, index) => index !== at);
      const isMissed = Object.keys(proposed[at]?.tiers ?? {}).some((name) => tiers?.includes(name) ?? true);
      expect(passes(without)).toBe(!isMissed);
      const other = catalogue.find(({ item_id }) => !proposed.some((one) => one.item_id === item_id));
      const more = other && { item_id: other.item_id, tiers: {} };
      if (more) expect(passes([...proposed, more])).toBe(false);
      expect(passes([...proposed, { item_id: "stranger", tiers: { new: { price: 1 } } }])).toBe(false);
      const moved = proposed.map((one, index) => ({
        ...one,
        tiers: Object.fromEntries(
          Object.entries(one.tiers).map(([name, { price }]) => [
            name,
            { price: index === at ? price * (1 + (3 * most) / 100) : price },
          ]),
        ),
      }));
      if (proposed.length > 0) expect(passes(moved)).toBe(false);
    }),
  );
});
