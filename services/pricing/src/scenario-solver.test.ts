import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { at } from "./at.ts";
import { feasibleRanges } from "./chain.ts";
import { PricingError } from "./errors.ts";
import { objectiveAt, solveLogit } from "./optimum.ts";
import { down, type Problem, stateProblem } from "./problem.ts";
import { scenarioSolver } from "./scenario-solver.ts";
import { makeSettings, type OptimizeSettings } from "./settings.ts";
import type { ConstantElasticity, Logit, ResolvedItem } from "./types.ts";
import { beliefOf, type Scenario } from "./uncertainty.ts";

const NAMES = ["new", "exchange", "repair", "usm"];

function between(min: number, max: number) {
  return fc.double({ min, max, noNaN: true });
}

type Spec = { readonly level: number; readonly cost: number; readonly reach: number; readonly draw: number };

const spec = fc.record({
  level: between(0.7, 1.1),
  cost: between(0.3, 0.8),
  reach: between(0.05, 0.6),
  draw: between(0.8, 1.25),
});

/** A tier 20% below the other, give or take, so that rules between tiers often hold with equality. */
function itemOf(specs: readonly Spec[], demandOf: (i: number, price: number) => ConstantElasticity | Logit) {
  const tiers = specs.map(({ level, cost, reach }, i) => {
    const price = 100 * 0.8 ** i * level;
    const bounds = { min: price * (1 - reach), max: price * (1 + 2 * reach) };
    const tier = { current_price: price, unit_cost: price * cost, bounds, demand: demandOf(i, price) };
    return [NAMES[i] ?? "", tier] as const;
  });
  return { item_id: "any", tiers: Object.fromEntries(tiers) };
}

const settingsArbitrary = fc
  .record({ gap: between(0, 0.2), objective: fc.constantFrom("profit" as const, "revenue" as const) })
  .map(({ gap, objective }) => makeSettings({ increment: 0, objective, gapFor: () => gap }));

/** The problem and its solver; cases whose rules contradict each other are skipped. */
function prepared(item: ResolvedItem, settings: OptimizeSettings) {
  const parts = attempt(item, settings);
  fc.pre(parts !== undefined);
  if (parts === undefined) throw new Error("skipped");
  return parts;
}

function attempt(item: ResolvedItem, settings: OptimizeSettings) {
  try {
    const problem = stateProblem(item, settings);
    const solver = scenarioSolver(item, settings, beliefOf(item, {}));
    return { problem, ranges: feasibleRanges(problem), solver };
  } catch (error) {
    if (error instanceof PricingError && error.code === "INFEASIBLE") return undefined;
    throw error;
  }
}

/** The problem in a scenario, stated anew. */
function inScenario(problem: Problem, { elasticities, cost, demand }: Scenario): Problem {
  const tiers = problem.tiers.map((tier, i) => {
    const drawn = at(elasticities, i);
    const unit_cost = tier.unit_cost * cost;
    if (tier.demand.model === "logit") {
      const slope = tier.demand.price_coefficient * -drawn;
      const intercept = tier.demand.intercept + (slope - tier.demand.price_coefficient) * tier.current_price;
      const market_size = tier.demand.market_size * demand;
      return {
        ...tier,
        unit_cost,
        demand: { ...tier.demand, market_size, price_coefficient: slope, intercept },
      };
    }
    const reference_quantity = tier.demand.reference_quantity * demand;
    return { ...tier, unit_cost, demand: { ...tier.demand, reference_quantity, elasticity: drawn } };
  });
  return { ...problem, tiers };
}

test("logit scenarios have the optimum that the optimizer finds for them", () => {
  const arbitrary = fc.record({
    specs: fc.array(spec, { minLength: 2, maxLength: 4 }),
    slope: between(0.03, 0.2),
    intercept: between(-1, 4),
    cost: between(0.8, 1.2),
    settings: settingsArbitrary,
  });
  fc.assert(
    fc.property(arbitrary, ({ specs, slope, intercept, cost, settings }) => {
      const item = itemOf(specs, (_, price) => ({
        model: "logit",
        market_size: 500,
        intercept: intercept + 0.6 * slope * price,
        price_coefficient: slope,
      }));
      const { problem, ranges, solver } = prepared(item, settings);
      const scenario = { elasticities: specs.map(({ draw }) => -draw), cost, demand: 1.1 };
      const found = solver.solve(scenario);
      const expected = solveLogit(inScenario(problem, scenario), ranges);
      expect((found?.objective ?? 0) / expected.objective).toBeCloseTo(1, 8);
      expected.prices.forEach((price, i) => {
        expect((found?.prices[i] ?? 0) / price).toBeCloseTo(1, 4);
      });
    }),
    { numRuns: 400, seed: 5 },
  );
});

test("in scenarios with cross-price effects no small move that keeps the rules gains anything", () => {
  const arbitrary = fc.record({
    specs: fc.array(spec, { minLength: 2, maxLength: 4 }),
    elasticities: fc.array(between(-5, -1.8), { minLength: 4, maxLength: 4 }),
    cross: fc.array(between(-0.1, 0.5), { minLength: 16, maxLength: 16 }),
    cost: between(0.8, 1.2),
    settings: settingsArbitrary,
    moves: fc.array(fc.array(between(-1, 1), { minLength: 4, maxLength: 4 }), {
      minLength: 60,
      maxLength: 60,
    }),
  });
  fc.assert(
    fc.property(arbitrary, ({ specs, elasticities, cross, cost, settings, moves }) => {
      const names = NAMES.slice(0, specs.length);
      const item = itemOf(specs, (i, price) => ({
        model: "constant_elasticity",
        reference_price: price,
        reference_quantity: 100,
        elasticity: at(elasticities, i),
        cross: Object.fromEntries(
          names.flatMap((name, j) => (j === i ? [] : [[name, at(cross, 4 * i + j)] as const])),
        ),
      }));
      const { problem, ranges, solver } = prepared(item, settings);
      const drawn = specs.map(({ draw }, i) => Math.min(-1.1, at(elasticities, i) * draw));
      const scenario = { elasticities: drawn, cost, demand: 0.9 };
      const found = solver.solve(scenario);
      if (found === undefined) throw new Error("not solved");
      const stated = inScenario(problem, scenario);
      const prices = Array.from(found.prices);
      expect(breaks(stated, ranges, prices, 1e-8)).toBe(false);
      expect(objectiveAt(stated, prices) / found.objective).toBeCloseTo(1, 9);
      for (const move of moves) {
        // Tiers move by the same share, or by shares of their own; small enough for a local maximum.
        for (const size of [1e-2, 1e-3]) {
          const near = prices.map((price, i) => price * (1 + size * at(move, i % 2 === 0 ? i : 0)));
          const kept = near.map((price, i) =>
            Math.min(Math.max(price, at(ranges.low, i)), at(ranges.high, i)),
          );
          for (let i = 1; i < kept.length; i++) {
            const link = stated.links[i - 1];
            if (link) kept[i] = Math.min(at(kept, i), down(link, at(kept, i - 1)));
          }
          if (breaks(stated, ranges, kept, 1e-12)) continue;
          expect(objectiveAt(stated, kept)).toBeLessThanOrEqual(
            found.objective + 1e-7 * Math.abs(found.objective),
          );
        }
      }
    }),
    { numRuns: 300, seed: 6 },
  );
});

function breaks(
  problem: Problem,
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
  prices: readonly number[],
  slack: number,
): boolean {
  return prices.some((price, i) => {
    if (price < at(low, i) * (1 - slack) || price > at(high, i) * (1 + slack)) return true;
    const link = problem.links[i - 1];
    return link !== undefined && price > down(link, at(prices, i - 1)) * (1 + slack);
  });
}
