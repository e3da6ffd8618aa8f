import { describe, expect, test } from "@jest/globals";
import { drawParameters, jointBelief, logitAt, parametersAt } from "./joint-belief.ts";
import { makeRng } from "./rng.ts";
import { analyseItems } from "./sensitivity-report.ts";
import { makeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

const PARAMETERS = [4, 3, 0.05, Math.log(500)];

function jointOf(covariance: readonly (readonly number[])[]) {
  const logit = { parameters: PARAMETERS, covariance, degreesOfFreedom: 20 };
  return { model: "logit", names: ["new", "exchange"], logit } as const;
}

/** Sums of independent errors: of the intercepts, of the slope at prices of 100 and 80, and of the market. */
function covarianceOf(intercept: number, slope: number, market: number) {
  const directions = [
    [intercept, 0, 0, 0],
    [0, intercept, 0, 0],
    [100 * slope, 80 * slope, slope, 0],
    [-0.5 * market, 0, 0, market],
  ];
  return PARAMETERS.map((_, i) =>
    PARAMETERS.map((_, j) => directions.reduce((sum, one) => sum + (one[i] ?? 0) * (one[j] ?? 0), 0)),
  );
}

describe("the parameters of a logit fitted to several tiers", () => {
  const covariance = covarianceOf(0.1, 0.01, 0.2);
  const belief = jointBelief(jointOf(covariance));

  test("are drawn with their covariance", () => {
    const count = 40_000;
    const rng = makeRng(5);
    const draws = new Float64Array(4 * count);
    for (let draw = 0; draw < count; draw++) drawParameters(belief, rng, draws, 4 * draw);
    const mean = (of: (row: Float64Array) => number) => {
      let sum = 0;
      for (let draw = 0; draw < count; draw++) sum += of(draws.subarray(4 * draw, 4 * draw + 4));
      return sum / count;
    };
    PARAMETERS.forEach((centre, i) => {
      const own = covariance[i]?.[i] ?? 0;
      expect(Math.abs(mean((row) => row[i] ?? 0) - centre)).toBeLessThan(5 * Math.sqrt(own / count));
      PARAMETERS.forEach((other, j) => {
        const expected = covariance[i]?.[j] ?? 0;
        const found = mean((row) => ((row[i] ?? 0) - centre) * ((row[j] ?? 0) - other));
        // Variance of the product of two normal numbers: v·w + c².
        const spread = Math.sqrt((own * (covariance[j]?.[j] ?? 0) + expected ** 2) / count);
        expect(Math.abs(found - expected)).toBeLessThan(5 * spread);
      });
    });
  });

  test("have a price coefficient above 0, and move with it as their covariance says", () => {
    const rng = makeRng(6);
    const wide = jointBelief(jointOf(covarianceOf(0.1, 0.05, 0.2)));
    const row = new Float64Array(4);
    for (let draw = 0; draw < 2000; draw++) {
      drawParameters(wide, rng, row, 0);
      expect(row[2]).toBeGreaterThan(0);
    }
    // One more of the slope comes with 100 more of the first intercept and 80 of the second.
    const [first = 0, second = 0, slope, market] = parametersAt(belief, 0.06);
    expect([first, second, slope, market]).toEqual([
      expect.closeTo(5, 9),
      expect.closeTo(3.8, 9),
      0.06,
      expect.closeTo(Math.log(500), 9),
    ]);
  });
});

describe("a sensitivity analysis of such an item", () => {
  function analysed(covariance: readonly (readonly number[])[]) {
    const joint = jointOf(covariance);
    const tiers = {
      new: { current_price: 100, unit_cost: 60 },
      exchange: { current_price: 80, unit_cost: 45 },
    };
    const item: ResolvedItem = {
      item_id: "pump",
      joint,
      tiers: {
        new: { ...tiers.new, demand: logitAt(PARAMETERS, 0) },
        exchange: { ...tiers.exchange, demand: logitAt(PARAMETERS, 1) },
      },
    };
    const uncertainty = { draws: 4000, cost_pct: 0, demand_pct: 0 };
    const run = analyseItems([item], undefined, makeSettings({ increment: 0 }), uncertainty);
    for (let next = run.next(); ; next = run.next()) {
      if (!next.done) continue;
      const [report] = next.value.items;
      if (report === undefined) throw new Error("no item");
      return { report, assumptions: next.value.assumptions };
    }
  }

  test("is certain of today's profit if only the slope around today's prices is uncertain", () => {
    const { report, assumptions } = analysed(covarianceOf(0, 0.008, 0));
    const { p5, p50, p95 } = report.current_profit_band;
    expect([p5 / p50, p95 / p50]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
    expect(report.profit_band.p95 / report.profit_band.p5).toBeGreaterThan(1.01);
    expect(report.tornado?.map(({ factor }) => factor).toSorted()).toEqual([
      "cost",
      "demand",
      "price_coefficient",
    ]);
    expect(report.tornado?.[0]).toMatchObject({ factor: "price_coefficient", decides: true });
    expect(assumptions.elasticity.tiers).toEqual({ given: 0, estimated: 2, assumed: 0 });
  });

  test("has the log-normal band of today's profit if only the market is uncertain, and prices that do not depend on it", () => {
    const only = PARAMETERS.map((_, i) => PARAMETERS.map((_, j) => (i === 3 && j === 3 ? 0.04 : 0)));
    const { report } = analysed(only);
    const { p5, p50, p95 } = report.current_profit_band;
    // ln M has the standard deviation 0.2; 4,000 draws.
    expect(Math.log(p95 / p5)).toBeCloseTo(2 * 1.6449 * 0.2, 1);
    expect(p50).toBeGreaterThan(0);
    const band = report.tiers.new?.price_band;
    expect((band?.p95 ?? 0) / (band?.p5 ?? 1)).toBeCloseTo(1, 6);
    expect(report.robustness).toMatchObject({ losses: 0 });
  });
});
