import { expect, test } from "@jest/globals";
import { optimizeItem } from "./optimize-item.ts";
import { makeSettings, type OptimizeSettings } from "./settings.ts";
import { shadowPrices } from "./shadow-prices.ts";
import type { ResolvedItem, ResolvedTier } from "./types.ts";

function tierOf(bounds?: { min?: number; max?: number }): ResolvedTier {
  return {
    current_price: 12,
    unit_cost: 8,
    demand: { model: "constant_elasticity", reference_price: 12, reference_quantity: 100, elasticity: -3 },
    ...(bounds && { bounds }),
  };
}

function slopeAt(price: number) {
  return 100 * (price / 12) ** -3 * (-2 + 24 / price);
}

function itemOf(tiers: Record<string, ResolvedTier>): ResolvedItem {
  return { item_id: "A", tiers };
}

function exact(more: Parameters<typeof makeSettings>[0] = {}) {
  return makeSettings({ increment: 0, ...more });
}

function only(item: ResolvedItem, settings: OptimizeSettings, tier = "new") {
  return shadowPrices(item, settings)[tier];
}

test("the shadow price of a price limit is the slope of profit there", () => {
  expect(only(itemOf({ new: tierOf({ max: 10 }) }), exact())).toEqual([
    { constraint: "bounds_max", shadow_price: expect.closeTo(slopeAt(10), 5) },
  ]);
  expect(only(itemOf({ new: tierOf({ min: 13 }) }), exact())).toEqual([
    { constraint: "bounds_min", shadow_price: expect.closeTo(-slopeAt(13), 5) },
  ]);
  const cautious: ResolvedTier = { ...tierOf(), current_price: 10 };
  expect(only(itemOf({ new: cautious }), exact({ maxChange: 0.1 }))).toEqual([
    { constraint: "max_change_up", shadow_price: expect.closeTo(slopeAt(11), 5) },
  ]);
});

test("the shadow price of a gap is its Lagrange multiplier, listed for both tiers", () => {
  const item = itemOf({ new: tierOf(), exchange: tierOf() });
  const settings = exact({ gapFor: () => 0.1 });
  const { tiers } = optimizeItem(item, settings);
  // lower = keep·higher: d profit / d keep = slope(lower)·higher at the joint optimum.
  const multiplier = slopeAt(tiers.exchange?.price ?? 0) * (tiers.new?.price ?? 0);
  const expected = [{ constraint: "gap:new>exchange", shadow_price: expect.closeTo(multiplier, 3) }];
  expect(only(item, settings)).toEqual(expected);
  expect(only(item, settings, "exchange")).toEqual(expected);
});

test("the shadow price of a gap in money is the slope of profit at the lower price", () => {
  const item = itemOf({ new: tierOf(), exchange: tierOf() });
  const settings = exact({ gapFor: () => ({ share: 0.01, amount: 2 }) });
  const { tiers } = optimizeItem(item, settings);
  const [higher = 0, lower = 0] = [tiers.new?.unrounded, tiers.exchange?.unrounded];
  expect(higher - lower).toBeCloseTo(2, 9);
  // At the optimum a common move gains nothing, and the constraint lower ≤ higher − amount has the rate 1.
  expect(slopeAt(higher) + slopeAt(lower)).toBeCloseTo(0, 5);
  const expected = [
    { constraint: "gap_amount:new>exchange", shadow_price: expect.closeTo(slopeAt(lower), 4) },
  ];
  expect(only(item, settings)).toEqual(expected);
  expect(only(item, settings, "exchange")).toEqual(expected);
});

test("the shadow price of strict ordering is the slope of profit at the lower price", () => {
  const item = itemOf({ new: tierOf(), repair: tierOf() });
  const settings = makeSettings({ increment: 0.5 });
  const lower = optimizeItem(item, settings).tiers.repair?.unrounded ?? 0;
  expect(only(item, settings)).toEqual([
    { constraint: "ordering:new>repair", shadow_price: expect.closeTo(slopeAt(lower), 4) },
  ]);
});

test("two limits at the same price have shadow prices 0; a free or held price has none", () => {
  const both = itemOf({ new: { ...tierOf({ max: 11 }), current_price: 10 } });
  expect(only(both, exact({ maxChange: 0.1 }))).toEqual([
    { constraint: "bounds_max", shadow_price: 0 },
    { constraint: "max_change_up", shadow_price: 0 },
  ]);
  expect(only(itemOf({ new: tierOf() }), exact())).toEqual([]);
  expect(only(itemOf({ new: { ...tierOf(), held: true } }), exact())).toEqual([]);
});
