import { describe, expect, test } from "@jest/globals";
import { normalQuantile } from "./normal.ts";
import { analyseItems, type SensitivityReport } from "./sensitivity-report.ts";
import { makeSettings, type OptimizeSettings } from "./settings.ts";
import type { ProposedItem, ResolvedItem, ResolvedTier } from "./types.ts";
import type { UncertaintyInputs } from "./uncertainty.ts";

function tierOf(elasticity: number, se: number, more: Partial<ResolvedTier> = {}): ResolvedTier {
  return {
    current_price: 10,
    unit_cost: 6,
    demand: {
      model: "constant_elasticity",
      reference_price: 10,
      reference_quantity: 100,
      elasticity,
      elasticity_se: se,
    },
    ...more,
  };
}

function itemOf(tiers: Record<string, ResolvedTier>, item_id = "A"): ResolvedItem {
  return { item_id, tiers };
}

function analyse(
  items: ResolvedItem[],
  uncertainty: UncertaintyInputs = {},
  settings: OptimizeSettings = makeSettings({ increment: 0 }),
  proposed?: ProposedItem[],
): SensitivityReport {
  const run = analyseItems(items, proposed, settings, uncertainty);
  for (let next = run.next(); ; next = run.next()) if (next.done) return next.value;
}

const CERTAIN = { cost_pct: 0, demand_pct: 0 };
const quantiles = [0.05, 0.5, 0.95] as const;

describe("constant elasticity, with closed-form quantiles", () => {
  // c·e/(1 + e) is increasing in e, so the p-quantile of the price is the price at the p-quantile of e.
  const price = (p: number) => {
    const e = -3 + 0.2 * normalQuantile(p);
    return (6 * e) / (1 + e);
  };
  const report = analyse([itemOf({ new: tierOf(-3, 0.2) })], { ...CERTAIN, draws: 20_000, seed: 4 });
  const [item] = report.items;

  test("the band of the optimal price has the closed-form quantiles", () => {
    const band = item?.tiers.new?.price_band;
    const found = [band?.p5, band?.p50, band?.p95];
    quantiles.forEach((p, i) => {
      // Standard error of a sample quantile: √(p(1 − p)/n) times the derivative of the quantile function.
      const slope = (price(p + 1e-5) - price(p - 1e-5)) / 2e-5;
      const error = Math.sqrt((p * (1 - p)) / 20_000) * slope;
      expect(Math.abs((found[i] ?? 0) - price(p))).toBeLessThan(4 * error);
    });
  });

  test("the band of profit at the recommended price has the closed-form quantiles", () => {
    const profit = (p: number) => 100 * (9 / 10) ** (-3 - 0.2 * normalQuantile(p)) * 3;
    const found = [item?.profit_band.p5, item?.profit_band.p50, item?.profit_band.p95];
    quantiles.forEach((p, i) => {
      expect((found[i] ?? 0) / profit(p)).toBeCloseTo(1, 3);
    });
  });

  test("the robustness score is the closed-form probability of beating the current price", () => {
    // The recommendation beats the current price if 3·0.9^e > 4, i.e. if e < ln(4/3)/ln 0.9.
    const z = (Math.log(4 / 3) / Math.log(0.9) + 3) / 0.2;
    const { score, standard_error } = item?.robustness ?? { score: 0, standard_error: 0 };
    let cdf = 0;
    for (let k = 1; k < 20_000; k++) if (normalQuantile(k / 20_000) < z) cdf = k / 20_000;
    expect(Math.abs(score - cdf)).toBeLessThan(4 * standard_error);
    expect(standard_error).toBeCloseTo(Math.sqrt((score * (1 - score)) / 20_000), 12);
  });
});

describe("scenarios", () => {
  const items = [
    itemOf({ new: tierOf(-3, 0.3), exchange: tierOf(-2.5, 0.3, { unit_cost: 5 }) }),
    itemOf({ new: tierOf(-2, 0.1) }, "B"),
  ];
  const settings = makeSettings({ gapFor: () => 0.05 });

  test("the same seed gives the same result for an item, whatever other items the request has", () => {
    const first = analyse(items, { seed: 9 }, settings);
    expect(analyse(items, { seed: 9 }, settings)).toEqual(first);
    expect(analyse([items[1] ?? itemOf({})], { seed: 9 }, settings).items[0]).toEqual(first.items[1]);
    expect(analyse(items, { seed: 10 }, settings).items[0]).not.toEqual(first.items[0]);
  });

  test("regret is positive under uncertainty and 0 without it", () => {
    const report = analyse(items, { draws: 500 }, settings);
    for (const { regret } of report.items) {
      expect(regret.expected).toBeGreaterThan(0);
      expect(regret.max).toBeGreaterThanOrEqual(regret.expected);
    }
    const known = analyse([itemOf({ new: tierOf(-3, 0) })], CERTAIN);
    expect(known.items[0]?.regret.max).toBeCloseTo(0, 9);
    expect(known.items[0]?.tiers.new?.price_band).toEqual({
      p5: expect.closeTo(9, 9),
      p50: expect.closeTo(9, 9),
      p95: expect.closeTo(9, 9),
    });
  });

  test("the worst and best draws lie outside the band, and the tornado is sorted by swing", () => {
    const [item] = analyse(items, { draws: 500 }, settings).items;
    expect(item?.worst.profit).toBeLessThan(item?.profit_band.p5 ?? 0);
    expect(item?.best.profit).toBeGreaterThan(item?.profit_band.p95 ?? 0);
    const swings = item?.tornado.map((bar) => bar.swing) ?? [];
    expect(swings).toEqual(swings.toSorted((a, b) => b - a));
    expect(item?.tornado.map((bar) => bar.factor).toSorted()).toEqual([
      "cost",
      "demand",
      "elasticity:exchange",
      "elasticity:new",
    ]);
    const demand = item?.tornado.find((bar) => bar.factor === "demand");
    expect((demand?.high.objective ?? 0) / (demand?.low.objective ?? 1)).toBeCloseTo(1.09 / 0.91, 9);
  });

  test("a proposal is evaluated as given, with tiers it leaves out at their current price", () => {
    const proposed = [{ item_id: "A", tiers: { new: { price: 12 } } }];
    const report = analyse(items, {}, settings, proposed);
    expect(report.items[0]?.tiers.new?.recommended_price).toBe(12);
    expect(report.items[0]?.tiers.exchange?.recommended_price).toBe(10);
    expect(report.items[1]?.tiers.new?.recommended_price).toBe(12);
  });

  test("a proposal of today's prices ties in every draw", () => {
    const [item] = analyse(items, {}, settings, [{ item_id: "A", tiers: { new: { price: 10 } } }]).items;
    expect(item?.robustness).toMatchObject({ score: 0, ties: 1000 });
  });

  test("a logit item has a price band", () => {
    const demand = { model: "logit" as const, market_size: 100, intercept: 3, price_coefficient: 0.3 };
    const item = itemOf({ new: { current_price: 10, unit_cost: 6, demand } });
    const band = analyse([item], { draws: 300 }).items[0]?.tiers.new?.price_band;
    expect(band?.p5).toBeLessThan(band?.p95 ?? 0);
  });
});

describe("draws without an optimum", () => {
  test("are counted as unbounded and left out of price bands and regret", () => {
    const [item] = analyse([itemOf({ new: tierOf(-1.2, 0.2) })], { ...CERTAIN, draws: 4000 }).items;
    // P(e ≥ −1) = P(z ≥ 1)
    expect(Math.abs((item?.unsolved.unbounded ?? 0) / 4000 - 0.158655)).toBeLessThan(0.025);
    expect(item?.regret.draws).toBe(4000 - (item?.unsolved.unbounded ?? 0));
    expect(item?.robustness.draws).toBe(4000);
  });

  test("do not occur if the price has an upper bound", () => {
    const [item] = analyse([itemOf({ new: tierOf(-1.2, 0.2, { bounds: { max: 20 } }) })]).items;
    expect(item?.unsolved).toEqual({ unbounded: 0, infeasible: 0 });
    expect(item?.tiers.new?.price_band?.p95).toBe(20);
  });

  test("a wide distribution of the elasticity is truncated at 0, and the removed mass is reported", () => {
    const [item] = analyse([itemOf({ new: tierOf(-1.5, 1, { bounds: { max: 20 } }) })]).items;
    expect(item?.truncated.new).toBeCloseTo(0.0668, 4);
    expect(item?.best.elasticities.new).toBeLessThan(0);
  });

  test("a held tier keeps its price in every draw", () => {
    const item = itemOf({ new: tierOf(-3, 0.2, { held: true }) });
    expect(analyse([item]).items[0]?.tiers.new?.price_band).toEqual({ p5: 10, p50: 10, p95: 10 });
  });
});

test("an elasticity interval replaces the tier's standard error", () => {
  const interval = { item_id: "A", tier: "new", low: -3.4, high: -2.6 };
  const [item] = analyse([itemOf({ new: tierOf(-2, 1) })], {
    ...CERTAIN,
    draws: 5000,
    elasticity_intervals: [interval],
  }).items;
  expect(item?.tiers.new?.price_band?.p50).toBeCloseTo(9, 1);
});

test.each([
  ["a proposal of an unknown item", {}, [{ item_id: "Z", tiers: { new: { price: 1 } } }]],
  ["a proposal of an unknown tier", {}, [{ item_id: "A", tiers: { old: { price: 1 } } }]],
  [
    "an interval of an unknown tier",
    { elasticity_intervals: [{ item_id: "A", tier: "old", low: -3, high: -2 }] },
    undefined,
  ],
  [
    "an interval whose low exceeds its high",
    { elasticity_intervals: [{ item_id: "A", tier: "new", low: -2, high: -3 }] },
    undefined,
  ],
])("%s is an error", (_, uncertainty, proposed) => {
  const run = () => analyse([itemOf({ new: tierOf(-3, 0.2) })], uncertainty, makeSettings(), proposed);
  expect(run).toThrow(expect.objectContaining({ code: "INVALID_ITEM" }));
});
