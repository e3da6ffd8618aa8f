import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { anyItem } from "../test/arbitrary.ts";
import { evaluateItem, logitDemand, ownElasticity, totalOutcome } from "./demand.ts";
import { ConstantElasticityTerm, LogitTerm, type Term } from "./terms.ts";

describe("demand", () => {
  test("logit demand follows the formula, with an outside option", () => {
    const models = [
      { model: "logit" as const, market_size: 100, intercept: 1, price_coefficient: 0.1 },
      { model: "logit" as const, market_size: 100, intercept: 2, price_coefficient: 0.2 },
    ];
    const [first = 0, second = 0] = logitDemand(models, [5, 10]);
    const weights = [Math.exp(1 - 0.5), Math.exp(2 - 2)] as const;
    expect(first).toBeCloseTo((100 * weights[0]) / (1 + weights[0] + weights[1]), 12);
    expect(second).toBeCloseTo((100 * weights[1]) / (1 + weights[0] + weights[1]), 12);
  });

  test("huge utilities do not overflow", () => {
    const model = { model: "logit" as const, market_size: 100, intercept: 900, price_coefficient: 0.1 };
    expect(logitDemand([model, model], [1, 1])).toEqual([50, 50]);
  });

  test("the own-price elasticity is d ln demand / d ln price", () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        const now = evaluateItem(item, {});
        for (const [name, tier] of Object.entries(item.tiers)) {
          const step = 1e-6;
          const up = evaluateItem(item, { [name]: tier.current_price * Math.exp(step) });
          const down = evaluateItem(item, { [name]: tier.current_price * Math.exp(-step) });
          const slope = Math.log((up[name]?.demand ?? 0) / (down[name]?.demand ?? 0)) / (2 * step);
          expect(ownElasticity(tier, tier.current_price, now[name]?.demand ?? 0)).toBeCloseTo(slope, 4);
        }
      }),
      { numRuns: 50, seed: 21 },
    );
  });

  test("revenue is p·q and profit (p − c)·q", () => {
    const demand = {
      model: "constant_elasticity" as const,
      reference_price: 10,
      reference_quantity: 80,
      elasticity: -2,
    };
    const item = { item_id: "A", tiers: { new: { current_price: 10, unit_cost: 4, demand } } };
    expect(evaluateItem(item, { new: 20 })).toEqual({ new: { demand: 20, revenue: 400, profit: 320 } });
    expect(totalOutcome(evaluateItem(item, {}))).toEqual({ demand: 80, revenue: 800, profit: 480 });
  });
});

describe("the terms of an objective", () => {
  const terms: [string, Term][] = [
    ["elastic", constant(-2.5, 8)],
    ["inelastic", constant(-0.6, 8)],
    ["revenue", constant(-2.5, 0)],
    ["logit", new LogitTerm({ model: "logit", market_size: 1, intercept: 0, price_coefficient: 0.3 }, 2, 6)],
  ];
  test.each(terms)("%s: slope and curvature are the derivatives of the value", (_, term) => {
    for (const price of [2, 7, 12, 30]) {
      const step = 1e-5 * price;
      const size = Math.abs(term.value(price)) / price;
      const slope = (term.value(price + step) - term.value(price - step)) / (2 * step);
      const curvature = (term.slope(price + step) - term.slope(price - step)) / (2 * step);
      expect(Math.abs(term.slope(price) - slope)).toBeLessThan(1e-7 * size);
      expect(Math.abs(curvatureOf(term, price) - curvature)).toBeLessThan((1e-6 * size) / price);
    }
  });

  test.each(terms)("%s: rises up to `peak`, falls beyond, and is concave up to `concaveUpTo`", (_, term) => {
    for (let price = 0.5; price < 200; price *= 1.07) {
      if (Math.abs(price - term.peak) > 1e-9)
        expect(Math.sign(term.slope(price))).toBe(price < term.peak ? 1 : -1);
      if (price < term.concaveUpTo * 0.999) expect(curvatureOf(term, price)).toBeLessThanOrEqual(0);
      const logCurvature = price * term.slope(price) + price * price * curvatureOf(term, price);
      if (price < term.logConcaveUpTo * 0.999) expect(logCurvature).toBeLessThanOrEqual(1e-9);
      if (price > term.concaveUpTo * 1.001) expect(curvatureOf(term, price)).toBeGreaterThanOrEqual(0);
    }
  });
});

function curvatureOf(term: Term, price: number): number {
  const sums = { slope: 0, curvature: 0 };
  term.addDerivatives(price, 1, sums);
  expect(Math.abs(sums.slope - term.slope(price))).toBeLessThan(
    (1e-12 * Math.abs(term.value(price))) / price + 1e-12,
  );
  return sums.curvature;
}

function constant(elasticity: number, cost: number): Term {
  const model = {
    model: "constant_elasticity" as const,
    reference_price: 10,
    reference_quantity: 50,
    elasticity,
  };
  return new ConstantElasticityTerm(model, cost, 10);
}
