import { describe, expect, test } from "@jest/globals";
import { normalCdf, normalQuantile } from "./normal.ts";
import { bandOf, quantile } from "./quantiles.ts";
import { makeRng } from "./rng.ts";
import { studentTCdf, studentTQuantile } from "./student-t.ts";

describe("the normal distribution", () => {
  test.each([
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.95, 1.6448536269514722],
    [0.9999, 3.719016485455709],
    [1e-10, -6.361340902404056],
  ])("its %d-quantile", (p, x) => {
    expect(normalQuantile(p)).toBeCloseTo(x, 13);
    expect(normalCdf(x)).toBeCloseTo(p, 14);
  });

  test("the quantile function inverts the distribution function", () => {
    for (let p = 1e-12; p < 1; p += 0.0173) expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 11);
  });
});

describe("Student's t", () => {
  test.each([
    [1, 12.706204736174698],
    [2, 4.302652729749462],
    [10, 2.2281388519862735],
    [28, 2.0484071418],
    [1e6, 1.9599663568],
  ])("its 97.5%% quantile at %d degrees of freedom", (df, x) => {
    expect(studentTQuantile(0.975, df)).toBeCloseTo(x, 9);
    expect(studentTQuantile(0.025, df)).toBeCloseTo(-x, 9);
    expect(studentTCdf(x, df)).toBeCloseTo(0.975, 10);
  });
});

describe("quantiles of a sample", () => {
  test("interpolate between order statistics", () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4], 0)).toBe(1);
    expect(quantile([1, 2, 3, 4], 1)).toBe(4);
    expect(bandOf(Float64Array.from([3, 1, 2]))).toEqual({ p5: 1.1, p50: 2, p95: 2.9 });
    expect(bandOf(new Float64Array())).toBeUndefined();
  });

  test("a band needs no sort, and has the quantiles of the sorted values: with ties, infinities, any size", () => {
    const next = makeRng(3, "band");
    for (let size = 1; size < 400; size += 1 + (size >> 3)) {
      const coarse = next() < 0.5;
      const values = Float64Array.from({ length: size }, () => {
        const value = next();
        if (value > 0.97) return Number.POSITIVE_INFINITY;
        return coarse ? Math.round(10 * value) : value;
      });
      const sorted = values.toSorted();
      expect(bandOf(values)).toEqual({
        p5: quantile(sorted, 0.05),
        p50: quantile(sorted, 0.5),
        p95: quantile(sorted, 0.95),
      });
      expect(values.toSorted()).toEqual(sorted);
    }
  });
});

describe("random numbers", () => {
  test("are the same for the same seed and name, and different for another seed or name", () => {
    const take = (seed: number, name: string) => {
      const next = makeRng(seed, name);
      return [next(), next(), next()];
    };
    expect(take(1, "a")).toEqual(take(1, "a"));
    const streams = [take(1, "a"), take(1, "b"), take(2, "a"), take(2 ** 40 + 1, "a")].map(String);
    expect(new Set(streams).size).toBe(4);
  });

  test("are uniform: mean, variance, serial correlation and deciles of 200,000", () => {
    const next = makeRng(7, "uniform");
    const n = 200_000;
    let [sum, squares, products, last] = [0, 0, 0, 0.5];
    const deciles = new Array<number>(10).fill(0);
    for (let i = 0; i < n; i++) {
      const u = next();
      sum += u;
      squares += u * u;
      products += (u - 0.5) * (last - 0.5);
      last = u;
      deciles[Math.floor(u * 10)] = (deciles[Math.floor(u * 10)] ?? 0) + 1;
    }
    expect(Math.abs(sum / n - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / n));
    expect(Math.abs(squares / n - 1 / 3)).toBeLessThan(4 * Math.sqrt(4 / 45 / n));
    expect(Math.abs(products / n)).toBeLessThan(4 / 12 / Math.sqrt(n));
    const chiSquared = deciles.reduce((total, count) => total + (count - n / 10) ** 2 / (n / 10), 0);
    expect(chiSquared).toBeLessThan(27.9);
  });
});
