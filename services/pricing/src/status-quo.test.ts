import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { evaluateItem } from "./demand.ts";
import { optimizeItem } from "./optimize-item.ts";
import { makeSettings } from "./settings.ts";
import { statusQuo } from "./status-quo.ts";
import type { ConstantElasticity, Logit, ResolvedItem } from "./types.ts";

const free = makeSettings({ enforce: [], increment: 0 });
const nothing = { cost: false, elasticity: false, level: false };
const everything = { cost: true, elasticity: true, level: true };

function elastic(elasticity: number, price: number, quantity = 100): ConstantElasticity {
  return {
    model: "constant_elasticity",
    reference_price: price,
    reference_quantity: quantity,
    elasticity,
  };
}

function logit(intercept: number, price_coefficient: number): Logit {
  return {
    model: "logit",
    market_size: 1000,
    intercept,
    price_coefficient,
  };
}

const tierNames = ["new", "exchange", "repair", "usm"];
const price = fc.double({ min: 5, max: 500, noNaN: true });
const elasticItem: fc.Arbitrary<ResolvedItem> = fc
  .array(
    fc.tuple(
      price,
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.double({ min: -8, max: -0.2, noNaN: true }),
      fc.double({ min: 1, max: 1e4, noNaN: true }),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((tiers) => ({
    item_id: "a",
    tiers: Object.fromEntries(
      tiers.map(([p, cost, e, q], i) => [
        tierNames[i],
        { current_price: p, unit_cost: cost * p, demand: elastic(e, p * 1.1, q) },
      ]),
    ),
  }));
const logitItem: fc.Arbitrary<ResolvedItem> = fc
  .array(
    fc.tuple(
      fc.double({ min: 2, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 1.2, noNaN: true }),
      // From buyers who hardly mind the price to a market in which hardly any goes without.
      fc.double({ min: 0.05, max: 20, noNaN: true }),
      fc.double({ min: -1, max: 40, noNaN: true }),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((tiers) => ({
    item_id: "b",
    tiers: Object.fromEntries(
      tiers.map(([p, cost, b, a], i) => [
        tierNames[i],
        { current_price: p, unit_cost: cost * p, demand: logit(a, b) },
      ]),
    ),
  }));

describe("the status quo", () => {
  test("is the average markup, and the elasticity for which that markup is optimal", () => {
    const { beliefs } = statusQuo({
      item_id: "a",
      tiers: {
        new: { current_price: 100, unit_cost: 60, demand: elastic(-3, 100, 10) },
        exchange: { current_price: 50, unit_cost: 15, demand: elastic(-1.5, 50, 20) },
      },
    });
    // Revenue is 100·10 + 50·20 = 2000; cost is 600 + 300 = 900.
    const markup = 2000 / 900;
    expect(beliefs.new?.elasticity.baseline).toBeCloseTo(-markup / (markup - 1), 12);
    expect(beliefs.new?.unitCost.baseline).toBeCloseTo(100 / markup, 12);
    expect(beliefs.exchange?.unitCost).toEqual({ baseline: expect.closeTo(50 / markup, 12), actual: 15 });
    expect(beliefs.exchange?.level).toEqual({ baseline: 15, actual: 20 });
  });

  test("implies the actual cost for an item of one tier", () => {
    const { beliefs } = statusQuo({
      item_id: "a",
      tiers: { new: { current_price: 100, unit_cost: 40, demand: elastic(-3, 90) } },
    });
    expect(beliefs.new?.unitCost.baseline).toBeCloseTo(40, 10);
  });

  test("makes today's prices optimal, even below cost, without cost, and for inelastic demand", () => {
    fc.assert(
      fc.property(fc.oneof(elasticItem, logitItem), (item) => {
        const { tiers } = optimizeItem(statusQuo(item).item(nothing), free);
        for (const { price, current_price } of Object.values(tiers)) {
          expect(Math.abs(price / current_price - 1)).toBeLessThan(1e-6);
        }
      }),
    );
  });

  test("keeps today's demand, and returns the actual item if all parameters are actual", () => {
    fc.assert(
      fc.property(fc.oneof(elasticItem, logitItem), (item) => {
        const quo = statusQuo(item);
        expect(quo.item(everything)).toEqual(item);
        const actual = evaluateItem(item, {});
        const believed = evaluateItem(quo.item({ cost: false, elasticity: false, level: true }), {});
        for (const [name, { demand }] of Object.entries(actual)) {
          expect(Math.abs((believed[name]?.demand ?? 0) - demand)).toBeLessThanOrEqual(1e-6 * demand + 1e-9);
        }
      }),
    );
  });

  test("keeps the demand of a held tier, and spreads that of the others evenly", () => {
    const { beliefs } = statusQuo({
      item_id: "a",
      tiers: {
        new: { current_price: 100, unit_cost: 60, demand: elastic(-3, 100, 10), held: true },
        exchange: { current_price: 50, unit_cost: 15, demand: elastic(-1.5, 50, 20) },
        repair: { current_price: 40, unit_cost: 15, demand: elastic(-1.5, 40, 40) },
      },
    });
    expect([beliefs.new, beliefs.exchange, beliefs.repair].map((tier) => tier?.level.baseline)).toEqual([
      10, 30, 30,
    ]);
  });
});
