import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { anyItem, anySettings } from "../test/arbitrary.ts";
import { bestOnGrid, brokenRules, limitsOf, namesOf, objectiveOf } from "../test/brute-force.ts";
import { evaluateItem } from "./demand.ts";
import { PricingError } from "./errors.ts";
import { optimizeItem } from "./optimize-item.ts";
import { policyCheck } from "./policy.ts";
import { standardRulePack } from "./rule-pack.ts";
import { makeSettings, type OptimizeSettings, settingsFor } from "./settings.ts";
import type { ResolvedItem, ResolvedTier } from "./types.ts";

function tierOf(
  price: number,
  cost: number,
  elasticity: number,
  more: Partial<ResolvedTier> = {},
): ResolvedTier {
  return {
    current_price: price,
    unit_cost: cost,
    demand: { model: "constant_elasticity", reference_price: price, reference_quantity: 100, elasticity },
    ...more,
  };
}

function itemOf(tiers: Record<string, ResolvedTier>): ResolvedItem {
  return { item_id: "A-1", tiers };
}

function exact(given: Parameters<typeof makeSettings>[0] = {}) {
  return makeSettings({ increment: 0, ...given });
}

/** The item's optimum, or the PricingError that says why it has none. */
function attempt(item: ResolvedItem, settings: OptimizeSettings) {
  try {
    return optimizeItem(item, settings);
  } catch (error) {
    if (error instanceof PricingError) return error;
    throw error;
  }
}

function pricesOf(item: ResolvedItem, settings: OptimizeSettings, key: "price" | "unrounded") {
  const result = attempt(item, settings);
  if (result instanceof PricingError) return undefined;
  return namesOf(item).map((name) => result.tiers[name]?.[key] ?? Number.NaN);
}

describe("the optimal price of one tier", () => {
  test("constant elasticity: c·e/(1 + e), the Lerner rule", () => {
    const result = optimizeItem(itemOf({ new: tierOf(10, 6, -3) }), exact());
    expect(result.tiers.new?.price).toBeCloseTo(9, 12);
    expect(result.objective.expected).toBeCloseTo(100 * (9 / 10) ** -3 * 3, 9);
    expect(result.tiers.new?.binding).toEqual([]);
  });

  test("logit: the price solves p = c + 1/(b·(1 − share))", () => {
    const demand = { model: "logit", market_size: 500, intercept: 2, price_coefficient: 0.2 } as const;
    const item = itemOf({ new: { current_price: 20, unit_cost: 8, demand } });
    const result = optimizeItem(item, exact());
    const price = result.tiers.new?.price ?? 0;
    const share = (result.tiers.new?.expected.demand ?? 0) / 500;
    expect(price).toBeCloseTo(8 + 1 / (0.2 * (1 - share)), 8);
  });

  test("revenue: the upper bound for inelastic demand, the lower bound for elastic demand", () => {
    const bounds = { min: 5, max: 15 };
    const settings = exact({ objective: "revenue" });
    expect(optimizeItem(itemOf({ new: tierOf(10, 6, -0.5, { bounds }) }), settings).tiers.new?.price).toBe(
      15,
    );
    expect(optimizeItem(itemOf({ new: tierOf(10, 6, -2, { bounds }) }), settings).tiers.new?.price).toBe(5);
    expect(optimizeItem(itemOf({ new: tierOf(10, 6, -1, { bounds }) }), settings).tiers.new?.price).toBe(10);
  });

  test("`binding` names the rule that stops the price", () => {
    const binding = (more: Partial<ResolvedTier>, given: Parameters<typeof makeSettings>[0] = {}) =>
      optimizeItem(itemOf({ new: tierOf(10, 6, -3, more) }), makeSettings(given)).tiers.new?.binding;
    expect(binding({ bounds: { max: 8 } })).toEqual(["bounds_max"]);
    expect(binding({ bounds: { min: 12 } })).toEqual(["bounds_min"]);
    expect(binding({}, { maxChange: 0.05 })).toEqual(["max_change_down"]);
    expect(binding({}, { minimumMargin: 0.6 })).toEqual(["minimum_margin"]);
    expect(binding({ held: true })).toEqual(["held"]);
  });
});

describe("several tiers", () => {
  test("a gap that the unconstrained optima violate binds at the joint optimum", () => {
    // Both unconstrained optima are 12.
    // With lower = 0.9·higher, the derivative of the sum is 0 at the joint optimum.
    const item = itemOf({ new: tierOf(12, 8, -3), exchange: tierOf(12, 8, -3) });
    const settings = exact({ gapFor: () => 0.1 });
    const { tiers } = optimizeItem(item, settings);
    const [higher, lower] = [tiers.new?.price ?? 0, tiers.exchange?.price ?? 0];
    expect(lower / higher).toBeCloseTo(0.9, 12);
    const slope = (price: number) => 100 * (price / 12) ** -3 * (1 - 3 + (3 * 8) / price);
    expect(slope(higher) + 0.9 * slope(lower)).toBeCloseTo(0, 6);
    expect(tiers.new?.binding).toEqual(["gap:new>exchange"]);
    expect(tiers.exchange?.binding).toEqual(["gap:new>exchange"]);
  });

  test("tiers that are not adjacent in the tier order need ordering but no gap", () => {
    const item = itemOf({ new: tierOf(12, 8, -3), repair: tierOf(12, 8.5, -3) });
    const { tiers } = optimizeItem(item, makeSettings({ gapFor: () => 0.1 }));
    expect((tiers.new?.price ?? 0) - (tiers.repair?.price ?? 0)).toBeCloseTo(0.01, 9);
    expect(tiers.new?.binding).toEqual(["ordering:new>repair"]);
  });

  test("a constraint family that is not enforced is ignored", () => {
    const item = itemOf({ new: tierOf(12, 8, -3), exchange: tierOf(12, 8, -3, { bounds: { max: 5 } }) });
    const { tiers } = optimizeItem(item, exact({ gapFor: () => 0.1, enforce: [] }));
    expect(tiers.new?.price).toBeCloseTo(12, 10);
    expect(tiers.exchange?.price).toBeCloseTo(12, 10);
  });

  test("of two local maxima the global one is found", () => {
    // Linked by the gap, the tiers have two local maxima: near 17 (steep tier) and 133 (flat tier).
    const bounds = { min: 5, max: 200 };
    const steep = tierOf(20, 9.8, -3.4, { bounds });
    const flat = tierOf(20, 31.2, -1.2, { bounds });
    const item = itemOf({
      new: { ...steep, demand: { ...steep.demand, reference_quantity: 349 } as ResolvedTier["demand"] },
      exchange: { ...flat, demand: { ...flat.demand, reference_quantity: 101 } as ResolvedTier["demand"] },
    });
    const result = optimizeItem(item, exact({ gapFor: () => 0.1 }));
    expect(result.tiers.new?.price).toBeCloseTo(17.2953, 3);
    expect(result.objective.unrounded).toBeCloseTo(2153.885, 2);
  });

  test("a held tier keeps its price, and its neighbours keep the gap to it", () => {
    const item = itemOf({ new: tierOf(12, 8, -3), exchange: tierOf(11.995, 8, -3, { held: true }) });
    const { tiers } = optimizeItem(item, makeSettings({ gapFor: () => 0.05 }));
    expect(tiers.exchange?.price).toBe(11.995);
    expect(tiers.new?.price).toBe(12.63);
  });

  test("tier names match the tier order case-insensitively and keep their spelling", () => {
    const item = itemOf({ Exchange: tierOf(12, 8, -3), NEW: tierOf(12, 8, -3) });
    expect(Object.keys(optimizeItem(item, makeSettings({ gapFor: () => 0.1 })).tiers)).toEqual([
      "NEW",
      "Exchange",
    ]);
  });
});

describe("items without an optimum", () => {
  const cases: [string, ResolvedItem, OptimizeSettings, { code: string; details: object }][] = [
    [
      "inelastic demand without an upper bound",
      itemOf({ new: tierOf(12, 8, -3), exchange: tierOf(10, 5, -0.9) }),
      exact(),
      { code: "UNBOUNDED", details: { item_id: "A-1", tiers: ["exchange"], constraint: "upper_bound" } },
    ],
    [
      "an elasticity so close to −1 that the optimum is beyond any practical price",
      itemOf({ new: tierOf(1e6, 5e5, -1.0000001) }),
      exact(),
      { code: "UNBOUNDED", details: { item_id: "A-1", tiers: ["new"], constraint: "upper_bound" } },
    ],
    [
      "an increment below the precision of doubles at the price",
      itemOf({ new: tierOf(1e9, 5e8, -3) }),
      makeSettings({ increment: 1e-9 }),
      { code: "INFEASIBLE", details: { item_id: "A-1", tiers: ["new"], constraint: "price_increment" } },
    ],
    [
      "elastic revenue without a lower bound",
      itemOf({ new: tierOf(12, 8, -3) }),
      exact({ objective: "revenue" }),
      { code: "UNBOUNDED", details: { item_id: "A-1", tiers: ["new"], constraint: "lower_bound" } },
    ],
    [
      "bounds against ordering",
      itemOf({
        new: tierOf(12, 8, -3, { bounds: { max: 9 } }),
        exchange: tierOf(12, 8, -3),
        repair: tierOf(12, 8, -3, { bounds: { min: 9 } }),
      }),
      makeSettings(),
      {
        code: "INFEASIBLE",
        details: { item_id: "A-1", tiers: ["new", "exchange", "repair"], constraint: "ordering, bounds" },
      },
    ],
    [
      "bounds against the maximum change",
      itemOf({ new: tierOf(12, 8, -3, { bounds: { min: 20 } }) }),
      makeSettings({ maxChange: 0.1 }),
      { code: "INFEASIBLE", details: { item_id: "A-1", tiers: ["new"], constraint: "bounds, max_change" } },
    ],
    [
      "bounds between two multiples of the increment",
      itemOf({ new: tierOf(12, 8, -3, { bounds: { min: 12.1, max: 12.4 } }) }),
      makeSettings({ increment: 0.5 }),
      { code: "INFEASIBLE", details: { item_id: "A-1", tiers: ["new"], constraint: "price_increment" } },
    ],
    [
      "two held tiers out of order",
      itemOf({ new: tierOf(12, 8, -3, { held: true }), exchange: tierOf(13, 8, -3, { held: true }) }),
      makeSettings(),
      {
        code: "INFEASIBLE",
        details: { item_id: "A-1", tiers: ["new", "exchange"], constraint: "ordering, bounds, held" },
      },
    ],
    [
      "a tier that is not in the tier order",
      itemOf({ broken: tierOf(12, 8, -3) }),
      makeSettings(),
      { code: "INVALID_ITEM", details: { item_id: "A-1", tiers: ["broken"], constraint: "tier_order" } },
    ],
    [
      "logit mixed with another model",
      itemOf({
        new: tierOf(12, 8, -3),
        repair: {
          ...tierOf(12, 8, -3),
          demand: { model: "logit", market_size: 10, intercept: 1, price_coefficient: 1 },
        },
      }),
      makeSettings(),
      { code: "INVALID_ITEM", details: { item_id: "A-1", constraint: "model" } },
    ],
  ];
  test.each(cases)("%s", (_, item, settings, error) => {
    expect(attempt(item, settings)).toMatchObject(error);
  });

  test("an upper bound on a higher tier bounds the lower ones as well", () => {
    const item = itemOf({ new: tierOf(12, 8, -3, { bounds: { max: 20 } }), exchange: tierOf(10, 5, -0.9) });
    expect(optimizeItem(item, exact({ gapFor: () => 0.1 })).tiers.exchange?.price).toBeLessThanOrEqual(18);
  });

  test("messages have item and tier, never a price", () => {
    const item = itemOf({ new: tierOf(12.34, 8, -3, { bounds: { min: 56.78 } }) });
    const result = attempt(item, makeSettings({ maxChange: 0.1 }));
    expect(String(result)).toMatch(/A-1.*new/);
    expect(JSON.stringify(result) + String(result)).not.toMatch(/12\.34|56\.78/);
  });
});

describe("against brute force", () => {
  test("the unrounded optimum is feasible, and no feasible point of a fine grid is better", () => {
    fc.assert(
      fc.property(anyItem, anySettings(0), (item, settings) => {
        const prices = pricesOf(item, settings, "unrounded");
        const grid = namesOf(item).map((name) => {
          const [low, high] = limitsOf(item, settings, name);
          return Array.from({ length: 401 }, (_, k) => low * (high / low) ** (k / 400));
        });
        const rival = bestOnGrid(item, settings, grid);
        if (prices === undefined) return expect(rival).toBeUndefined();
        expect(brokenRules(item, settings, prices)).toEqual([]);
        if (rival === undefined) return;
        const size = Math.max(Math.abs(objectiveOf(item, settings, prices)), revenueAt(item, prices) * 1e-3);
        expect(objectiveOf(item, settings, rival) - objectiveOf(item, settings, prices)).toBeLessThan(
          1e-5 * size,
        );
      }),
      { numRuns: 150, seed: 11 },
    );
  });

  test("prices rounded to a coarse increment are feasible, and no other multiples are better", () => {
    fc.assert(
      fc.property(anyItem, anySettings(0.5), (item, settings) => {
        const prices = pricesOf(item, settings, "price");
        const grid = namesOf(item).map((name) => {
          const [low, high] = limitsOf(item, settings, name);
          const [first, last] = [Math.ceil(low / 0.5), Math.floor(high / 0.5)];
          return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * 0.5);
        });
        const rival = bestOnGrid(item, settings, grid);
        if (prices === undefined) return expect(rival).toBeUndefined();
        expect(brokenRules(item, settings, prices)).toEqual([]);
        expect(prices.map((price) => price % 0.5)).toEqual(prices.map(() => 0));
        const size = Math.abs(objectiveOf(item, settings, prices)) + revenueAt(item, prices) * 1e-3;
        expect(
          objectiveOf(item, settings, rival ?? prices) - objectiveOf(item, settings, prices),
        ).toBeLessThan(1e-4 * size);
      }),
      { numRuns: 150, seed: 12 },
    );
  });

  test("prices rounded to cents are exact decimals, feasible, and not better than the unrounded optimum", () => {
    fc.assert(
      fc.property(anyItem, anySettings(0.01), (item, settings) => {
        const result = attempt(item, settings);
        if (result instanceof PricingError) return;
        const prices = Object.values(result.tiers).map(({ price }) => price);
        expect(prices.map((price) => Number(price.toFixed(2)))).toEqual(prices);
        expect(brokenRules(item, settings, prices)).toEqual([]);
        expect(result.objective.expected).toBeLessThanOrEqual(
          result.objective.unrounded + 1e-9 * Math.abs(result.objective.unrounded),
        );
      }),
      { numRuns: 300, seed: 13 },
    );
  });
});

test("recommended prices pass the policy check under the same rules", () => {
  const options = fc.record({
    thresholds: fc.record({ default: fc.double({ min: 0, max: 0.3, noNaN: true }) }),
    price_increment: fc.constantFrom(0, 0.01, 0.05, 1),
    max_change_pct: fc.constantFrom(0.2, 0.5),
  });
  fc.assert(
    fc.property(anyItem, options, (item, request) => {
      const result = attempt(item, settingsFor(request, standardRulePack));
      if (result instanceof PricingError) return;
      const judged = policyCheck({ ...request, items: [item], proposed: [result] }, standardRulePack);
      expect(judged.violations).toEqual([]);
    }),
    { numRuns: 200, seed: 14 },
  );
});

function revenueAt(item: ResolvedItem, prices: readonly number[]): number {
  const named = Object.fromEntries(namesOf(item).map((name, i) => [name, prices[i] ?? 0]));
  return Object.values(evaluateItem(item, named)).reduce((sum, { revenue }) => sum + revenue, 0);
}
