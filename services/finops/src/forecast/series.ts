import { at } from "../stats/index.ts";
import { type Grain, periodOf, textOf } from "./calendar.ts";
import { ForecastError } from "./errors.ts";

/** `period` is "2026-12-31" for days, "2026-12" for months; `cost` is in the currency of the caller. */
export type CostPoint = { readonly period: string; readonly cost: number };

/** One value per period from `start` on; NaN where there is none. */
export type Series = { readonly grain: Grain; readonly start: number; readonly values: Float64Array };

/** What a method knows when it forecasts. */
export type History = Series & {
  /** Periods from which on the level is known to differ: step regressors. */
  readonly steps: readonly number[];
};

export type Gap = { readonly from: string; readonly to: string; readonly periods: number };

/** Periods of a season that repeats: days of the week, months of the year. */
export const SEASON = { day: 7, month: 12 } as const;

const MOST_PERIODS = 3660;

/**
 * Points in any order as a series from the first to the last of them.
 * @throws ForecastError INVALID_SERIES for a period that does not exist or is repeated, a cost that is not finite, no
 *   points, or more than 3,660 periods
 */
export function seriesOf(points: readonly CostPoint[], grain: Grain, name: string): Series {
  const costs = new Map<number, number>();
  for (const { period: text, cost } of points) {
    const period = periodOf(text, grain);
    if (period === undefined || !Number.isFinite(cost) || costs.has(period))
      throw new ForecastError("INVALID_SERIES", "Each period occurs once, exists and has a finite cost.", {
        series: name,
      });
    costs.set(period, cost);
  }
  const periods = [...costs.keys()].sort((a, b) => a - b);
  const [start, end] = [periods[0], periods.at(-1)];
  if (start === undefined || end === undefined || end - start >= MOST_PERIODS)
    throw new ForecastError("INVALID_SERIES", `A series has 1 to ${MOST_PERIODS} periods.`, { series: name });
  return { grain, start, values: within(costs, start, end) };
}

function within(costs: ReadonlyMap<number, number>, start: number, end: number): Float64Array {
  return Float64Array.from({ length: end - start + 1 }, (_, i) => costs.get(start + i) ?? Number.NaN);
}

/** The same series over other periods; `fill` where it has no value. */
export function spread(
  { grain, start, values }: Series,
  from: number,
  to: number,
  fill = Number.NaN,
): Series {
  const value = (period: number) => {
    const known = values[period - start];
    return known === undefined || Number.isNaN(known) ? fill : known;
  };
  return {
    grain,
    start: from,
    values: Float64Array.from({ length: to - from + 1 }, (_, i) => value(from + i)),
  };
}

/** The periods without a value, as ranges. */
export function gapsOf({ grain, start, values }: Series): Gap[] {
  const gaps: Gap[] = [];
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(at(values, i))) continue;
    const first = i;
    while (i + 1 < values.length && Number.isNaN(at(values, i + 1))) i++;
    gaps.push({ from: textOf(start + first, grain), to: textOf(start + i, grain), periods: i - first + 1 });
  }
  return gaps;
}

export function observed(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}
