import { expect, test } from "@jest/globals";
import { parseCsv } from "./csv.ts";
import { fitDemand } from "./fit.ts";
import { normalQuantile } from "./normal.ts";
import { makeRng } from "./rng.ts";
import { analyseItems } from "./sensitivity-report.ts";
import { makeSettings } from "./settings.ts";
import type { Fit, ResolvedItem } from "./types.ts";

const SPEC: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity", time: "week" };
const WORLDS = 200;
const TRUE = -3;
const settings = makeSettings({ increment: 0, extrapolate: true });

/** Forty weeks, whose long-run variance has five degrees of freedom. */
function itemOf(world: number, isNormal: boolean): ResolvedItem {
  const rng = makeRng(world, "calibration");
  const normal = () => normalQuantile(rng());
  const lines = ["week,price,quantity"];
  for (let week = 1; week <= 40; week++) {
    const price = 10 * Math.exp(0.1 * normal());
    lines.push(`${week},${price},${100 * (price / 10) ** TRUE * Math.exp(0.1 * normal())}`);
  }
  const dataset = parseCsv(lines.join("\n"), "sales");
  const rows = Array.from({ length: dataset.rows }, (_, row) => row);
  const { report, demandAt } = fitDemand(SPEC, dataset, rows);
  const { elasticity_df, ...demand } = demandAt(10);
  const drawn = isNormal || elasticity_df === undefined ? demand : { ...demand, elasticity_df };
  return { item_id: "A", tiers: { new: { current_price: 10, unit_cost: 6, demand: drawn, fit: report } } };
}

/** How often the 90% band of the best price has the best price in it. */
function coverage(isNormal: boolean): number {
  const best = (6 * TRUE) / (1 + TRUE);
  let covered = 0;
  for (let world = 0; world < WORLDS; world++) {
    const uncertainty = { draws: 200, cost_pct: 0, demand_pct: 0 };
    const run = analyseItems([itemOf(world, isNormal)], undefined, settings, uncertainty);
    let next = run.next();
    while (!next.done) next = run.next();
    const band = next.value.items[0]?.tiers.new?.price_band;
    const high = band?.p95 ?? Number.POSITIVE_INFINITY;
    if (band && band.p5 !== null && band.p5 <= best && best <= high) covered += 1;
  }
  return covered / WORLDS;
}

test("a 90% band from few degrees of freedom covers 85% to 95%, where a normal one covers less", () => {
  const student = coverage(false);
  expect(student).toBeGreaterThan(0.85);
  expect(student).toBeLessThan(0.95);
  expect(coverage(true)).toBeLessThan(student - 0.02);
});
