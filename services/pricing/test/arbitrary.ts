import fc from "fast-check";
import { makeSettings, type OptimizeSettings } from "../src/settings.ts";
import type { ResolvedItem, ResolvedTier } from "../src/types.ts";

const NAMES = ["new", "exchange", "repair", "usm"];

function between(min: number, max: number) {
  return fc.double({ min, max, noNaN: true });
}

/** A price, a unit cost from 0 to 110% of it, and bounds on both sides of it. */
const common = fc
  .record({ price: between(10, 100), cost: between(0, 1.1), low: between(0.3, 0.8), high: between(1.2, 3) })
  .map(({ price, cost, low, high }) => ({
    current_price: price,
    unit_cost: price * cost,
    bounds: { min: price * low, max: price * high },
  }));

const constantElasticity: fc.Arbitrary<ResolvedTier> = fc
  .record({
    common,
    quantity: between(1, 1000),
    elasticity: fc.oneof(between(-4, -0.5), between(-12, -1.05)),
  })
  .map(({ common: rest, quantity, elasticity }) => ({
    ...rest,
    demand: {
      model: "constant_elasticity",
      reference_price: rest.current_price,
      reference_quantity: quantity,
      elasticity,
    },
  }));

const logit: fc.Arbitrary<ResolvedTier> = fc
  .record({ common, intercept: between(-2, 4), slope: fc.oneof(between(0.02, 0.1), between(0.1, 0.4)) })
  .map(({ common: rest, intercept, slope }) => ({
    ...rest,
    demand: { model: "logit", market_size: 1000, intercept, price_coefficient: slope },
  }));

function itemOf(tier: fc.Arbitrary<ResolvedTier>) {
  return fc
    .tuple(fc.subarray(NAMES, { minLength: 1 }), fc.array(tier, { minLength: 4, maxLength: 4 }))
    .map(([names, tiers]): ResolvedItem => {
      const named = names.flatMap((name, i) => (tiers[i] ? [[name, tiers[i]] as const] : []));
      return { item_id: "any", tiers: Object.fromEntries(named) };
    });
}

/** Items of one to four tiers; one item in three has logit demand. */
export const anyItem = fc.oneof(
  { weight: 2, arbitrary: itemOf(constantElasticity) },
  { weight: 1, arbitrary: itemOf(logit) },
);

/**
 * Settings with the given increment:
 * profit or revenue, gaps of 3%, anything up to 40% or with an amount, sometimes a maximum change.
 */
export function anySettings(increment: number): fc.Arbitrary<OptimizeSettings> {
  return fc
    .record({
      objective: fc.constantFrom("profit" as const, "profit" as const, "revenue" as const),
      gap: fc.oneof(
        fc.constant(0.03),
        between(0, 0.4),
        fc.record({ share: fc.constantFrom(0, 0.03, 0.1), amount: between(0, 25) }),
      ),
      maxChange: fc.constantFrom(undefined, undefined, 0.4),
    })
    .map(({ objective, gap, maxChange }) =>
      makeSettings({ increment, objective, maxChange, gapFor: () => gap }),
    );
}
