import { type Grain, periodOf } from "./calendar.ts";
import { ForecastError } from "./errors.ts";
import type { Component, ScheduledCost } from "./types.ts";

/** What the schedule has for each of `horizon` periods from `first` on. */
export function scheduled(
  name: string,
  schedule: readonly ScheduledCost[],
  grain: Grain,
  first: number,
  horizon: number,
): Float64Array {
  const entries = schedule.map(({ from, to, cost }) => {
    const [begin, end] = [periodOf(from, grain), periodOf(to, grain)];
    if (begin === undefined || end === undefined || end < begin || !Number.isFinite(cost))
      throw new ForecastError("INVALID_SERIES", "A schedule has periods in order and finite costs.", {
        series: name,
      });
    return { begin, end, cost };
  });
  return Float64Array.from({ length: horizon }, (_, h) =>
    entries.reduce(
      (sum, { begin, end, cost }) => sum + (first + h >= begin && first + h <= end ? cost : 0),
      0,
    ),
  );
}

/** Credits end with their balance or their last period, whichever is first. */
export function withinTerms(
  { kind, balance = Number.POSITIVE_INFINITY, until, name }: Component,
  costs: Float64Array,
  grain: Grain,
  first: number,
): Float64Array {
  if (kind !== "credit") return costs;
  const last = until === undefined ? Number.POSITIVE_INFINITY : periodOf(until, grain);
  if (last === undefined || !(balance >= 0))
    throw new ForecastError("INVALID_SERIES", "A credit has a balance of at least 0 and ends in a period.", {
      series: name,
    });
  let left = balance;
  return costs.map((cost, h) => {
    const used = first + h > last ? 0 : Math.min(Math.max(-cost, 0), left);
    left -= used;
    return used === 0 ? 0 : -used;
  });
}
