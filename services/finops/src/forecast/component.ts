import { at } from "../stats/index.ts";
import { type Grain, periodOf } from "./calendar.ts";
import { ForecastError } from "./errors.ts";
import type { Method } from "./methods.ts";
import { LEAST_AROUND_A_STEP } from "./regression.ts";
import { type Gap, gapsOf, type History, observed, SEASON, type Series, seriesOf, spread } from "./series.ts";
import type { Change, Component } from "./types.ts";

/** Fewer observed periods are refused: nothing could be compared. */
export const LEAST_OBSERVED = { day: 14, month: 6 } as const;

/** Periods before the first origin. */
export const LEAST_TRAINING = { day: 7, month: 3 } as const;

/** A component whose forecast is statistical, with what its contract or its changes say taken out. */
export type Prepared = {
  readonly component: Component;
  /** Without the known effects, which `effect` has. */
  readonly history: History;
  readonly effect: (period: number) => number;
  readonly gaps: readonly Gap[];
  readonly notApplied: readonly string[];
};

/** The components' series, up to the last period that any of them has. */
export function seriesTogether(components: readonly Component[], grain: Grain): Series[] {
  const own = components.map(({ points, name }) => seriesOf(points, grain, name));
  const start = Math.min(...own.map((series) => series.start));
  const end = Math.max(...own.map(({ start: first, values }) => first + values.length - 1));
  return own.map((series, i) =>
    at(components, i).kind === "usage" ? spread(series, series.start, end) : spread(series, start, end, 0),
  );
}

/** @throws ForecastError SERIES_TOO_SHORT, INVALID_CHANGE */
export function prepare(component: Component, series: Series): Prepared {
  const { grain, start, values } = series;
  const count = observed(values).length;
  if (count < LEAST_OBSERVED[grain])
    throw new ForecastError(
      "SERIES_TOO_SHORT",
      `A forecast takes ${LEAST_OBSERVED[grain]} observed periods.`,
      {
        series: component.name,
        observed: count,
        least: LEAST_OBSERVED[grain],
      },
    );
  const changes = (component.changes ?? []).map((change) => ({ ...change, period: fromOf(change, grain) }));
  const known = changes.filter(({ effect }) => effect !== undefined);
  const effect = (period: number) =>
    known.reduce((sum, change) => sum + (period >= change.period ? (change.effect ?? 0) : 0), 0);
  const estimated = changes.filter((change) => {
    const least = Math.min(change.period - start, start + values.length - change.period);
    return change.effect === undefined && least >= LEAST_AROUND_A_STEP[grain];
  });
  return {
    component,
    history: {
      grain,
      start,
      values: values.map((value, i) => value - effect(start + i)),
      steps: estimated.map(({ period }) => period),
    },
    effect,
    gaps: gapsOf(series),
    notApplied: changes
      .filter((one) => !known.includes(one) && !estimated.includes(one))
      .map(({ name }) => name),
  };
}

function fromOf({ name, from, effect = 0 }: Change, grain: Grain): number {
  const period = periodOf(from, grain);
  if (period === undefined || !Number.isFinite(effect))
    throw new ForecastError("INVALID_CHANGE", "A change begins in a period and has a finite effect.", {
      change: name,
    });
  return period;
}

/** A method that does not forecast what never was: a negative cost, or a credit that is a charge. */
export function signed(method: Method, { values }: History): Method {
  const seen = observed(values);
  const low = seen.some((value) => value < 0) ? Number.NEGATIVE_INFINITY : 0;
  const high = seen.some((value) => value > 0) ? Number.POSITIVE_INFINITY : 0;
  return {
    ...method,
    forecast: (history, horizon) =>
      method.forecast(history, horizon).map((value) => Math.min(Math.max(value, low), high)),
  };
}

/** The values, and in gaps what the method would have forecast at the time. */
export function withGapsFilled(history: History, { forecast }: Method): Float64Array {
  const filled = history.values.slice();
  for (let i = 0; i < filled.length; i++) {
    if (!Number.isNaN(at(filled, i))) continue;
    let end = i;
    while (end < filled.length && Number.isNaN(at(filled, end))) end++;
    filled.set(forecast({ ...history, values: filled.subarray(0, i) }, end - i), i);
  }
  return filled;
}

/** The scale of costs at a period: the mean size of the values of the last seasons before it. */
export function levelBefore({ grain, start, values }: History, period: number): number {
  const recent = observed(values.subarray(Math.max(0, period - start - RECENT[grain]), period - start));
  return recent.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, recent.length);
}

const RECENT = { day: 4 * SEASON.day, month: 3 } as const;
