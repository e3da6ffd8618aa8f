import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { policyCheck } from "./policy.ts";
import type { PolicyInputs, PolicyItem } from "./policy-types.ts";
import { parseRulePack, standardRulePack } from "./rule-pack.ts";

function check(inputs: PolicyInputs, pack = standardRulePack) {
  return policyCheck(inputs, pack);
}

function item(prices: Record<string, number>, extra: Partial<PolicyItem> = {}): PolicyItem {
  return {
    item_id: "pump",
    tiers: Object.fromEntries(
      Object.entries(prices).map(([tier, current_price]) => [tier, { current_price }]),
    ),
    ...extra,
  };
}

function types(inputs: PolicyInputs, pack = standardRulePack) {
  return check(inputs, pack).violations.map(({ type }) => type);
}

describe("the rules", () => {
  test("accept a gap exactly at its minimum, and refuse one that is a cent smaller", () => {
    expect(check({ prices: { new: 100, exchange: 97, repair: 94.09 } })).toMatchObject({
      passed: true,
      violations: [],
      suggestions: [],
      conflicts: [],
      fixed_prices: { new: 100, exchange: 97, repair: 94.09 },
      rule_pack: { name: "standard", version: "1.0.0" },
    });
    expect(types({ prices: { new: 100, exchange: 97.01 } })).toEqual(["insufficient_tier_margin"]);
    for (const [high, low] of [
      [1.1, 1.067],
      [19.9, 19.303],
      [1234.5, 1197.465],
      [0.7, 0.679],
    ] as const) {
      expect(types({ prices: { new: high, exchange: low }, price_increment: 0.001 })).toEqual([]);
    }
  });

  test("report the actual and the required gap as shares of the higher price", () => {
    const { violations } = check({ prices: { new: 100, exchange: 98 }, region: "emea" });
    expect(violations).toEqual([
      {
        type: "insufficient_tier_margin",
        item_id: "prices",
        tiers: ["new", "exchange"],
        current: { new: 100, exchange: 98 },
        actual_gap_pct: 0.02,
        required_gap_pct: 0.04,
        message: "exchange at 98.00 is 2% below new at 100.00; at least 4% is required.",
      },
    ]);
  });

  test("require a gap's amount besides its share, and the fix keeps both", () => {
    const inputs: PolicyInputs = {
      prices: { new: 100, exchange: 94, repair: 40 },
      min_gap: { amount: 10 },
      price_increment: 0.01,
    };
    const { violations, fixed_prices } = check(inputs);
    expect(violations).toEqual([
      {
        type: "insufficient_tier_margin",
        item_id: "prices",
        tiers: ["new", "exchange"],
        current: { new: 100, exchange: 94 },
        actual_gap_pct: 0.06,
        required_gap_pct: 0.1,
        actual_gap_amount: 6,
        required_gap_amount: 10,
        message: "exchange at 94.00 is 6.00 below new at 100.00; at least 10.00 is required.",
      },
    ]);
    if (Array.isArray(fixed_prices)) throw new Error("not the shape of the input");
    expect((fixed_prices.new ?? 0) - (fixed_prices.exchange ?? 0)).toBeCloseTo(10, 9);
    expect(check({ ...inputs, prices: fixed_prices }).passed).toBe(true);
  });

  test("report an inverted pair once, as an inversion without a gap violation", () => {
    const { violations } = check({ prices: { new: 100, exchange: 105 } });
    expect(violations).toMatchObject([
      { type: "hierarchy_inversion", actual_gap_pct: -0.05, required_gap_pct: 0.03 },
    ]);
    expect(types({ prices: { new: 100, exchange: 100 } })).toEqual(["hierarchy_inversion"]);
  });

  test("require ordering between neighbouring tiers, and gaps only between tiers adjacent in the tier order", () => {
    expect(types({ prices: { new: 100, repair: 99.5 } })).toEqual([]);
    expect(types({ prices: { new: 100, repair: 100 } })).toEqual(["hierarchy_inversion"]);
    expect(types({ prices: { exchange: 100, usm: 101 } })).toEqual(["hierarchy_inversion"]);
    expect(types({ prices: { gold: 3, iron: 4 }, tier_order: ["gold", "iron"] })).toEqual([
      "hierarchy_inversion",
    ]);
  });

  test("require a distance of one increment; with increment 0 equal prices are in order", () => {
    expect(types({ prices: { new: 5, repair: 4.5 }, price_increment: 1 })).toEqual(["hierarchy_inversion"]);
    expect(types({ prices: { new: 5, repair: 5 }, price_increment: 0 })).toEqual([]);
  });

  test("use the request's thresholds, then the segment's gap, then the region's; names are case-insensitive", () => {
    const prices = { New: 100, EXCHANGE: 95.5 };
    expect(types({ prices })).toEqual([]);
    expect(types({ prices, region: "EMEA", segment: "budget" })).toEqual([]);
    expect(types({ prices, region: "apac", segment: "PREMIUM" })).toEqual(["insufficient_tier_margin"]);
    expect(types({ prices, segment: "PREMIUM", thresholds: { new_exchange: 0.04, default: 0.5 } })).toEqual(
      [],
    );
    expect(types({ items: [item(prices, { segment: "premium" })], segment: "budget" })).toHaveLength(1);
  });

  test("report prices that are not finite or not above 0", () => {
    for (const price of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0.01, 0]) {
      const result = check({ prices: { new: 100, exchange: price, repair: 80 } });
      expect(result.passed).toBe(false);
      expect(result.violations).toMatchObject([{ type: "invalid_price", tiers: ["exchange"] }]);
      expect(result.suggestions).toMatchObject([{ field: "exchange", action: "set", new_value: 97 }]);
      expect(types({ prices: result.fixed_prices as Record<string, number> })).toEqual([]);
    }
  });

  test("include the request's bounds and maximum change, and the pack's margin and change if enabled", () => {
    const pack = parseRulePack({
      name: "strict",
      version: "3",
      minimum_gap: { default: 0 },
      minimum_margin: { enabled: true, share_of_cost: 0.2 },
      maximum_change: { enabled: true, share_of_current: 0.1 },
    });
    const items: PolicyItem[] = [
      { item_id: "a", tiers: { new: { current_price: 100, unit_cost: 90, bounds: { max: 120 } } } },
    ];
    const proposed = [{ item_id: "a", tiers: { new: { price: 125 } } }];
    expect(types({ items, proposed })).toEqual(["out_of_bounds"]);
    expect(types({ items, proposed, enforce: ["ordering"] })).toEqual([]);
    expect(types({ items, proposed, max_change_pct: 0.25 })).toEqual(["out_of_bounds"]);
    expect(types({ items, proposed, max_change_pct: 0.2 })).toEqual([
      "out_of_bounds",
      "above_maximum_change",
    ]);
    const strict = check({ items, proposed }, pack);
    expect(strict.rule_pack).toEqual({ name: "strict", version: "3" });
    expect(strict.violations.map(({ type, limit }) => [type, limit])).toEqual([
      ["out_of_bounds", 120],
      ["above_maximum_change", 110],
    ]);
    expect(strict.current.violations).toMatchObject([{ type: "below_minimum_margin", limit: 108 }]);
    expect(strict.fixed_prices).toEqual([{ item_id: "a", tiers: { new: { price: 110 } } }]);
  });

  test("check today's and the proposed prices; a tier without a proposed price keeps its current price", () => {
    const items = [item({ new: 100, exchange: 99, repair: 50 })];
    const proposed = [{ item_id: "pump", tiers: { New: { price: 110 }, exchange: { price: 106 } } }];
    const result = check({ items, proposed });
    expect(result.current).toMatchObject({ passed: false, violations: [{ tiers: ["new", "exchange"] }] });
    expect(result.proposed).toMatchObject({ passed: true, violations: [] });
    expect(result).toMatchObject({
      passed: true,
      fixed_prices: [
        { item_id: "pump", tiers: { new: { price: 110 }, exchange: { price: 106 }, repair: { price: 50 } } },
      ],
    });
  });

  test("refuse repeated items and unknown tiers, anchors and proposals, and name the item", () => {
    const refusals: PolicyInputs[] = [
      { prices: { platinum: 3 } },
      { items: [item({ new: 1, NEW: 2 })] },
      { items: [item({ new: 1 })], proposed: [{ item_id: "other", tiers: {} }] },
      { items: [item({ new: 1 })], proposed: [{ item_id: "pump", tiers: { usm: { price: 1 } } }] },
      { prices: { new: 1 }, anchor: "platinum" },
    ];
    for (const inputs of refusals) {
      expect(() => check(inputs)).toThrow(
        expect.objectContaining({ name: "PricingError", code: "INVALID_ITEM" }),
      );
    }
  });
});

describe("a bad item", () => {
  const good = item({ new: 100, exchange: 98 });
  test.each([
    ["with an unknown tier", [good, { ...item({ platinum: 3 }), item_id: "bad" }], undefined],
    ["that occurs twice", [good, good], undefined],
    [
      "that is proposed but not there",
      [good],
      [
        { item_id: "bad", tiers: {} },
        { item_id: "pump", tiers: {} },
      ],
    ],
  ])("%s is a failure, and the others are checked", (_, items, proposed) => {
    const result = check({ items, ...(proposed && { proposed }) });
    expect(result.failures).toEqual([
      { item_id: expect.any(String), code: "INVALID_ITEM", message: expect.stringMatching(/^Item /) },
    ]);
    expect(result.violations).toHaveLength(1);
    expect(result.current.fixed_prices).toHaveLength(1);
  });
});

describe("fixes", () => {
  test("are the least joint change, with a reason for each price", () => {
    const { suggestions, fixed_prices } = check({ prices: { new: 200, exchange: 98, repair: 98, usm: 50 } });
    expect(fixed_prices).toMatchObject({ new: 200, usm: 50 });
    expect(suggestions).toMatchObject([
      { item_id: "prices", field: "exchange", action: "increase", current: 98 },
      { item_id: "prices", field: "repair", action: "decrease", current: 98 },
    ]);
    expect(suggestions[0]?.reason).toContain("hierarchy_inversion (exchange, repair)");
  });

  test("keep the price of an anchored tier", () => {
    expect(check({ prices: { new: 100, exchange: 110 }, anchor: "NEW" }).fixed_prices).toEqual({
      new: 100,
      exchange: 97,
    });
    expect(check({ prices: { new: 100, exchange: 97.5 }, anchor: ["exchange"] }).fixed_prices).toEqual({
      new: 100.52,
      exchange: 97.5,
    });
  });

  test("release as few anchors as possible if anchors contradict each other, and report the conflict", () => {
    const result = check({
      prices: { new: 100, exchange: 101, repair: 97.5 },
      anchor: ["new", "exchange", "repair"],
    });
    expect(result.fixed_prices).toEqual({ new: 104.13, exchange: 101, repair: 97.5 });
    expect(result.conflicts).toMatchObject([
      {
        item_id: "prices",
        rules: ["anchor", "ordering", "gaps"],
        tiers: ["new", "exchange"],
        resolved: true,
      },
    ]);
  });

  test("release an anchor that other rules forbid", () => {
    const items = [
      {
        item_id: "a",
        tiers: { new: { current_price: 100, bounds: { max: 90 } }, exchange: { current_price: 50 } },
      },
    ];
    const result = check({ items, anchor: "new" });
    expect(result.fixed_prices).toEqual([
      { item_id: "a", tiers: { new: { price: 90 }, exchange: { price: 50 } } },
    ]);
    expect(result.conflicts).toMatchObject([{ rules: ["anchor", "bounds"], tiers: ["new"], resolved: true }]);
  });

  test("keep the prices and report the conflicting rules if the rules are infeasible", () => {
    const items = [
      {
        item_id: "a",
        tiers: {
          new: { current_price: 100, bounds: { max: 100 } },
          exchange: { current_price: 99 },
          repair: { current_price: 98, bounds: { min: 98 } },
        },
      },
    ];
    const result = check({ items });
    expect(result.conflicts).toEqual([
      {
        item_id: "a",
        rules: ["bounds", "ordering", "gaps"],
        tiers: ["new", "exchange", "repair"],
        resolved: false,
        message:
          "repair may not go below 98.00 (its bounds) and new may not go above 100.00 (its bounds), which leaves no room for the gaps between them.",
      },
    ]);
    expect(result.suggestions).toEqual([]);
    expect(result.fixed_prices).toMatchObject([{ tiers: { new: { price: 100 }, repair: { price: 98 } } }]);
    expect(check({ prices: { new: -1, exchange: 0 } }).conflicts).toMatchObject([
      { rules: ["invalid_price"] },
    ]);
  });

  const tierNames = ["new", "exchange", "repair", "usm"] as const;
  const price = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((cents) => cents / 100) },
    { weight: 4, arbitrary: fc.double({ min: 0.01, max: 5000, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -5, Number.NaN, Number.POSITIVE_INFINITY) },
  );
  const tier = fc.record(
    {
      current_price: price,
      unit_cost: fc.double({ min: 0, max: 100, noNaN: true }),
      bounds: fc.oneof(
        fc.record({
          min: fc.double({ min: 0.01, max: 50, noNaN: true }),
          max: fc.double({ min: 60, max: 6000, noNaN: true }),
        }),
        fc.constant({}),
      ),
    },
    { requiredKeys: ["current_price"] },
  );
  const share = fc.constantFrom(0, 0.01, 0.02, 0.05, 0.2);
  const request: fc.Arbitrary<PolicyInputs> = fc.record(
    {
      items: fc
        .array(fc.dictionary(fc.constantFrom(...tierNames), tier, { minKeys: 1 }), {
          minLength: 1,
          maxLength: 3,
        })
        .map((all) => all.map((tiers, i) => ({ item_id: `item-${i}`, tiers }))),
      segment: fc.constantFrom("premium", "budget", "fleet"),
      region: fc.constantFrom("EMEA", "APAC", "LATAM"),
      thresholds: fc.dictionary(
        fc.constantFrom("default", "new_exchange", "exchange_repair", "repair_usm"),
        share,
      ),
      anchor: fc.subarray([...tierNames]),
      weights: fc.dictionary(fc.constantFrom(...tierNames), fc.double({ min: 0.1, max: 10, noNaN: true })),
      price_increment: fc.constantFrom(0, 0.01, 0.05, 1, 5),
      max_change_pct: fc.constantFrom(0.1, 0.5, 0.9),
    },
    { requiredKeys: ["items"] },
  );
  const packs = fc.constantFrom(
    standardRulePack,
    parseRulePack({
      name: "all on",
      version: "1",
      minimum_gap: { default: 0.03 },
      minimum_margin: { enabled: true, share_of_cost: 0.1 },
      maximum_change: { enabled: true, share_of_current: 0.6 },
    }),
  );

  test("leave no violation when applied, unless the item has an unresolved conflict", () => {
    let repaired = 0;
    fc.assert(
      fc.property(request, packs, (inputs, pack) => {
        const before = check(inputs, pack);
        const proposed = before.fixed_prices as {
          item_id: string;
          tiers: Record<string, { price: number }>;
        }[];
        const after = check({ ...inputs, proposed }, pack);
        const stuck = new Set(
          before.conflicts.filter(({ resolved }) => !resolved).map(({ item_id }) => item_id),
        );
        repaired += before.suggestions.length;
        expect(after.violations.filter(({ item_id }) => !stuck.has(item_id))).toEqual([]);
        // A fix is idempotent.
        expect(after.suggestions).toEqual([]);
        expect(after.fixed_prices).toEqual(before.fixed_prices);
        for (const conflict of before.conflicts) expect(conflict.rules.length).toBeGreaterThan(0);
      }),
      { numRuns: 600 },
    );
    expect(repaired).toBeGreaterThan(200);
  });

  test("change only items with violations, and only to multiples of the increment", () => {
    fc.assert(
      fc.property(request, (inputs) => {
        const result = check({ ...inputs, price_increment: 0.05 });
        const broken = new Set(result.violations.map(({ item_id }) => item_id));
        for (const { item_id, new_value } of result.suggestions) {
          expect(broken.has(item_id)).toBe(true);
          expect(Math.abs(new_value / 0.05 - Math.round(new_value / 0.05))).toBeLessThan(1e-6);
        }
      }),
    );
  });
});
