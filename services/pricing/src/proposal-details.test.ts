import { expect, test } from "@jest/globals";
import { datasetsUnder, sampleInputs } from "./datasets.ts";
import { proposeItem } from "./proposal.ts";
import { withFitReports } from "./proposal-details.ts";
import { resolveItems } from "./resolve.ts";
import { makeSettings } from "./settings.ts";

test("of many items, those whose prices move most keep whole reports of their fits, all keep their prices", async () => {
  const { items } = await resolveItems(sampleInputs().items.slice(0, 3), datasetsUnder(undefined));
  const settings = makeSettings();
  const proposals = items.map((item) => proposeItem(item, settings));
  const moves = proposals.map(({ tiers }) =>
    Math.max(...Object.values(tiers).map(({ change_pct }) => Math.abs(change_pct))),
  );
  const first = moves.indexOf(Math.max(...moves));
  const sent = withFitReports(proposals, 1);
  sent.forEach((item, position) => {
    const before = proposals[position];
    for (const [name, tier] of Object.entries(item.tiers)) {
      expect(tier.price).toBe(before?.tiers[name]?.price);
      expect(tier.demand_model.elasticity).toBeCloseTo(before?.tiers[name]?.demand_model.elasticity ?? 0, 6);
      expect(tier.demand_model.validation !== undefined).toBe(position === first);
    }
    expect(item.substitution?.reason !== undefined).toBe(position === first);
  });
});
