import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { datasetsUnder, sampleDirectory, sampleInputs } from "../src/datasets.ts";
import { optimizeItem } from "../src/optimize-item.ts";
import { policyCheck } from "../src/policy.ts";
import { resolveItems } from "../src/resolve.ts";
import { standardRulePack } from "../src/rule-pack.ts";
import { settingsFor } from "../src/settings.ts";
import { DATASET, generateSample, PARTS } from "./sample.ts";

function shipped(name: string) {
  return readFileSync(join(sampleDirectory, name), "utf8");
}

describe("the shipped sample", () => {
  test("is what its seed generates, byte for byte", () => {
    const { scanner, catalogue } = generateSample();
    expect(shipped(`${DATASET}.csv`) === scanner).toBe(true);
    expect(shipped("sample-catalogue.json") === catalogue).toBe(true);
  });

  test("lets a fit recover the elasticities that it was drawn with", async () => {
    const { items } = await resolveItems(sampleInputs().items, datasetsUnder(undefined));
    for (const part of PARTS) {
      for (const [name, product] of Object.entries(part.tiers)) {
        const fit = items.find((item) => item.item_id === part.id)?.tiers[name]?.fit;
        expect(fit?.identified).toBe(product.hidden === undefined);
        if (product.hidden) continue;
        const error = Math.abs((fit?.elasticity ?? 0) - product.elasticity);
        expect(error).toBeLessThan(3 * (fit?.elasticity_se ?? 0));
        expect(fit?.elasticity_se).toBeLessThan(0.2);
      }
    }
  });

  test("breaks rules at today's prices, and none at the recommended ones", async () => {
    const inputs = sampleInputs();
    const today = policyCheck({ items: inputs.items }, standardRulePack).violations;
    expect(today.map(({ type, item_id }) => `${item_id} ${type}`)).toEqual([
      "GEARBOX-A1 hierarchy_inversion",
      "VALVE-V7 insufficient_tier_margin",
      "MOTOR-M2 insufficient_tier_margin",
    ]);
    const { items } = await resolveItems(inputs.items, datasetsUnder(undefined));
    const settings = settingsFor(inputs, standardRulePack);
    const proposed = items.map((item) => ({
      item_id: item.item_id,
      tiers: optimizeItem(item, settings).tiers,
    }));
    const { items: _, ...rest } = inputs;
    expect(policyCheck({ ...rest, items: inputs.items, proposed }, standardRulePack).violations).toEqual([]);
  });
});
