import { at } from "../stats/index.ts";
import { forecastHoltWinters } from "./holt-winters.ts";
import { forecastRegression } from "./regression.ts";
import { type History, SEASON } from "./series.ts";

export type Method = {
  readonly name: string;
  /** Periods of history that it needs. */
  readonly least: (history: History) => number;
  /** The next `horizon` values. The history has at least one value. */
  readonly forecast: (history: History, horizon: number) => Float64Array;
};

/** From the simplest one on: of two that are equally good, the earlier one is used. */
export const METHODS: readonly Method[] = [
  { name: "naive", least: () => 1, forecast: naive },
  { name: "seasonal_naive", least: ({ grain }) => SEASON[grain], forecast: seasonalNaive },
  { name: "damped_holt_winters", least: () => 4, forecast: forecastHoltWinters },
  { name: "fourier_regression", least: () => 4, forecast: forecastRegression },
  { name: "log_fourier_regression", least: leastForLogs, forecast: forecastLogs },
];

/** The last value goes on. */
function naive({ values }: History, horizon: number): Float64Array {
  return new Float64Array(horizon).fill(values.findLast((value) => !Number.isNaN(value)) ?? Number.NaN);
}

/** The last season goes on; where it has no value, the one before it, and so on. */
function seasonalNaive(history: History, horizon: number): Float64Array {
  const { values, grain } = history;
  const season = SEASON[grain];
  const [last = Number.NaN] = naive(history, 1);
  return Float64Array.from({ length: horizon }, (_, h) => {
    let i = values.length - season + (h % season);
    while (i >= 0 && Number.isNaN(at(values, i))) i -= season;
    return values[i] ?? last;
  });
}

/** For growth in per cent: the regression of the logarithm, where every value has one. */
function forecastLogs(history: History, horizon: number): Float64Array {
  return forecastRegression({ ...history, values: history.values.map(Math.log) }, horizon).map(Math.exp);
}

function leastForLogs({ values }: History): number {
  return values.some((value) => value <= 0) ? Number.POSITIVE_INFINITY : 4;
}
