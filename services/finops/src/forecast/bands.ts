import { at, tCdf, tQuantile } from "../stats/index.ts";

/** Fewer errors than these say nothing about a band. */
export const LEAST_ERRORS = 3;

/**
 * How many independent errors these are worth, 1 to n: forecasts from neighbouring origins look at the same periods, so
 * that their errors resemble each other. n / (1 + 2·Σ ρ_k) over lags within one forecast's reach, up to the first
 * that is not positive (initial positive sequence; Geyer 1992).
 * @param errors in the order of their origins, about 0
 * @param reach origins whose forecasts overlap
 */
export function effectiveCount(errors: readonly number[], reach: number): number {
  const n = errors.length;
  const squares = products(errors, 0);
  let sum = 0;
  for (let lag = 1; lag < Math.min(reach, n); lag++) {
    const rho = products(errors, lag) / squares;
    if (!(rho > 0)) break;
    sum += rho;
  }
  return Math.max(1, n / (1 + 2 * sum));
}

/**
 * The half width that a new error stays within with probability `level`: the order statistic of split conformal
 * prediction (Vovk, Gammerman and Shafer 2005), level·(1 + 1/n) for n independent errors, and at least Student's t
 * interval. That is the wider one where so few errors have no such quantile, and where a few were much larger than the
 * rest: a level that has jumped once may do so again.
 * @param count independent errors that they are worth
 */
export function halfWidth(errors: readonly number[], level: number, count: number): number {
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const rank = Math.ceil(level * (1 + 1 / count) * sizes.length);
  const conformal = rank <= sizes.length ? at(sizes, Math.max(0, rank - 1)) : 0;
  const normal = tQuantile(level, Math.max(1, count - 1)) * rootMeanSquare(errors) * Math.sqrt(1 + 1 / count);
  return Math.max(conformal, normal);
}

/**
 * The chance that a new error is greater than `slack`: the errors, smoothed by a kernel of Silverman's width, so that few
 * errors never make it 0 or 1. The kernel is Student's t, as the width itself is known from few errors.
 */
export function chanceAbove(slack: number, errors: readonly number[], count: number): number {
  const width = rootMeanSquare(errors) * count ** -0.2;
  if (width === 0) return slack < 0 ? 1 : 0;
  const freedom = Math.max(1, count - 1);
  return errors.reduce((sum, error) => sum + tCdf((error - slack) / width, freedom), 0) / errors.length;
}

function rootMeanSquare(errors: readonly number[]): number {
  return Math.sqrt(products(errors, 0) / errors.length);
}

function products(errors: readonly number[], lag: number): number {
  let sum = 0;
  for (let i = lag; i < errors.length; i++) sum += at(errors, i) * at(errors, i - lag);
  return sum;
}
