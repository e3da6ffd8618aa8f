import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { gapHolds, orderHolds } from "./compare.ts";
import type { Gap, MinGap } from "./gap.ts";
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
    gap: fc.constantFrom<MinGap>(0, 0, 0.02, 0.05, 0.3, { amount: 7 }, { share: 0.1, amount: 12 }),
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
      gap: fc.constantFrom<MinGap>(
        0,
        0.02,
        0.03,
        0.04,
        0.05,
        0.125,
        0.5,
        { amount: 3.5 },
        { share: 0.03, amount: 40 },
      ),
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

describe("gaps in money", () => {
  test("100 and 98 with a gap of 10: both move, the derivatives of both losses by the common move cancel", () => {
    const [higher = 0, lower = 0] = pricesOf(problem([100, 98], 0, { gaps: [{ amount: 10 }], increment: 0 }));
    expect(higher - lower).toBeCloseTo(10, 9);
    expect(Math.log(higher / 100) / higher + Math.log(lower / 98) / lower).toBeCloseTo(0, 12);
  });

  test("without an amount the repair is that of the share alone", () => {
    const prices = [100, 104, 99, 101];
    const plain = pricesOf(problem(prices, 0.03));
    expect(pricesOf(problem(prices, 0, { gaps: prices.slice(1).map(() => ({ share: 0.03 })) }))).toEqual(
      plain,
    );
    const tiny = prices.slice(1).map(() => ({ share: 0.03, amount: 1e-9 }));
    expect(pricesOf(problem(prices, 0, { gaps: tiny }))).toEqual(plain);
  });

  const tier = fc.record({
    price: fc.double({ min: 20, max: 200, noNaN: true }),
    weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
    low: fc.option(fc.double({ min: 10, max: 80, noNaN: true }), { nil: 0 }),
    room: fc.option(fc.double({ min: 1, max: 150, noNaN: true }), { nil: Number.POSITIVE_INFINITY }),
    gap: fc.record({
      share: fc.constantFrom(0, 0.02, 0.1, 0.3),
      amount: fc.constantFrom(0, 0.5, 4, 20),
    }),
  });

  test("the unrounded repair meets the conditions of Karush, Kuhn and Tucker, for up to eight tiers", () => {
    let solved = 0;
    fc.assert(
      fc.property(fc.array(tier, { minLength: 2, maxLength: 8 }), (tiers) => {
        const gaps = tiers.slice(1).map(({ gap }) => gap);
        const given = problem(
          tiers.map(({ price }) => price),
          0,
          {
            gaps,
            weights: tiers.map(({ weight }) => weight),
            low: tiers.map(({ low }) => low),
            high: tiers.map(({ low, room }) => low + room),
            increment: 0,
          },
        );
        const repair = repairPrices(given);
        if (!repair.ok) {
          expect(chainFits(given, gaps)).toBe(false);
          return;
        }
        solved += 1;
        expect(lawful(given, repair.prices)).toBe(true);
        expect(stationarity(given, gaps, repair.prices)).toBeLessThan(1e-6);
      }),
      { numRuns: 600, seed: 11 },
    );
    expect(solved).toBeGreaterThan(100);
  });
});

/** Whether the lowest prices that keep lower limits and gaps keep the upper limits. */
function chainFits({ low, high }: RepairProblem, gaps: readonly Gap[]): boolean {
  let below = 0;
  for (let i = low.length - 1; i >= 0; i--) {
    const gap = gaps[i];
    const needed = gap === undefined ? 0 : Math.max(below / (1 - gap.share), below + gap.amount);
    below = Math.max(low[i] ?? 0, needed);
    if (below > (high[i] ?? 0) * (1 + 1e-11)) return false;
  }
  return true;
}

/**
 * How far the slopes of the loss are from a combination, with multipliers ≥ 0, of the slopes of the rules that hold
 * with equality, relative to the largest slope. Along the chain the multipliers follow one from the other, from
 * the highest tier down; a tier at a limit takes any excess of that limit's sign, so each multiplier is an interval.
 */
function stationarity(
  { prices: start, weights, low, high }: RepairProblem,
  gaps: readonly Gap[],
  prices: readonly number[],
): number {
  const slopes = prices.map(
    (price, i) => (2 * (weights[i] ?? 1) * Math.log(price / (start[i] ?? price))) / price,
  );
  const scale = Math.max(...slopes.map(Math.abs), 1e-9);
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
  // The multiplier of the link above the tier, as an interval; both ends 0 without one.
  let above = { least: 0, most: 0 };
  let worst = 0;
  prices.forEach((price, i) => {
    // loss slope + multiplier above − rate·multiplier below + upper − lower = 0, all multipliers ≥ 0.
    const atHigh = near(price, high[i] ?? Number.POSITIVE_INFINITY);
    const atLow = (low[i] ?? 0) > 0 && near(price, low[i] ?? 0);
    const least = (slopes[i] ?? 0) + above.least - (atLow ? 1e9 : 0);
    const most = (slopes[i] ?? 0) + above.most + (atHigh ? 1e9 : 0);
    const next = prices[i + 1];
    const { share, amount } = gaps[i] ?? { share: 0, amount: 0 };
    const byShare = next !== undefined && near(next, price * (1 - share));
    const byAmount = next !== undefined && near(next, price - amount);
    // Where both parts of a gap hold, the rate is anything between theirs.
    const rates = [...(byShare ? [1 - share] : []), ...(byAmount ? [1] : [])];
    if (rates.length === 0) {
      worst = Math.max(worst, least / scale, -most / scale);
      above = { least: 0, most: 0 };
      return;
    }
    worst = Math.max(worst, -most / scale);
    above = {
      least: Math.max(0, least) / Math.max(...rates),
      most: Math.max(0, most) / Math.min(...rates),
    };
  });
  return worst;
}

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
