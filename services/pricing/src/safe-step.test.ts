import { describe, expect, test } from "@jest/globals";
import { parseCsv } from "./csv.ts";
import { fitDemand } from "./fit.ts";
import { normalQuantile } from "./normal.ts";
import { priceTests } from "./price-test.ts";
import { proposeItem } from "./proposal.ts";
import { makeRng } from "./rng.ts";
import { makeSettings } from "./settings.ts";
import type { Fit, ResolvedItem } from "./types.ts";

const SPEC: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" };
const settings = makeSettings({ increment: 0.01 });
const COST = 62;
const NOISE = 0.25;

/** Sales of 80 independent rows at prices around 100, with elasticity −2.4. */
function itemOf(world: number): ResolvedItem {
  const rng = makeRng(world, "safe");
  const normal = () => normalQuantile(rng());
  const lines = ["price,quantity"];
  for (let row = 0; row < 80; row++) {
    const price = 100 * Math.exp(0.12 * normal());
    lines.push(`${price},${40 * (price / 100) ** -2.4 * Math.exp(NOISE * normal())}`);
  }
  const dataset = parseCsv(lines.join("\n"), "sales");
  const rows = Array.from({ length: dataset.rows }, (_, row) => row);
  const { report, demandAt, formsAt } = fitDemand(SPEC, dataset, rows);
  return {
    item_id: "A",
    tiers: {
      new: {
        current_price: 100,
        unit_cost: COST,
        demand: demandAt(100),
        fit: report,
        forms: formsAt(100),
        ...(!report.identified && { held: true }),
      },
    },
  };
}

/** What the price gains at the true elasticity; the level is that of 40 units. */
function truth(price: number): number {
  return 40 * ((price / 100) ** -2.4 * (price - COST) - (100 - COST));
}

describe("the safe step", () => {
  const worlds = Array.from({ length: 200 }, (_, world) => {
    const item = itemOf(world);
    const { tiers, safe_step, warnings } = proposeItem(item, settings);
    const price = tiers.new?.price ?? 0;
    return { price, step: safe_step, full: safe_step?.full_move.prices.new ?? price, warnings };
  });
  const limited = worlds.filter(({ step }) => step !== undefined);

  test("is what is recommended, and loses in few worlds, where the full move loses in many", () => {
    const losing = (prices: readonly number[]) =>
      prices.filter((price) => truth(price) < 0).length / worlds.length;
    const steps = limited.map(({ step }) => step?.prices.new ?? 0);
    expect(limited.map(({ price }) => price)).toEqual(steps);
    expect(steps.filter((price) => price !== 100).length).toBeGreaterThan(20);
    // 2.5% by the interval, and three standard errors of a share of 200.
    expect(losing(steps)).toBeLessThan(0.058);
    expect(losing(limited.map(({ full }) => full))).toBeGreaterThan(0.15);
  });

  test("stops short of the full move, which may lose; prices that stay carry a warning", () => {
    for (const { step, full, warnings } of limited) {
      if (step === undefined) continue;
      expect(step.full_move.cautious_gain).toBeLessThan(0);
      expect(step.share === 0 ? step.cautious_gain === 0 : step.cautious_gain > 0).toBe(true);
      expect(Math.abs((step.prices.new ?? 0) - 100)).toBeLessThanOrEqual(Math.abs(full - 100));
      expect(warnings?.join() ?? "").toMatch(
        step.share === 0 ? /whether any move beats today's prices/ : /^$/,
      );
    }
  });

  test("is absent where the full move gains in the worst case", () => {
    const item = itemOf(0);
    const tier = item.tiers.new;
    if (tier === undefined) throw new Error("no tier");
    const cheap = { item_id: "A", tiers: { new: { ...tier, unit_cost: 95 } } };
    expect(proposeItem(cheap, settings).safe_step).toBeUndefined();
  });
});

test("the price test has the power that it says", () => {
  const cost = 40;
  const { new: fitted } = itemOf(3).tiers;
  if (fitted === undefined) throw new Error("no tier");
  const tier = { ...fitted, unit_cost: cost };
  const item = { item_id: "A", tiers: { new: tier } };
  if (tier.demand.model !== "constant_elasticity") throw new Error("no fit");
  const [found] = priceTests(item, { new: 118 }, "profit");
  const { periods, break_even_elasticity: even, levels } = found ?? {};
  if (typeof periods !== "number" || even === undefined || levels === undefined) throw new Error("no test");
  // At the break-even elasticity both prices earn the same.
  expect((118 / 100) ** even * (118 - cost)).toBeCloseTo(100 - cost, 9);
  const move = Math.log(118 / 100);
  const sd = tier.fit?.residual_sd ?? 0;
  expect(sd).toBeCloseTo(NOISE, 1);
  const rng = makeRng(11, "power");
  let settled = 0;
  for (let trial = 0; trial < 2000; trial++) {
    let difference = 0;
    for (let week = 0; week < periods; week++) {
      const log = tier.demand.elasticity * (week % 2) * move + sd * normalQuantile(rng());
      difference += ((week % 2 === 1 ? 1 : -1) * log) / (periods / 2);
    }
    const error = (2 * sd) / Math.sqrt(periods) / move;
    if (Math.abs(difference / move - even) > 1.96 * error) settled += 1;
  }
  expect(settled / 2000).toBeGreaterThan(0.76);
  expect(settled / 2000).toBeLessThan(0.9);
});
