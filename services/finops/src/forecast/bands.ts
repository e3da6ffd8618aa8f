import { at, tCdf, tQuantile } from "../stats/index.ts";

/** Fewer errors than these say nothing about a band. */
export const LEAST_ERRORS = 3;

/**
 * How many independent errors these are worth: forecasts whose periods overlap miss together, so that only as many count
 * as fit side by side.
 * @param errors how many there are
 * @param stride periods from one origin to the next
 * @param length periods that a forecast reaches over
 */
export function independentCount(errors: number, stride: number, length: number): number {
  return Math.min(errors, 1 + (stride * (errors - 1)) / length);
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
  const chance =
    errors.reduce((sum, error) => sum + tCdf((error - slack) / width, freedom), 0) / errors.length;
  return Math.min(Math.max(chance, 0), 1);
}

function rootMeanSquare(errors: readonly number[]): number {
  return Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
}
