import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dailyPoints, dayText, growing, normal, structural } from "../../test/families.ts";
import { makeRng } from "../stats/index.ts";
import {
  type Component,
  type CostPoint,
  ForecastError,
  type ForecastRequest,
  forecastSpend,
} from "./index.ts";

function usage(costs: readonly number[], more: Partial<Component> = {}): Component {
  return { name: "usage", kind: "usage", points: dailyPoints(costs), ...more };
}

function daily(components: readonly Component[], more: Partial<ForecastRequest> = {}) {
  return forecastSpend({ grain: "day", components, horizon: 14, ...more });
}

function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof ForecastError) return { code: error.code, details: error.details };
  }
  return undefined;
}

const steady = Array.from({ length: 120 }, (_, i) => 100 + ((i * 7919) % 13));
const wandering = structural(150, makeRng(3));

describe("the method", () => {
  test("is the one with the least error, named with it and with those that it was compared with", () => {
    const { components, accuracy } = daily([usage(wandering)]);
    const [component] = components;
    expect(component?.compared.map(({ method }) => method).sort()).toEqual([
      "damped_holt_winters",
      "fourier_regression",
      "log_fourier_regression",
      "naive",
      "seasonal_naive",
    ]);
    const errors = component?.compared.map(({ mae }) => mae) ?? [];
    expect(errors).toEqual(errors.toSorted((a, b) => a - b));
    expect(component).toMatchObject({
      method: component?.compared[0]?.method,
      mase: component?.compared[0]?.mase,
    });
    expect(component?.mase).toBeLessThan(1);
    expect(accuracy).toMatchObject({ origins: 60, tested_horizon: 14 });
    expect(accuracy.coverage.p95).toBeGreaterThan(0.5);
  });

  test("may be one that the caller brings", () => {
    const oracle = {
      name: "oracle",
      least: () => 1,
      forecast: (_: object, h: number) => new Float64Array(h).fill(7),
    };
    const { components, points } = forecastSpend(
      { grain: "day", components: [usage(new Array(40).fill(7))], horizon: 3 },
      [oracle],
    );
    expect(components[0]).toMatchObject({ method: "oracle", mase: 0 });
    expect(points.map(({ cost, p95 }) => [cost, ...p95])).toEqual([
      [7, 7, 7],
      [7, 7, 7],
      [7, 7, 7],
    ]);
  });

  test("knows nothing of what came after an origin", () => {
    // A method that sees the future would be told by its history's length.
    const lengths = new Set<number>();
    const spy = {
      name: "spy",
      least: () => 1,
      forecast: ({ values }: { values: Float64Array }, h: number) => {
        lengths.add(values.length);
        expect(Math.max(...values)).toBe(values.length - 1);
        return new Float64Array(h);
      },
    };
    forecastSpend(
      { grain: "day", components: [usage(Array.from({ length: 40 }, (_, i) => i))], horizon: 5 },
      [spy],
    );
    expect(Math.min(...lengths)).toBe(20);
  });
});

describe("the answer", () => {
  test("does not depend on the order of the points", () => {
    const expected = daily([usage(steady)]);
    fc.assert(
      fc.property(fc.shuffledSubarray(dailyPoints(steady), { minLength: 120, maxLength: 120 }), (points) => {
        expect(daily([usage(steady, { points })])).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });

  test("scales with the currency", () => {
    const costs = growing(100, makeRng(9));
    const [one, thousand] = [daily([usage(costs)]), daily([usage(costs.map((cost) => 1000 * cost))])];
    expect(thousand.components[0]?.mase).toBeCloseTo(one.components[0]?.mase ?? 0, 6);
    one.points.forEach(({ cost, p80, p95 }, h) => {
      const other = thousand.points[h];
      expect((other?.cost ?? 0) / cost).toBeCloseTo(1000, 4);
      expect((other?.p80[1] ?? 0) / p80[1]).toBeCloseTo(1000, 4);
      expect((other?.p95[0] ?? 0) / p95[0]).toBeCloseTo(1000, 4);
    });
  });

  test("has bands that contain each other and never narrow", () => {
    const { points } = daily([usage(wandering)], { horizon: 60 });
    points.forEach(({ cost, p80, p95 }, h) => {
      expect([p95[0], p80[0], cost, p80[1], p95[1]]).toEqual(
        [p95[0], p80[0], cost, p80[1], p95[1]].toSorted((a, b) => a - b),
      );
      const before = points[h - 1];
      if (before) expect(p95[1] - cost).toBeGreaterThanOrEqual(before.p95[1] - before.cost - 1e-9);
    });
  });
});

describe("days without a value", () => {
  const points = dailyPoints(steady).filter((_, i) => i !== 50 && i !== 51 && i !== 117);

  test("are named, and are not taken for 0", () => {
    const whole = daily([usage(steady)]);
    const { components, points: ahead, warnings } = daily([usage(steady, { points })]);
    expect(components[0]?.gaps).toEqual([
      { from: dayText(50), to: dayText(51), periods: 2 },
      { from: dayText(117), to: dayText(117), periods: 1 },
    ]);
    expect(warnings).toContain("MISSING_PERIODS");
    ahead.forEach(({ cost }, h) => {
      expect(Math.abs(cost - (whole.points[h]?.cost ?? 0))).toBeLessThan(13);
    });
  });

  test("count by an estimate in the total of their month", () => {
    // The last known day is 28 April; the eleventh has no value.
    const known = dailyPoints(steady.slice(0, 118)).filter((_, i) => i !== 100);
    const [april] = daily([usage(steady, { points: known })]).totals;
    expect(april).toMatchObject({ period: "2025-04", estimated_periods: 1 });
    expect(april?.actual).toBeGreaterThan(28 * 100);
    expect(april?.actual).toBeLessThan(28 * 113);
  });
});

describe("known changes", () => {
  const grown = Array.from({ length: 120 }, (_, i) => 100 + ((i * 7919) % 13) + (i < 80 ? 0 : 60));

  test("of the past are estimated from what followed", () => {
    const change = { name: "migration", from: dayText(80) };
    const { points, components } = daily([usage(grown, { changes: [change] })]);
    expect(components[0]?.changes_not_applied).toEqual([]);
    for (const { cost } of points) expect(Math.abs(cost - 166)).toBeLessThan(12);
  });

  test("of the future are added with the effect that is given", () => {
    const from = dayText(125);
    const plain = daily([usage(steady)]);
    const { points } = daily([usage(steady, { changes: [{ name: "launch", from, effect: 40 }] })]);
    points.forEach(({ cost, period }, h) => {
      expect(cost - (plain.points[h]?.cost ?? 0)).toBeCloseTo(period < from ? 0 : 40, 6);
    });
  });

  test("of the past with an effect do not look like a trend", () => {
    const change = { name: "migration", from: dayText(117), effect: 500 };
    const costs = steady.map((cost, i) => (i < 117 ? cost : cost + 500));
    const { points } = daily([usage(costs, { changes: [change] })]);
    for (const { cost } of points) expect(Math.abs(cost - 606)).toBeLessThan(12);
  });

  test("that nothing is known of are named as not applied", () => {
    const changes = [
      { name: "launch", from: dayText(125) },
      { name: "price", from: dayText(118) },
    ];
    const { components, warnings } = daily([usage(steady, { changes })]);
    expect(components[0]?.changes_not_applied).toEqual(["launch", "price"]);
    expect(warnings).toContain("CHANGES_NOT_APPLIED");
  });
});

describe("commitments and credits", () => {
  test("are forecast by themselves and add up to the total", () => {
    const fee = Array.from({ length: 120 }, () => 25);
    const { points, components } = daily([
      usage(wandering.slice(0, 120)),
      { name: "plan", kind: "commitment", points: dailyPoints(fee) },
      { name: "credit", kind: "credit", points: dailyPoints(fee.map((x) => -x)) },
    ]);
    expect(components.map(({ kind, costs }) => [kind, costs[0]]).slice(1)).toEqual([
      ["commitment", 25],
      ["credit", -25],
    ]);
    points.forEach(({ cost }, h) => {
      expect(cost).toBeCloseTo(components[0]?.costs[h] ?? 0, 9);
    });
  });

  test("a commitment ends when its contract does", () => {
    const schedule = [{ from: dayText(0), to: dayText(122), cost: 25 }];
    const plan: Component = { name: "plan", kind: "commitment", points: dailyPoints([25]), schedule };
    const { components } = daily([usage(steady), plan], { horizon: 5 });
    expect(components[1]).toMatchObject({ method: "schedule", costs: [25, 25, 25, 0, 0] });
  });

  test("a credit ends with its balance, or with its last day, and is never a charge", () => {
    const credit = (more: Partial<Component>): Component => ({
      ...{ name: "credit", kind: "credit", points: dailyPoints(new Array(120).fill(-10)) },
      ...more,
    });
    const costs = (more: Partial<Component>) =>
      daily([usage(steady), credit(more)], { horizon: 5 }).components[1]?.costs;
    expect(costs({ balance: 25 })).toEqual([-10, -10, -5, 0, 0]);
    expect(costs({ until: dayText(121) })).toEqual([-10, -10, 0, 0, 0]);
    expect(costs({})).toEqual([-10, -10, -10, -10, -10]);
  });

  test("a day without a credit had none", () => {
    const points = dailyPoints(new Array(120).fill(-10)).filter((_, i) => i % 2 === 1);
    const { components } = daily([usage(steady), { name: "credit", kind: "credit", points }]);
    expect(components[1]?.gaps).toEqual([]);
    expect(components[1]?.costs.every((cost) => cost <= 0 && cost >= -10)).toBe(true);
  });
});

describe("budgets", () => {
  // 120 days from 1 January: the last is 30 April. The next month is May, the quarter ends with June.
  const at = (period: string, amount: number) =>
    daily([usage(wandering.slice(0, 120))], { budgets: [{ period, amount }] });
  const totalOf = (answer: ReturnType<typeof daily>, period: string) =>
    answer.totals.find((one) => one.period === period);

  test("reach to the end of their month or quarter", () => {
    const answer = at("2025-Q2", 1);
    expect(answer.points.at(-1)?.period).toBe("2025-06-30");
    expect(answer.totals.map(({ period }) => period)).toEqual(["2025-05", "2025-06", "2025-Q2"]);
    const quarter = totalOf(answer, "2025-Q2");
    const april = wandering.slice(90, 120).reduce((sum, cost) => sum + cost, 0);
    expect(quarter?.actual).toBeCloseTo(april, 6);
    expect(quarter?.expected).toBeCloseTo(april + answer.points.reduce((sum, { cost }) => sum + cost, 0), 6);
  });

  test("are less likely exceeded the larger they are", () => {
    const expected = totalOf(at("2025-05", 1), "2025-05")?.expected ?? 0;
    const chances = [0.7, 0.95, 1, 1.05, 1.3].map(
      (share) => totalOf(at("2025-05", share * expected), "2025-05")?.chance_exceeded ?? Number.NaN,
    );
    expect(chances).toEqual(chances.toSorted((a, b) => b - a));
    expect(chances[0]).toBeGreaterThan(0.9);
    expect(chances[4]).toBeLessThan(0.1);
  });

  test("that are spent already are exceeded for certain", () => {
    const answer = at("2025-Q2", 1000);
    expect(totalOf(answer, "2025-Q2")?.chance_exceeded).toBe(1);
    expect(totalOf(at("2025-Q1", 1), "2025-Q1")).toMatchObject({ chance_exceeded: 1, budget: 1 });
    expect(totalOf(at("2025-Q1", 1e9), "2025-Q1")?.chance_exceeded).toBe(0);
  });

  test.each(["2024-Q4", "2025-13", "May"])(
    "for %p are refused: the data do not have its beginning",
    (period) => {
      expect(refusal(() => at(period, 1))).toEqual({ code: "INVALID_BUDGET", details: { period } });
    },
  );
});

describe("months", () => {
  const random = makeRng(4);
  const cost = (i: number) => 1000 + 20 * i + 200 * Math.sin((2 * Math.PI * i) / 12);
  const points = (count: number): CostPoint[] =>
    Array.from({ length: count }, (_, i) => ({
      period: `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, "0")}`,
      cost: cost(i) + 10 * normal(random),
    }));
  const monthly = (count: number, horizon: number) =>
    forecastSpend({
      grain: "month",
      components: [{ name: "all", kind: "usage", points: points(count) }],
      horizon,
    });

  test("of four years show their season and their trend", () => {
    monthly(48, 12).points.forEach((point, h) => {
      expect(Math.abs(point.cost - cost(48 + h))).toBeLessThan(60);
    });
  });

  test("of half a year have a forecast that says how little it rests on", () => {
    const few = monthly(7, 3);
    expect(few.warnings).toEqual(["SHORT_HISTORY", "BEYOND_TESTED_HORIZON"]);
    expect(few.accuracy).toMatchObject({ origins: 4, tested_horizon: 2, coverage: { p80: null, p95: null } });
    const width = ({ points: [first] }: typeof few) => (first ? first.p95[1] - first.cost : 0);
    expect(width(few)).toBeGreaterThan(2 * width(monthly(48, 3)));
  });
});

describe("it refuses", () => {
  test.each<[string, string, () => unknown]>([
    ["thirteen days", "SERIES_TOO_SHORT", () => daily([usage(steady.slice(0, 13))], { horizon: 2 })],
    [
      "days that were hardly observed",
      "SERIES_TOO_SHORT",
      () => daily([usage(steady, { points: dailyPoints(steady).filter((_, i) => i % 12 === 0) })]),
    ],
    [
      "more days ahead than there are behind",
      "HORIZON_TOO_LONG",
      () => daily([usage(steady)], { horizon: 121 }),
    ],
    ["no days ahead", "HORIZON_TOO_LONG", () => daily([usage(steady)], { horizon: 0 })],
    [
      "a day twice",
      "INVALID_SERIES",
      () => daily([usage(steady, { points: [...dailyPoints(steady), { period: dayText(0), cost: 1 }] })]),
    ],
    ["a cost that is no number", "INVALID_SERIES", () => daily([usage([...steady, Number.NaN])])],
    ["nothing", "INVALID_SERIES", () => daily([])],
    [
      "a change on no day",
      "INVALID_CHANGE",
      () => daily([usage(steady, { changes: [{ name: "x", from: "soon" }] })]),
    ],
  ])("%s, as %s", (_, code, run) => {
    expect(refusal(run)?.code).toBe(code);
  });
});
