import { describe, expect, test } from "@jest/globals";
import { gainOf } from "../certainty.ts";
import { evaluateItem, totalOutcome } from "../demand.ts";
import { normalQuantile } from "../normal.ts";
import { optimizeItem } from "../optimize-item.ts";
import { makeRng } from "../rng.ts";
import { analyseItems } from "../sensitivity-report.ts";
import { makeSettings } from "../settings.ts";
import type { FitReport, JointDemand, ResolvedItem } from "../types.ts";
import { crossSteps } from "./cross.ts";
import { withJoint } from "./joint.ts";
import type { Panel } from "./panel.ts";

const NAMES = ["new", "repair"] as const;
const LEVELS = [100, 70];
const TRUE = [
  [-3, 0.8],
  [0.6, -3.4],
];
const WORLDS = 200;
const settings = makeSettings({ increment: 0 });

/** Weeks of two tiers whose demand shocks are correlated between the tiers and from week to week. */
function panelOf(world: number, weeks = 60): Panel {
  const rng = makeRng(world, "cross");
  const normal = () => normalQuantile(rng());
  const shocks = [0, 0];
  const prices = LEVELS.map(() => new Float64Array(weeks));
  const quantities = LEVELS.map(() => new Float64Array(weeks));
  for (let t = 0; t < weeks; t++) {
    const common = normal();
    LEVELS.forEach((level, i) => {
      (prices[i] ?? [])[t] = level * Math.exp(0.1 * normal());
      shocks[i] = 0.4 * (shocks[i] ?? 0) + 0.1 * common + 0.1 * normal();
    });
    TRUE.forEach((row, i) => {
      const log = row.reduce(
        (sum, e, j) => sum + e * Math.log((prices[j]?.[t] ?? 1) / (LEVELS[j] ?? 1)),
        shocks[i] ?? 0,
      );
      (quantities[i] ?? [])[t] = 50 * Math.exp(log);
    });
  }
  return {
    occasions: weeks,
    series: LEVELS.map((_, i) => ({
      prices: prices[i] ?? new Float64Array(0),
      quantities: quantities[i] ?? new Float64Array(0),
      controls: [],
    })),
    units: new Array<string>(weeks).fill(""),
    matchedBy: [],
  };
}

function itemAt(joint?: JointDemand): ResolvedItem {
  const tiers = NAMES.map((name, i) => {
    const elasticity = TRUE[i]?.[i] ?? -3;
    const demand = {
      model: "constant_elasticity",
      reference_price: LEVELS[i] ?? 0,
      reference_quantity: 50,
      elasticity,
      cross: { [NAMES[1 - i] ?? ""]: TRUE[i]?.[1 - i] ?? 0 },
    } as const;
    const fit: FitReport = {
      elasticity: -9,
      interval: { low: -10, high: -8 },
      r2: 0.5,
      n: 60,
      dropped_rows: 0,
      identified: true,
      controls: [],
      estimator: "ols",
      estimator_reason: "every row has sales",
      zero_rows: 0,
      fixed_effects: [],
      // Without limits a constant positive cross elasticity leaves the joint profit without a maximum.
      observed_range: { low: 0.7 * (LEVELS[i] ?? 0), high: 1.4 * (LEVELS[i] ?? 0) },
    };
    return [
      name,
      {
        current_price: LEVELS[i] ?? 0,
        unit_cost: 0.6 * (LEVELS[i] ?? 0),
        demand,
        fit,
      },
    ] as const;
  });
  const item = { item_id: "pump", tiers: Object.fromEntries(tiers) };
  return joint ? withJoint(item, joint) : item;
}

function fitted(world: number): ResolvedItem {
  const steps = crossSteps(panelOf(world));
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) continue;
    if (step.value === undefined) throw new Error("not fitted");
    return itemAt({ model: "cross_price", cross: step.value, names: NAMES });
  }
}

describe("tiers that are fitted together", () => {
  test("one model makes the elasticity, its interval, the cross elasticities and the demand", () => {
    const { tiers } = fitted(1);
    for (const [i, name] of NAMES.entries()) {
      const tier = tiers[name];
      const other = NAMES[1 - i] ?? "new";
      expect(tier?.fit?.elasticity).toBe(
        tier?.demand.model === "constant_elasticity" && tier.demand.elasticity,
      );
      expect(tier?.demand).toMatchObject({ cross: { [other]: tier?.fit?.cross?.[other]?.elasticity } });
      expect(tier?.fit).not.toHaveProperty("r2");
    }
  });

  test("intervals cover the truth, and the level is that of today's prices", () => {
    const covered = { own: 0, cross: 0 };
    let level = 0;
    for (let world = 0; world < WORLDS; world++) {
      const { fit, demand } = fitted(world).tiers.new ?? {};
      const [own, cross] = [fit?.interval, fit?.cross?.repair?.interval];
      if (own && own.low <= -3 && -3 <= own.high) covered.own += 1;
      if (cross && cross.low <= 0.8 && 0.8 <= cross.high) covered.cross += 1;
      if (demand?.model === "constant_elasticity") level += demand.reference_quantity / WORLDS;
    }
    // 95% intervals: the tolerance is three standard errors of a share of 200.
    for (const share of Object.values(covered)) expect(share / WORLDS).toBeGreaterThan(0.9);
    // The mean of exp(shock), whose variance is 0.02 / (1 − 0.16).
    expect(level / (50 * Math.exp(0.02 / (1 - 0.16) / 2))).toBeCloseTo(1, 1);
  });

  test("90% bands of the optimal price and of the gain cover the truth, cross-price effects included", () => {
    const truth = itemAt();
    const best = optimizeItem(truth, settings).tiers.new?.price ?? 0;
    const proposed = { new: { price: 92 }, repair: { price: 66 } };
    const prices = { new: 92, repair: 66 };
    const gain =
      totalOutcome(evaluateItem(truth, prices)).profit - totalOutcome(evaluateItem(truth, {})).profit;
    const covered = { price: 0, gain: 0 };
    let losing = 0;
    for (let world = 0; world < WORLDS; world++) {
      const item = fitted(world);
      const run = analyseItems([item], [{ item_id: "pump", tiers: proposed }], settings, {
        draws: 200,
        cost_pct: 0,
        demand_pct: 0,
      });
      let next = run.next();
      while (!next.done) next = run.next();
      const [report] = next.value.items;
      const band = report?.tiers.new?.price_band;
      if (band && (band.p5 ?? Infinity) <= best && best <= (band.p95 ?? Infinity)) covered.price += 1;
      const difference = report?.difference_band;
      // The shocks' mean scales the level, which no band has in it.
      const scaled = gain * Math.exp(0.02 / (1 - 0.16) / 2);
      if (difference && difference.p5 <= scaled && scaled <= difference.p95) covered.gain += 1;
      if (gainOf(item, prices, "profit").cautious > scaled) losing += 1;
    }
    expect(covered.price / WORLDS).toBeGreaterThan(0.85);
    expect(covered.gain / WORLDS).toBeGreaterThan(0.85);
    // The observed range stops some prices, so that only the gain has an upper bound: 90% and three standard errors.
    expect(covered.gain / WORLDS).toBeLessThan(0.965);
    expect(losing / WORLDS).toBeLessThan(0.06);
  });
});

test("a price that never varies by itself cannot be told from the others", () => {
  const panel = panelOf(1);
  const [first, second] = panel.series;
  if (first === undefined || second === undefined) throw new Error("two tiers");
  const steps = crossSteps({
    ...panel,
    series: [first, { ...second, prices: first.prices.map((p) => 0.7 * p) }],
  });
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(step.value).toBeUndefined();
});
