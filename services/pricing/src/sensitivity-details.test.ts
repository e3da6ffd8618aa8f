import { expect, test } from "@jest/globals";
import { withDetails } from "./sensitivity-details.ts";
import { analyseItems, type SensitivityReport } from "./sensitivity-report.ts";
import { makeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

function itemOf(item_id: string, current_price: number): ResolvedItem {
  const demand = {
    model: "constant_elasticity",
    reference_price: current_price,
    reference_quantity: 100,
    elasticity: -3,
    elasticity_se: 0.3,
  } as const;
  return { item_id, tiers: { new: { current_price, unit_cost: 6, demand } } };
}

function analyse(items: readonly ResolvedItem[]): SensitivityReport {
  const run = analyseItems(items, undefined, makeSettings(), { draws: 200 });
  for (let next = run.next(); ; next = run.next()) if (next.done) return next.value;
}

test("the least certain items have a tornado and scenarios, and all numbers twelve digits at most", () => {
  // Today's price is nearest to the best one, 9, in the second item: that is least certain to gain.
  const full = analyse([itemOf("far", 20), itemOf("near", 9.3), itemOf("best", 9)]).items.map(
    ({ tornado = [], worst, best, ...rest }) => {
      if (!worst || !best) throw new Error("no details");
      return { ...rest, tornado, worst, best };
    },
  );
  const sent = withDetails(full, 1);
  expect(sent.map(({ item_id, tornado }) => [item_id, tornado !== undefined])).toEqual([
    ["far", false],
    ["near", true],
    ["best", false],
  ]);
  expect(sent[0]?.worst).toBeUndefined();
  expect(sent[1]?.worst).toEqual(full[1]?.worst);
  const numbers = JSON.stringify(sent[1]?.tornado).match(/-?\d+\.\d+/g) ?? [];
  expect(numbers.length).toBeGreaterThan(0);
  for (const text of numbers) expect(text.replace(/^-?0?\.?0*|\./g, "").length).toBeLessThanOrEqual(12);
});
