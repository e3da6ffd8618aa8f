import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { gapHolds, orderHolds } from "./compare.ts";
import { gridOf, gridPriceAt } from "./grid.ts";
import { type RepairProblem, repairPrices } from "./price-repair.ts";

function problem(prices: number[], gap: number, extra: Partial<RepairProblem> = {}): RepairProblem {
  return {
    prices,
    weights: prices.map(() => 1),
    gaps: prices.slice(1).map(() => gap),
    low: prices.map(() => 0),
    high: prices.map(() => Number.POSITIVE_INFINITY),
    increment: 0.01,
    ...extra,
  };
}

function pricesOf(given: RepairProblem) {
  const repair = repairPrices(given);
  if (!repair.ok) throw new Error("no repair");
  return repair.prices;
}

describe("the nearest prices that satisfy every rule", () => {
  test("are the unchanged prices if those satisfy the rules, even off the grid", () => {
    expect(pricesOf(problem([100.003, 97.002, 90], 0.03))).toEqual([100.003, 97.002, 90]);
  });

  test("split the change equally in logs: 100 and 110 become √(100·110/0.97) and 0.97 of that", () => {
    const ideal = Math.sqrt((100 * 110) / 0.97);
    const [higher, lower] = pricesOf(problem([100, 110], 0.03));
    // On the grid, a pair slightly farther away that meets the gap
    // exactly has less loss than the two nearest cents.
    expect(Math.abs((higher ?? 0) - ideal)).toBeLessThan(0.2);
    expect(lower).toBeCloseTo((higher ?? 0) * 0.97, 2);
    const exact = pricesOf(problem([100, 110], 0.03, { increment: 0 }));
    expect(exact[0]).toBeCloseTo(ideal, 9);
    expect(exact[1]).toBeCloseTo(ideal * 0.97, 9);
  });

  test("change tiers of small weight more than those of large weight, and fixed tiers not at all", () => {
    const [heavy] = pricesOf(problem([100, 110], 0, { weights: [1000, 1] }));
    expect(heavy).toBeCloseTo(100, 0);
    expect(pricesOf(problem([100, 110], 0.03, { low: [100, 0], high: [100, 999] }))).toEqual([100, 97]);
  });

  test("are one increment apart without a gap, and may be equal without an increment", () => {
    expect(pricesOf(problem([100, 100], 0))).toEqual([100.01, 100]);
    expect(pricesOf(problem([100, 100], 0, { increment: 0 }))).toEqual([100, 100]);
    expect(pricesOf(problem([3, 3, 3], 0, { increment: 5 }))).toEqual([15, 10, 3]);
  });

  test("do not exist if the limits contradict the ordering, on the grid or off it", () => {
    expect(repairPrices(problem([100, 90], 0.03, { high: [95, 99], low: [0, 94] }))).toEqual({
      ok: false,
      lowerOf: 1,
      upperOf: 0,
      onGrid: false,
    });
    expect(repairPrices(problem([10], 0, { low: [10.002], high: [10.008] }))).toMatchObject({
      ok: false,
      onGrid: true,
    });
    expect(repairPrices(problem([1e15, 1e15], 0.03))).toMatchObject({ ok: false, onGrid: true });
  });

  const tier = fc.record({
    price: fc.integer({ min: 1, max: 120 }),
    weight: fc.constantFrom(1, 1, 1, 2, 10),
    low: fc.option(fc.integer({ min: 1, max: 60 }), { nil: 0 }),
    high: fc.option(fc.integer({ min: 40, max: 120 }), { nil: 999 }),
    gap: fc.constantFrom(0, 0, 0.02, 0.05, 0.3),
  });

  test("are the best combination of grid prices and unchanged prices, as by brute force", () => {
    fc.assert(
      fc.property(
        fc.array(tier, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(5, 4, 10),
        (tiers, increment) => {
          const given = problem(
            tiers.map((t) => t.price),
            0,
            {
              weights: tiers.map((t) => t.weight),
              gaps: tiers.slice(1).map((t) => t.gap),
              low: tiers.map((t) => Math.min(t.low, t.high)),
              high: tiers.map((t) => Math.max(t.low, t.high)),
              increment,
            },
          );
          const repair = repairPrices(given);
          const best = bruteForce(given, 300);
          expect(repair.ok).toBe(best !== undefined);
          if (!repair.ok || best === undefined) return;
          expect(lawful(given, repair.prices)).toBe(true);
          expect(repair.cost).toBeLessThanOrEqual(best + 1e-12);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("satisfy every rule for any prices, gaps, limits and increments", () => {
    const wild = fc.record({
      price: fc.double({ min: 0.001, max: 100_000, noNaN: true }),
      weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
      low: fc.option(fc.double({ min: 0.001, max: 1000, noNaN: true }), { nil: 0 }),
      room: fc.option(fc.double({ min: 0, max: 1000, noNaN: true }), { nil: Number.POSITIVE_INFINITY }),
      gap: fc.constantFrom(0, 0.02, 0.03, 0.04, 0.05, 0.125, 0.5),
    });
    fc.assert(
      fc.property(
        fc.array(wild, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, 0.01, 0.05, 0.5, 1, 7),
        (tiers, increment) => {
          const given = problem(
            tiers.map((t) => t.price),
            0,
            {
              weights: tiers.map((t) => t.weight),
              gaps: tiers.slice(1).map((t) => t.gap),
              low: tiers.map((t) => t.low),
              high: tiers.map((t) => t.low + t.room),
              increment,
            },
          );
          const repair = repairPrices(given);
          if (repair.ok) expect(lawful(given, repair.prices)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function lawful({ gaps, low, high, increment }: RepairProblem, prices: readonly number[]): boolean {
  return prices.every((price, i) => {
    const lower = prices[i + 1];
    const slack = 1e-12 * price;
    return (
      price > 0 &&
      price >= (low[i] ?? 0) - slack &&
      price <= (high[i] ?? 0) + slack &&
      (lower === undefined || (orderHolds(price, lower, increment) && gapHolds(price, lower, gaps[i] ?? 0)))
    );
  });
}

function bruteForce(given: RepairProblem, top: number): number | undefined {
  let best: number | undefined;
  const visit = (chosen: number[], cost: number) => {
    const i = chosen.length;
    const start = given.prices[i];
    if (start === undefined) {
      best = Math.min(best ?? Number.POSITIVE_INFINITY, cost);
      return;
    }
    const options = new Set([start]);
    for (let k = 1; k * given.increment <= top; k++) options.add(gridPriceAt(gridOf(given.increment), k));
    for (const price of options) {
      const next = [...chosen, price];
      if (lawfulSoFar(given, next))
        visit(next, cost + (given.weights[i] ?? 0) * Math.log(price / start) ** 2);
    }
  };
  visit([], 0);
  return best;
}

function lawfulSoFar(given: RepairProblem, prices: readonly number[]): boolean {
  return lawful({ ...given, gaps: given.gaps.slice(0, prices.length - 1) }, prices);
}
