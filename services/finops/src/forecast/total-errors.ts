import { at } from "../stats/index.ts";
import { halfWidth, independentCount, LEAST_ERRORS } from "./bands.ts";
import { levelBefore } from "./component.ts";
import type { History } from "./series.ts";

/** Errors of the total by origin and periods ahead, in today's scale. */
export type TotalErrors = {
  readonly origins: readonly number[];
  readonly errors: readonly Float64Array[];
  /** The furthest horizon with enough errors for a band; 0: none. */
  readonly testedHorizon: number;
};

/** A level at an origin below this share of today's does not scale errors up any further. */
const LEAST_RATIO = 0.2;

/**
 * Adds up the components' errors of the same forecast, so that what moves together counts together, and scales them by
 * today's level over that at the origin: costs that have doubled miss by twice as much.
 * @param end the period after the last of the histories
 */
export function totalErrors(
  parts: readonly { readonly history: History; readonly errors: readonly Float64Array[] }[],
  origins: readonly number[],
  end: number,
): TotalErrors {
  const level = (period: number) => parts.reduce((sum, { history }) => sum + levelBefore(history, period), 0);
  const today = level(end);
  const errors = origins.map((origin, o) => {
    const scale = today > 0 ? 1 / Math.max(level(origin) / today, LEAST_RATIO) : 1;
    const [one = new Float64Array(0), ...others] = parts.map((part) => at(part.errors, o));
    return one.map((error, h) => others.reduce((sum, other) => sum + at(other, h), error) * scale);
  });
  const furthest = Math.max(0, ...errors.map(({ length }) => length));
  let testedHorizon = 0;
  while (testedHorizon < furthest && errorsAt(errors, testedHorizon).length >= LEAST_ERRORS) testedHorizon++;
  return { origins, errors, testedHorizon };
}

/** The half widths of the band of a level for each period ahead: never less than for an earlier one. */
export function bandWidths({ origins, errors, testedHorizon }: TotalErrors, level: number, horizon: number) {
  let widest = 0;
  return Float64Array.from({ length: horizon }, (_, h) => {
    if (h >= testedHorizon) return (widest * (h + 1)) / Math.max(1, testedHorizon);
    const found = errorsAt(errors, h);
    const count = independentCount(found.length, strideOf(origins), h + 1);
    widest = Math.max(widest, halfWidth(found, level, count));
    return widest;
  });
}

/**
 * The errors of the sum from one period ahead to another (from 0), of origins after which at least nine tenths of them
 * were observed, and how many independent ones they are worth; undefined if they are too few.
 */
export function windowErrors({ origins, errors }: TotalErrors, from: number, to: number) {
  const length = to - from + 1;
  const sums = errors.flatMap((all) => {
    const seen = all.subarray(from, to + 1).filter((error) => !Number.isNaN(error));
    return seen.length < 0.9 * length
      ? []
      : [(seen.reduce((sum, error) => sum + error, 0) * length) / seen.length];
  });
  if (sums.length < LEAST_ERRORS) return undefined;
  return { sums, count: independentCount(sums.length, strideOf(origins), length) };
}

/** Origins of which fewer say nothing about coverage. */
const LEAST_ORIGINS = 20;

/**
 * The share of errors from the later half of the origins that lie within bands made of what was known before the first
 * of them; undefined if they are too few.
 */
export function measuredCoverage({ origins, errors }: TotalErrors, level: number): number | undefined {
  if (origins.length < LEAST_ORIGINS) return undefined;
  const half = origins.length >> 1;
  const split = at(origins, half);
  const known = errors.slice(0, half).map((all, o) => all.subarray(0, split - at(origins, o)));
  let testedHorizon = 0;
  while (errorsAt(known, testedHorizon).length >= LEAST_ERRORS) testedHorizon++;
  const widths = bandWidths(
    { origins: origins.slice(0, half), errors: known, testedHorizon },
    level,
    testedHorizon,
  );
  let [within, all] = [0, 0];
  for (const later of errors.slice(half)) {
    later.subarray(0, testedHorizon).forEach((error, h) => {
      if (Number.isNaN(error)) return;
      all++;
      if (Math.abs(error) <= at(widths, h)) within++;
    });
  }
  return all > 0 ? within / all : undefined;
}

function errorsAt(errors: readonly Float64Array[], h: number): number[] {
  return errors.flatMap((all) => {
    const error = all[h];
    return error === undefined || Number.isNaN(error) ? [] : [error];
  });
}

function strideOf(origins: readonly number[]): number {
  return origins.length > 1 ? (at(origins, origins.length - 1) - at(origins, 0)) / (origins.length - 1) : 1;
}
