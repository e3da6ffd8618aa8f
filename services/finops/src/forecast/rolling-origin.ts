import { at } from "../stats/index.ts";
import type { Method } from "./methods.ts";
import { type History, SEASON } from "./series.ts";

/** Errors of forecasts that were made, as if at the time, from ever longer parts of a history. */
export type Backtest = {
  /** Actual minus forecast, by origin and then by how far ahead, from 1; NaN where nothing was observed. */
  readonly errors: readonly Float64Array[];
  /** Mean over all of them of the absolute error; NaN without any. */
  readonly mae: number;
};

/**
 * Forecasts from each origin by each method (rolling forecasting origin; Tashman 2000), which sees nothing after it.
 * Yields after each origin, so that a caller can pause. The result has one back-test per method.
 * @param origins periods, each the first that is forecast
 */
export function* rollingOrigin(
  history: History,
  methods: readonly Method[],
  origins: readonly number[],
  horizon: number,
): Generator<void, Backtest[]> {
  const { grain, start, values, steps } = history;
  const errors = methods.map((): Float64Array[] => []);
  for (const origin of origins) {
    const known = values.subarray(0, origin - start);
    const actual = values.subarray(origin - start, origin - start + horizon);
    methods.forEach(({ forecast }, m) => {
      const expected = forecast({ grain, start, values: known, steps }, actual.length);
      at(errors, m).push(actual.map((value, h) => value - at(expected, h)));
    });
    yield;
  }
  return errors.map((all) => ({ errors: all, mae: meanAbsolute(all) }));
}

function meanAbsolute(all: readonly Float64Array[]): number {
  let [sum, count] = [0, 0];
  for (const errors of all) {
    for (const error of errors) {
      if (Number.isNaN(error)) continue;
      sum += Math.abs(error);
      count++;
    }
  }
  return sum / count;
}

/**
 * What an error is measured against: the mean absolute error of the seasonal naive method one season ahead, over the
 * whole history (MASE; Hyndman and Koehler 2006); of the naive method if the history has no two values a season apart.
 */
export function errorScale({ grain, values }: History): number {
  const seasonal = meanDifference(values, SEASON[grain]);
  return Number.isNaN(seasonal) ? meanDifference(values, 1) : seasonal;
}

function meanDifference(values: Float64Array, lag: number): number {
  return meanAbsolute([values.subarray(lag).map((value, i) => value - at(values, i))]);
}
