import { describe, expect, test } from "@jest/globals";
import { parseCsv } from "./csv.ts";
import { fitDemand } from "./fit.ts";
import { normalQuantile } from "./normal.ts";
import { proposeItem } from "./proposal.ts";
import { itemResolver } from "./resolve.ts";
import { makeRng } from "./rng.ts";
import { standardRulePack } from "./rule-pack.ts";
import { makeSettings, settingsFor } from "./settings.ts";
import { shadowPrices } from "./shadow-prices.ts";
import type { Fit, Item } from "./types.ts";

const SPEC: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" };
const normals = (name: string) => {
  const rng = makeRng(4, name);
  return () => normalQuantile(rng());
};

/** Elasticity −1.2 between 8 and 12: the formula would price at six times the cost of 5. */
function sales(): string {
  const normal = normals("flat");
  const lines = ["price,quantity"];
  for (let r = 0; r < 200; r++) {
    const price = 8 + 4 * (r / 199);
    lines.push(`${price},${100 * price ** -1.2 * Math.exp(0.05 * normal())}`);
  }
  return lines.join("\n");
}

const item: Item = { item_id: "A", tiers: { new: { current_price: 10, unit_cost: 5, demand: SPEC } } };
async function resolved(csv = sales()) {
  return (await itemResolver({ load: async (id) => parseCsv(csv, id) })(item)).item;
}

describe("the observed range", () => {
  test("caps the price, is named, and has the shadow price of the profit's slope there", async () => {
    const one = await resolved();
    const proposal = proposeItem(one, makeSettings());
    expect(proposal.tiers.new).toMatchObject({ price: 12, binding: ["observed_range_max"] });
    const { demand } = one.tiers.new ?? {};
    if (demand?.model !== "constant_elasticity") throw new Error("a fit has a constant elasticity");
    const { reference_price, reference_quantity, elasticity } = demand;
    const slope =
      reference_quantity * (12 / reference_price) ** elasticity * (1 + elasticity - (elasticity * 5) / 12);
    expect(proposal.tiers.new?.shadow_prices?.observed_range_max).toBeCloseTo(slope, 4);
    expect(shadowPrices(one, makeSettings()).new).toHaveLength(1);
  });

  test("is passed only if asked for, with a warning in the answer", async () => {
    const proposal = proposeItem(await resolved(), settingsFor({ extrapolate: true }, standardRulePack));
    expect(proposal.tiers.new?.price).toBeGreaterThan(12);
    expect(proposal.warnings?.join()).toMatch(/outside the prices observed in the data/);
  });

  test("widens by the stated margin", async () => {
    const proposal = proposeItem(await resolved(), settingsFor({ observed_margin: 0.1 }, standardRulePack));
    expect(proposal.tiers.new?.price).toBeCloseTo(13.2, 10);
  });

  test("includes today's price, even where no row has it", async () => {
    const one = await resolved();
    const tiers = { new: { ...one.tiers.new, current_price: 14 } };
    const { tiers: proposed } = proposeItem(
      { ...one, tiers: { ...one.tiers, ...(tiers as typeof one.tiers) } },
      makeSettings(),
    );
    expect(proposed.new?.price).toBe(14);
  });
});

describe("what a fit says of itself", () => {
  const fitOf = (csv: string, more: Partial<Fit> = {}) => {
    const dataset = parseCsv(csv, "sales");
    return fitDemand({ ...SPEC, ...more }, dataset, [...Array(dataset.rows).keys()]);
  };
  const panel = (() => {
    const normal = normals("panel");
    const lines = ["store,week,price,quantity,weather"];
    for (let store = 1; store <= 12; store++) {
      const size = normal();
      for (let week = 1; week <= 30; week++) {
        const price = 10 * Math.exp(0.2 * size + 0.15 * normal());
        const quantity = 200 * price ** -2 * Math.exp(size + 0.2 * normal());
        lines.push([`S${store}`, week, price, quantity, week % 3 === 0 ? "rain" : "dry"].join(","));
      }
    }
    return lines.join("\n");
  })();

  test("stores and weeks are found by name: fixed effects and clusters remove what stores have in common", () => {
    const { report, assumption } = fitOf(panel);
    expect(report).toMatchObject({
      fixed_effects: ["store", "week"],
      inference: { method: "cluster", cluster: "store", clusters: 12, degrees_of_freedom: 11 },
      validation: { folds: 5, blocks: "time" },
      identified: true,
    });
    expect(Math.abs((report.elasticity ?? 0) + 2)).toBeLessThan(0.2);
    expect(assumption).toMatch(
      /causal only if price moves were unrelated to demand shocks, given fixed effects of store, week/,
    );
  });

  test("the request's own choice of effects, clusters and time counts", () => {
    const { report } = fitOf(panel, {
      fixed_effects: [],
      cluster: "store",
      time: "week",
      controls: ["weather"],
    });
    expect(report).toMatchObject({
      fixed_effects: [],
      controls: ["weather"],
      inference: { method: "cluster_or_hac", cluster: "store", time: "week", periods: 30 },
    });
  });

  test("rows without sales are used, and asking to drop them is warned of by the bias", () => {
    const rng = makeRng(8, "counts");
    const lines = ["price,quantity"];
    for (let r = 0; r < 300; r++) {
      const price = 100 * Math.exp(0.25 * normalQuantile(rng()));
      let units = 0;
      for (let p = rng(); p > Math.exp(-((price / 100) ** -2.5)); p *= rng()) units += 1;
      lines.push(`${price},${units}`);
    }
    const whole = fitOf(lines.join("\n"));
    expect(whole.report).toMatchObject({
      estimator: "ppml",
      estimator_reason: expect.stringMatching(/no sales/),
      n: 300,
    });
    expect(whole.report.interval?.low).toBeLessThan(-2.5);
    expect(whole.report.interval?.high).toBeGreaterThan(-2.5);
    const part = fitOf(lines.join("\n"), { estimator: "ols" });
    expect(part.report.interval?.low).toBeGreaterThan(-2.5);
    expect(part.warnings.join()).toMatch(/biased towards 0/);
    const truncated = fitOf(lines.filter((line) => !line.endsWith(",0")).join("\n"));
    expect(truncated.warnings.join()).toMatch(/biased towards 0/);
  });

  test("a price that predicts nothing out of sample is not identified, and the reason is said", () => {
    // The price follows sales only in the first fifth: in sample that looks like an effect.
    const normal = normals("broken");
    const lines = ["week,price,quantity"];
    for (let week = 1; week <= 100; week++) {
      const x = normal();
      const effect = week <= 20 ? -6 * x : 0.4 * x;
      lines.push([week, 10 * Math.exp(0.1 * x), 100 * Math.exp(0.1 * effect + 0.02 * normal())].join(","));
    }
    const { report } = fitOf(lines.join("\n"));
    expect(report.identified).toBe(false);
    expect(report.reason).toBeDefined();
    expect(report.validation?.predictive_r2).toBeLessThan(0);
  });
});
