import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { leastSquares, makeRng, quantile, tCdf, tQuantile } from "./index.ts";

describe("least squares", () => {
  test("recovers the coefficients of data without noise", () => {
    const columns = [
      [1, 1, 1, 1, 1],
      [0, 1, 2, 3, 4],
      [1, 0, 0, 1, 0],
    ].map((one) => Float64Array.from(one));
    const y = Float64Array.from({ length: 5 }, (_, i) => 3 - 2 * i + 5 * (columns[2]?.[i] ?? 0));
    leastSquares(columns, y).forEach((value, i) => {
      expect(value).toBeCloseTo([3, -2, 5][i] ?? 0, 9);
    });
  });

  test("gives a column that others make up 0", () => {
    const column = Float64Array.of(1, 2, 3);
    expect(leastSquares([column, column.map((x) => 2 * x), new Float64Array(3)], column)).toEqual([1, 0, 0]);
  });

  test("leaves residuals at right angles to every column", () => {
    const numbers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(numbers, numbers, numbers, (a, b, y) => {
        const columns = [Float64Array.from(a), Float64Array.from(b)];
        const [p = 0, q = 0] = leastSquares(columns, Float64Array.from(y));
        const rest = y.map((value, i) => value - p * (a[i] ?? 0) - q * (b[i] ?? 0));
        for (const column of columns)
          expect(column.reduce((sum, x, i) => sum + x * (rest[i] ?? 0), 0)).toBeCloseTo(0, 6);
      }),
    );
  });
});

test.each([
  [0.95, 1, 12.7062],
  [0.95, 2, 4.3027],
  [0.8, 4, 1.5332],
  [0.95, 5, 2.5706],
  [0.95, 30, 2.0423],
  [0.8, 1000, 1.2824],
])("Student's t: the %p interval with %p degrees of freedom is ±%p", (level, df, t) => {
  expect(tQuantile(level, df)).toBeCloseTo(t, 3);
});

test("the t interval narrows with every degree of freedom, whole or not", () => {
  const widths = [1, 1.3, 2, 2.5, 7, 60].map((df) => tQuantile(0.95, df));
  expect(widths).toEqual(widths.toSorted((a, b) => b - a));
});

test.each([
  [0, 3, 0.5],
  [1, 1, 0.75],
  [-4.3027, 2, 0.025],
  [2.0003, 60, 0.975],
])("P(T ≤ %p) with %p degrees of freedom is %p", (x, df, p) => {
  expect(tCdf(x, df)).toBeCloseTo(p, 5);
});

test("quantiles interpolate between order statistics", () => {
  expect([0, 0.25, 0.5, 1].map((p) => quantile([1, 2, 4], p))).toEqual([1, 1.5, 2, 4]);
});

test("random numbers are uniform, equal under one seed and unrelated under the next", () => {
  const drawn = (seed: number) => {
    const random = makeRng(seed);
    return Array.from({ length: 4000 }, random);
  };
  const [a, b] = [drawn(1), drawn(2)];
  expect(drawn(1)).toEqual(a);
  expect(Math.min(...a)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...a)).toBeLessThan(1);
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  // Five standard errors.
  expect(Math.abs(mean(a) - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / 4000));
  expect(Math.abs(mean(a.map((x, i) => (x - 0.5) * ((b[i] ?? 0) - 0.5))))).toBeLessThan(
    5 / 12 / Math.sqrt(4000),
  );
});
