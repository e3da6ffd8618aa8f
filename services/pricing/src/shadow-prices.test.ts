import { expect, test } from "@jest/globals";
import { optimizeItem } from "./optimize-item.ts";
import { makeSettings, type OptimizeSettings } from "./settings.ts";
import { shadowPrices } from "./shadow-prices.ts";
import type { ResolvedItem, ResolvedTier } from "./types.ts";

const tierOf = (bounds?: { min?: number; max?: number }): ResolvedTier => ({
  current_price: 12,
  unit_cost: 8,
  demand: { model: "constant_elasticity", reference_price: 12, reference_quantity: 100, elasticity: -3 },
  ...(bounds && { bounds }),
});

const slopeAt = (price: number) => 100 * (price / 12) ** -3 * (-2 + 24 / price);

const itemOf = (tiers: Record<string, ResolvedTier>): ResolvedItem => ({ item_id: "A", tiers });

const exact = (more: Parameters<typeof makeSettings>[0] = {}) => makeSettings({ increment: 0, ...more });

const only = (item: ResolvedItem, settings: OptimizeSettings, tier = "new") =>
  shadowPrices(item, settings)[tier];

test("a limit of one price is worth the slope of profit there", () => {
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

test("a gap is worth its multiplier, the same from both its tiers", () => {
  const item = itemOf({ new: tierOf(), exchange: tierOf() });
  const settings = exact({ gapFor: () => 0.1 });
  const { tiers } = optimizeItem(item, settings);
  // lower = keep·higher: d profit / d keep = slope(lower)·higher at the joint optimum.
  const multiplier = slopeAt(tiers.exchange?.price ?? 0) * (tiers.new?.price ?? 0);
  const expected = [{ constraint: "gap:new>exchange", shadow_price: expect.closeTo(multiplier, 3) }];
  expect(only(item, settings)).toEqual(expected);
  expect(only(item, settings, "exchange")).toEqual(expected);
});

test("strict ordering is worth the slope of profit at the lower price", () => {
  const item = itemOf({ new: tierOf(), repair: tierOf() });
  const settings = makeSettings({ increment: 0.5 });
  const lower = optimizeItem(item, settings).tiers.repair?.unrounded ?? 0;
  expect(only(item, settings)).toEqual([
    { constraint: "ordering:new>repair", shadow_price: expect.closeTo(slopeAt(lower), 4) },
  ]);
});

test("two limits at the same price are worth nothing one by one; a free price has none", () => {
  const both = itemOf({ new: { ...tierOf({ max: 11 }), current_price: 10 } });
  expect(only(both, exact({ maxChange: 0.1 }))).toEqual([
    { constraint: "bounds_max", shadow_price: 0 },
    { constraint: "max_change_up", shadow_price: 0 },
  ]);
  expect(only(itemOf({ new: tierOf() }), exact())).toEqual([]);
  expect(only(itemOf({ new: { ...tierOf(), held: true } }), exact())).toEqual([]);
});
