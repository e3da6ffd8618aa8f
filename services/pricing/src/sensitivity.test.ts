import { describe, expect, test } from "@jest/globals";
import type { Distribution } from "./distribution.ts";
import { normalQuantile } from "./normal.ts";
import { wilsonInterval } from "./robustness.ts";
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
    const score = item?.robustness.score ?? 0;
    let cdf = 0;
    for (let k = 1; k < 20_000; k++) if (normalQuantile(k / 20_000) < z) cdf = k / 20_000;
    expect(Math.abs(score - cdf)).toBeLessThan(4 * Math.sqrt((score * (1 - score)) / 20_000));
    expect(item?.robustness.interval).toEqual({
      ...wilsonInterval(score * 20_000, 20_000, 0.95),
      level: 0.95,
    });
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
      expect(regret.p95).toBeGreaterThanOrEqual(regret.expected);
    }
    const known = analyse([itemOf({ new: tierOf(-3, 0) })], CERTAIN);
    expect(known.items[0]?.regret.p95).toBeCloseTo(0, 9);
    expect(known.items[0]?.tiers.new?.price_band).toEqual({
      p5: expect.closeTo(9, 9),
      p50: expect.closeTo(9, 9),
      p95: expect.closeTo(9, 9),
    });
  });

  test("the worst and best scenario are the draws at stated quantiles of the difference from today", () => {
    const [item] = analyse(items, { draws: 501 }, settings).items;
    // With 501 draws both quantiles are order statistics.
    expect(item?.worst).toMatchObject({ quantile: 0.05, difference: item?.difference_band.p5 });
    expect(item?.best).toMatchObject({ quantile: 0.95, difference: item?.difference_band.p95 });
  });

  test("the tornado attributes the difference from today's prices, by swing", () => {
    const [item] = analyse([itemOf({ new: tierOf(-3, 0.3) })], { draws: 100 }, settings).items;
    const bars = item?.tornado ?? [];
    const swings = bars.map((bar) => bar.swing);
    expect(swings).toEqual(swings.toSorted((a, b) => b - a));
    expect(bars.map((bar) => bar.factor).toSorted()).toEqual(["cost", "demand", "elasticity:new"]);
    // 100 units at 10 and 100·0.9^−3 units at 9, at a unit cost of 6·k: the difference is linear in k.
    const sold = 100 * 0.9 ** -3;
    const gain = (k: number) => sold * (9 - 6 * k) - 100 * (10 - 6 * k);
    const cost = bars.find((bar) => bar.factor === "cost");
    expect(cost?.low).toEqual({ value: 0.955, difference: expect.closeTo(gain(0.955), 8) });
    expect(cost?.high).toEqual({ value: 1.045, difference: expect.closeTo(gain(1.045), 8) });
    const demand = bars.find((bar) => bar.factor === "demand");
    expect(demand?.high.difference).toBeCloseTo(1.09 * gain(1), 8);
  });

  test("a scale of demand is never what the decision depends on, however wide", () => {
    const tiers = { new: tierOf(-3, 0.01) };
    const { items: reports, summary } = analyse([itemOf(tiers)], { cost_pct: 0.01, demand_pct: 0.9 });
    const [first] = reports[0]?.tornado ?? [];
    expect(first).toMatchObject({ factor: "demand", decides: false });
    expect(summary).toMatch(/depends most on unit cost\./);
  });

  test("a proposal is evaluated as given, with tiers it leaves out at their current price", () => {
    const proposed = [{ item_id: "A", tiers: { new: { price: 12 } } }];
    const report = analyse(items, {}, settings, proposed);
    expect(report.items[0]?.tiers.new?.recommended_price).toBe(12);
    expect(report.items[0]?.tiers.exchange?.recommended_price).toBe(10);
    expect(report.items[1]?.tiers.new?.recommended_price).toBe(12);
  });

  test("a proposal of today's prices ties in every draw, which is no loss", () => {
    const report = analyse(items, {}, settings, [{ item_id: "A", tiers: { new: { price: 10 } } }]);
    expect(report.items[0]?.robustness).toEqual({
      ...{ score: null, interval: null, draws: 1000, wins: 0, ties: 1000, losses: 0 },
    });
    expect(report.summary).toMatch(
      /Least certain is B, .* 1 item earns what today's prices do in every draw/,
    );
  });

  test("a logit item has a price band", () => {
    const demand = { model: "logit" as const, market_size: 100, intercept: 3, price_coefficient: 0.3 };
    const item = itemOf({ new: { current_price: 10, unit_cost: 6, demand } });
    const band = analyse([item], { draws: 300 }).items[0]?.tiers.new?.price_band;
    expect(band?.p5).toBeLessThan(band?.p95 ?? 0);
  });
});

describe("draws without an optimum", () => {
  test("count as a price and a regret of +∞ at the upper end", () => {
    const [item] = analyse([itemOf({ new: tierOf(-1.2, 0.2) })], { ...CERTAIN, draws: 4000 }).items;
    // P(e ≥ −1) = P(z ≥ 1), so that the 95% quantile of the price is +∞ and the median is that of e = −1.2.
    expect(Math.abs((item?.unsolved.unbounded ?? 0) / 4000 - 0.158655)).toBeLessThan(0.025);
    expect(item?.tiers.new?.price_band?.p95).toBeNull();
    expect(Math.abs((item?.tiers.new?.price_band?.p50 ?? 0) - 36)).toBeLessThan(2.5);
    expect(item?.regret).toMatchObject({ p95: null, draws: 4000 - (item?.unsolved.unbounded ?? 0) });
    expect(item?.robustness.draws).toBe(4000);
  });

  test("leave the price of a tier that is not linked to the unbounded one at its optimum", () => {
    const item = itemOf({ new: tierOf(-3, 0), exchange: tierOf(-1.2, 0.2) });
    const settings = makeSettings({ increment: 0, enforce: ["bounds"] });
    const { tiers, unsolved } = analyse([item], CERTAIN, settings).items[0] ?? {};
    expect(unsolved?.unbounded).toBeGreaterThan(0);
    expect(tiers?.exchange?.price_band?.p95).toBeNull();
    expect(tiers?.new?.price_band).toEqual({
      p5: expect.closeTo(9, 9),
      p50: expect.closeTo(9, 9),
      p95: expect.closeTo(9, 9),
    });
  });

  test("do not occur if the price has an upper bound", () => {
    const [item] = analyse([itemOf({ new: tierOf(-1.2, 0.2, { bounds: { max: 20 } }) })]).items;
    expect(item?.unsolved).toEqual({ unbounded: 0, infeasible: 0 });
    expect(item?.tiers.new?.price_band?.p95).toBe(20);
  });

  test("a wide distribution of the elasticity is truncated at 0, and the removed mass is reported", () => {
    const [item] = analyse([itemOf({ new: tierOf(-1.5, 1, { bounds: { max: 20 } }) })]).items;
    expect(item?.truncated.new).toBeCloseTo(0.0668, 4);
    expect(item?.best?.elasticities.new).toBeLessThan(0);
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

describe("shocks that all items share", () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, i) => itemOf({ new: tierOf(-3, 0) }, `part-${i}`));
  const width = (count: number, uncertainty: UncertaintyInputs) => {
    const band = analyse(items(count), { ...CERTAIN, draws: 2000, ...uncertainty }).totals
      .current_profit_band;
    return (band.p95 - band.p5) / band.p50;
  };
  const normal = { demand: { distribution: "normal", mean: 1, sd: 0.1 } } as const;

  test("keep the band of a portfolio from collapsing: its width is √(s + (1 − s)/n) of one item's", () => {
    // Demand scales the profit at today's prices, so its band is that of the mean of n correlated normal numbers.
    const one = 2 * 0.1 * normalQuantile(0.95);
    for (const [share, count] of [
      [0, 1],
      [0, 64],
      [0.5, 64],
      [0.9, 16],
      [1, 16],
    ] as const) {
      const expected = one * Math.sqrt(share + (1 - share) / count);
      expect(Math.abs(width(count, { ...normal, common_share: share }) / expected - 1)).toBeLessThan(0.1);
    }
  });

  test("are half of the variance by default, and the answer says so", () => {
    expect(width(64, normal)).toBe(width(64, { ...normal, common_share: 0.5 }));
    const report = analyse(items(1));
    expect(report.assumptions).toEqual({
      elasticity: { relative_se: 0.1, assumed: true, tiers: { given: 0, estimated: 1, assumed: 0 } },
      cost: { distribution: "uniform", low: 0.95, high: 1.05, assumed: true },
      demand: { distribution: "uniform", low: 0.9, high: 1.1, assumed: true },
      common_share: { value: 0.5, assumed: true },
    });
    expect(report.summary).toMatch(/Assumed, .*costs uniform between −5% and \+5%; .*50% of the variance/);
  });

  test("leave the distribution of each item as it is", () => {
    const profits = (common_share: number) => {
      const demand = { distribution: "lognormal", median: 1, log_sd: 0.2 } as const;
      return analyse(items(1), { ...CERTAIN, demand, common_share, draws: 20_000 }).items[0]
        ?.current_profit_band;
    };
    for (const share of [0, 0.5, 1]) {
      // Lognormal: 400 · exp(0.2·z).
      expect(profits(share)?.p5).toBeCloseTo(400 * Math.exp(-0.2 * normalQuantile(0.95)), -1);
      expect(profits(share)?.p95).toBeCloseTo(400 * Math.exp(0.2 * normalQuantile(0.95)), -1);
    }
  });
});

describe("beliefs about elasticities", () => {
  // Without costs of change, the optimal price 6·e/(1 + e) rises with e: its quantiles are those of e.
  const band = (belief: Distribution) => {
    const elasticity_beliefs = [{ item_id: "A", tier: "new", belief }];
    const uncertainty = { ...CERTAIN, draws: 20_000, elasticity_beliefs };
    return analyse([itemOf({ new: tierOf(-2, 1) })], uncertainty).items[0]?.tiers.new?.price_band;
  };
  const price = (e: number) => (6 * e) / (1 + e);
  const z = normalQuantile(0.95);
  test.each([
    ["normal", { distribution: "normal", mean: -3, sd: 0.2 }, -3 - 0.2 * z, -3 + 0.2 * z],
    ["uniform", { distribution: "uniform", low: -4, high: -2 }, -3.9, -2.1],
    [
      "lognormal",
      { distribution: "lognormal", median: -3, log_sd: 0.1 },
      -3 * Math.exp(0.1 * z),
      -3 * Math.exp(-0.1 * z),
    ],
  ] as const)("%s", (_, belief, low, high) => {
    expect((band(belief)?.p5 ?? 0) / price(low)).toBeCloseTo(1, 2);
    expect((band(belief)?.p95 ?? 0) / price(high)).toBeCloseTo(1, 2);
  });
});

describe("Wilson's interval", () => {
  // Newcombe (1998), table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%d of %d", (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials, 0.95);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test("covers its share as often as it says", () => {
    const share = 0.3;
    const trials = 50;
    let covered = 0;
    let mass = (1 - share) ** trials;
    for (let k = 0; k <= trials; k++) {
      const { low, high } = wilsonInterval(k, trials, 0.95);
      if (low <= share && share <= high) covered += mass;
      mass *= ((trials - k) / (k + 1)) * (share / (1 - share));
    }
    expect(covered).toBeGreaterThan(0.93);
  });
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
