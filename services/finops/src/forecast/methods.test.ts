import { describe, expect, test } from "@jest/globals";
import { periodOf } from "./calendar.ts";
import { METHODS } from "./methods.ts";
import type { History } from "./series.ts";

const NAMES = METHODS.map(({ name }) => name);

function history(values: readonly number[], more: Partial<History> = {}): History {
  const start = periodOf("2025-01-01", "day") ?? 0;
  return { grain: "day", start, values: Float64Array.from(values), steps: [], ...more };
}

function by(name: string, given: History, horizon: number) {
  const method = METHODS.find((one) => one.name === name);
  return [...(method?.forecast(given, horizon) ?? [])];
}

function close(actual: readonly number[], expected: readonly number[], digits: number) {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i] ?? Number.NaN, digits);
  });
}

test("the naive method repeats the last value that was observed", () => {
  expect(by("naive", history([1, 2, Number.NaN]), 2)).toEqual([2, 2]);
});

test("the seasonal naive method repeats the last week, and the one before where a day is missing", () => {
  const values = [1, 2, 3, 4, 5, 6, 7, 10, 20, 30, Number.NaN, 50, 60, 70];
  expect(by("seasonal_naive", history(values), 8)).toEqual([10, 20, 30, 4, 50, 60, 70, 10]);
});

describe("Holt-Winters", () => {
  test("goes on with a level and a week that never change", () => {
    const week = [100, 110, 120, 130, 120, 60, 50];
    const values = Array.from({ length: 35 }, (_, i) => week[i % 7] ?? 0);
    close(by("damped_holt_winters", history(values), 7), week, 6);
  });

  test("follows a new level, and damps the trend on the way there", () => {
    const values = Array.from({ length: 60 }, (_, i) => (i < 40 ? 100 : 200));
    for (const value of by("damped_holt_winters", history(values), 30)) {
      expect(value).toBeGreaterThan(180);
      expect(value).toBeLessThan(220);
    }
  });
});

describe("regression", () => {
  const start = periodOf("2025-01-01", "day") ?? 0;
  const onFirst = (i: number) => new Date((start + i) * 86_400_000).getUTCDate() === 1;
  const cost = (i: number) =>
    100 + 0.5 * i + 10 * Math.sin((2 * Math.PI * i) / 7) + (onFirst(i) ? 400 : 0) + (i >= 90 ? 50 : 0);

  test("finds trend, week, fee on the first of the month and a known step, and carries them on", () => {
    const values = Array.from({ length: 150 }, (_, i) => cost(i));
    const expected = Array.from({ length: 40 }, (_, h) => cost(150 + h));
    close(by("fourier_regression", history(values, { steps: [start + 90] }), 40), expected, 4);
  });

  test("is not moved by days without a value", () => {
    const values = Array.from({ length: 150 }, (_, i) => (i % 11 === 3 ? Number.NaN : cost(i)));
    const expected = Array.from({ length: 10 }, (_, h) => cost(150 + h));
    close(by("fourier_regression", history(values, { steps: [start + 90] }), 10), expected, 4);
  });

  test("lets the last residual decay", () => {
    const values = Array.from({ length: 80 }, (_, i) => 100 + (Math.floor(i / 10) % 2 === 0 ? 5 : -5));
    const [near = 0, ...rest] = by("fourier_regression", history(values), 60).map((value) =>
      Math.abs(value - 100),
    );
    expect(near).toBeGreaterThan(rest.at(-1) ?? 0);
  });
});

test("the regression of logarithms goes on with growth in per cent, and is not for costs of 0", () => {
  const cost = (i: number) => 100 * 1.01 ** i * (i % 7 < 2 ? 0.5 : 1);
  const values = Array.from({ length: 80 }, (_, i) => cost(i));
  const expected = Array.from({ length: 20 }, (_, h) => cost(80 + h));
  close(by("log_fourier_regression", history(values), 20), expected, 4);
  const least = METHODS.find(({ name }) => name === "log_fourier_regression")?.least;
  expect(least?.(history([1, 0, 2]))).toBe(Number.POSITIVE_INFINITY);
});

test.each(NAMES.filter((name) => !name.startsWith("log")))(
  "%s has a finite forecast for any history that has a value",
  (name) => {
    const histories = [
      history([5, 5, 5, 5, 5, 5, 5]),
      history([0, 0, 0, 0, 0, 0, 0, 0]),
      history([Number.NaN, 3, ...new Array(20).fill(Number.NaN)]),
      history([1, 2, 3, 4, 5, 6, 7, 8, 9], { grain: "month", start: 24_300 }),
    ];
    for (const each of histories) {
      const forecast = by(name, each, 30);
      expect(forecast).toHaveLength(30);
      expect(forecast.every(Number.isFinite)).toBe(true);
    }
  },
);
