import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { PricingError } from "./errors.ts";
import { optimizeItem } from "./optimize-item.ts";
import { policyCheck } from "./policy.ts";
import { parseRulePack, standardRulePack } from "./rule-pack.ts";
import { settingsFor } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

const strictPack = parseRulePack({
  name: "strict",
  version: "1",
  minimum_gap: { default: 0.03, segments: { premium: { new_exchange: 0.12 } } },
  minimum_margin: { enabled: true, share_of_cost: 0.1 },
  maximum_change: { enabled: true, share_of_current: 0.4 },
});

function share(min: number, max: number) {
  return fc.double({ min, max, noNaN: true });
}

const tier = fc.record({
  price: share(5, 500),
  cost: share(0.2, 0.95),
  elasticity: share(-5, -0.6),
  bounded: fc.boolean(),
});
const item: fc.Arbitrary<ResolvedItem> = fc
  .record(
    {
      segment: fc.constantFrom("premium", "BUDGET"),
      region: fc.constantFrom("emea", "APAC"),
      tiers: fc.dictionary(fc.constantFrom("new", "exchange", "repair", "usm"), tier, { minKeys: 1 }),
    },
    { requiredKeys: ["tiers"] },
  )
  .map(({ tiers, ...rest }) => ({
    item_id: "a",
    ...rest,
    tiers: Object.fromEntries(
      Object.entries(tiers).map(([name, { price, cost, elasticity, bounded }]) => [
        name,
        {
          current_price: price,
          unit_cost: cost * price,
          demand: {
            model: "constant_elasticity" as const,
            reference_price: price,
            reference_quantity: 100,
            elasticity,
          },
          ...(bounded ? { bounds: { min: price * 0.7, max: price * 1.5 } } : {}),
        },
      ]),
    ),
  }));
const request = fc.record(
  {
    max_change_pct: fc.constantFrom(0.1, 0.3),
    thresholds: fc.constantFrom({ default: 0 }, { exchange_repair: 0.2 }),
    price_increment: fc.constantFrom(0, 0.01, 0.05, 1, 2.5),
  },
  { requiredKeys: [] },
);

test("recommended prices pass the policy check under the same rule pack", () => {
  let recommended = 0;
  fc.assert(
    fc.property(item, request, fc.constantFrom(standardRulePack, strictPack), (one, settings, pack) => {
      try {
        const { tiers } = optimizeItem(one, settingsFor(settings, pack));
        const proposed = [{ item_id: "a", tiers }];
        expect(policyCheck({ ...settings, items: [one], proposed }, pack).proposed?.violations).toEqual([]);
        recommended++;
      } catch (error) {
        // Infeasible and unbounded items have no recommendation.
        if (!(error instanceof PricingError)) throw error;
      }
    }),
    { numRuns: 500 },
  );
  expect(recommended).toBeGreaterThan(100);
});
