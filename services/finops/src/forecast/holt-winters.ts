import { at } from "../stats/index.ts";
import { type History, SEASON } from "./series.ts";

type Weights = {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly phi: number;
};

const GRID: readonly Weights[] = [0.05, 0.15, 0.3, 0.6, 0.9].flatMap((alpha) =>
  [0, 0.1].flatMap((trend) =>
    [0, 0.1, 0.3].flatMap((season) =>
      [0.8, 0.95].map((phi) => ({ alpha, beta: alpha * trend, gamma: (1 - alpha) * season, phi })),
    ),
  ),
);
const WITHOUT_SEASON = GRID.filter(({ gamma }) => gamma === 0);

/**
 * Additive Holt-Winters with a damped trend in error-correction form (Hyndman and Athanasopoulos, Forecasting, 3rd
 * edition, 8.3 and 8.5): with e = y − (l + φb + s), l ← l + φb + αe, b ← φb + βe, s ← s + γe. The weights are those of
 * a grid with the least squared one-step error after the first season. A missing period counts as e = 0. Without two
 * whole seasons there is no seasonal part.
 */
export function forecastHoltWinters({ values, grain }: History, horizon: number): Float64Array {
  const season = values.length >= 2 * SEASON[grain] ? SEASON[grain] : 1;
  const start = startOf(values, season);
  let best = { error: Number.POSITIVE_INFINITY, forecast: new Float64Array(horizon) };
  for (const weights of season > 1 ? GRID : WITHOUT_SEASON) {
    const run = smooth(values, season, start, weights, horizon);
    if (run.error < best.error) best = run;
  }
  return best.forecast;
}

type Start = { readonly level: number; readonly trend: number; readonly seasonal: Float64Array };

/** From the first two seasons: their means, and the mean deviation from these at each place in the season. */
function startOf(values: Float64Array, season: number): Start {
  if (season === 1) return { level: mean(values), trend: 0, seasonal: new Float64Array(1) };
  const cycles = [values.subarray(0, season), values.subarray(season, 2 * season)];
  const whole = mean(values.subarray(0, 2 * season));
  const means = cycles.map((cycle) => mean(cycle, whole));
  const trend = (at(means, 1) - at(means, 0)) / season;
  const seasonal = Float64Array.from({ length: season }, (_, place) =>
    mean(
      Float64Array.from(cycles, (cycle, i) => at(cycle, place) - at(means, i)),
      0,
    ),
  );
  // The mean of the first season is its level in the middle: half a season before, it was less by the trend.
  return { level: at(means, 0) - (trend * (season + 1)) / 2, trend, seasonal };
}

function smooth(
  values: Float64Array,
  season: number,
  start: Start,
  { alpha, beta, gamma, phi }: Weights,
  horizon: number,
) {
  let { level, trend } = start;
  const seasonal = start.seasonal.slice();
  const warm = Math.min(season, values.length >> 1);
  let squares = 0;
  for (let t = 0; t < values.length; t++) {
    const place = t % season;
    const usual = seasonal[place] ?? 0;
    const expected = level + phi * trend;
    // Not by `at`: this is the innermost loop of all.
    const e = (values[t] ?? Number.NaN) - expected - usual;
    level = expected;
    trend *= phi;
    if (Number.isNaN(e)) continue;
    level += alpha * e;
    trend += beta * e;
    if (season > 1) seasonal[place] = usual + gamma * e;
    if (t >= warm) squares += e * e;
  }
  let damped = 0;
  const forecast = Float64Array.from({ length: horizon }, (_, h) => {
    damped += phi ** (h + 1);
    return level + damped * trend + at(seasonal, (values.length + h) % season);
  });
  return { error: squares, forecast };
}

function mean(values: Float64Array, otherwise = Number.NaN): number {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count > 0 ? sum / count : otherwise;
}
