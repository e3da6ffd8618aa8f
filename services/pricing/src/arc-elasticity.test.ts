import { expect, test } from "@jest/globals";
import { alongArc } from "./arc-elasticity.ts";
import type { FormFit, ResolvedItem } from "./types.ts";

const common = { centre: 10, plausible: true, elasticity_se: 0.1, degrees_of_freedom: 50 } as const;
const constant: FormFit = { ...common, form: "constant_elasticity", elasticity: -2 };
const steeper: FormFit = { ...common, form: "semi_log", elasticity: -2.6 };

function errorOver(forms: readonly FormFit[]) {
  const demand = {
    model: "constant_elasticity",
    ...{ reference_price: 10, reference_quantity: 100 },
    ...{ elasticity: -2, elasticity_se: 0.1, elasticity_df: 50 },
  } as const;
  const item: ResolvedItem = {
    item_id: "A",
    tiers: { new: { current_price: 10, unit_cost: 5, demand, forms } },
  };
  const { demand: along } = alongArc(item, new Map([["new", 10.001]])).tiers.new ?? {};
  return along?.model === "constant_elasticity" ? (along.elasticity_se ?? 0) : 0;
}

test("forms that differ add (1 + 1/m) times the variance between them: Rubin's rule", () => {
  // Elasticities −2 and −2.6 at a short move: variance 0.18 between the two.
  expect(errorOver([constant, steeper])).toBeCloseTo(Math.sqrt(0.1 ** 2 + 1.5 * 0.18), 2);
  expect(errorOver([constant, { ...steeper, plausible: false }])).toBeCloseTo(0.1, 6);
});
