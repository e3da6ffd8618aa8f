import { at } from "../stats/index.ts";
import { type Grain, textOf } from "./calendar.ts";
import { LEAST_TRAINING, type Prepared, prepare, seriesTogether } from "./component.ts";
import { ForecastError } from "./errors.ts";
import { METHODS, type Method } from "./methods.ts";
import { byBestMethod, byContract, type Part } from "./part.ts";
import { bandWidths, measuredCoverage, type TotalErrors, totalErrors } from "./total-errors.ts";
import { budgetSpan, periodTotals } from "./totals.ts";
import type { ForecastPoint, ForecastRequest, ForecastWarning, Interval, SpendForecast } from "./types.ts";

/** More origins than these are thinned out evenly. */
const MOST_ORIGINS = 60;

/** Fewer periods are a short history: eight weeks, two years. */
const SHORT = { day: 56, month: 24 } as const;

/**
 * Forecasts spend as the sum of its components, each by the method whose rolling-origin error is least, with bands
 * from the errors of the sums. Deterministic. Yields between pieces of work of some milliseconds.
 * @param methods those that need more history than the first origin has are not compared
 * @throws ForecastError
 */
export function* forecasting(
  request: ForecastRequest,
  methods: readonly Method[] = METHODS,
): Generator<void, SpendForecast> {
  const { grain, components, budgets = [] } = request;
  if (components.length === 0)
    throw new ForecastError("INVALID_SERIES", "A forecast takes at least one component.");
  const all = seriesTogether(components, grain);
  const oldest = Math.min(...all.map(({ start }) => start));
  const first = at(all, 0).start + at(all, 0).values.length;
  const horizon = horizonOf(request, oldest, first);
  const prepared = components.map((component, i) =>
    component.schedule === undefined ? prepare(component, at(all, i)) : undefined,
  );
  const origins = originsOf(prepared, grain, first);
  const parts: Part[] = [];
  for (const [i, component] of components.entries()) {
    const [series, one] = [at(all, i), prepared[i]];
    parts.push(
      one === undefined
        ? byContract(component, series, horizon)
        : yield* byBestMethod(one, series, { methods, origins, horizon }),
    );
  }

  const tested = parts.flatMap((part) => part.tested ?? []);
  const errors = totalErrors(tested, origins, first);
  if (tested.length > 0 && errors.testedHorizon === 0)
    throw new ForecastError("SERIES_TOO_SHORT", "Too few forecasts could be compared with what came.");
  const least = parts.every(isNeverNegative) ? 0 : Number.NEGATIVE_INFINITY;
  const points = pointsOf(parts, errors, { grain, first, horizon, least });
  const actual = (period: number) => ({
    cost: sum(parts.map(({ filled, series }) => filled[period - series.start] ?? 0)),
    estimated: parts.some(({ series }) => Number.isNaN(series.values[period - series.start] ?? 0)),
  });
  return {
    grain,
    points,
    components: parts.map(({ answer }) => answer),
    totals: periodTotals({ grain, first, oldest, points, actual, errors, least }, budgets),
    accuracy: {
      origins: origins.length,
      tested_horizon: errors.testedHorizon,
      coverage: {
        p80: measuredCoverage(errors, 0.8) ?? null,
        p95: measuredCoverage(errors, 0.95) ?? null,
      },
    },
    warnings: warningsOf(parts, errors, { grain, horizon }),
  };
}

/** `forecasting` without pauses. */
export function forecastSpend(request: ForecastRequest, methods?: readonly Method[]): SpendForecast {
  const steps = forecasting(request, methods);
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value;
}

/** Up to the end of the last budget, and no further ahead than the data reach back. */
function horizonOf({ grain, horizon, budgets = [] }: ForecastRequest, oldest: number, first: number): number {
  const ends = budgets.map((budget) => budgetSpan(budget, grain, oldest).to - first + 1);
  const wanted = Math.max(horizon, ...ends);
  const most = first - oldest;
  if (!(Number.isInteger(wanted) && wanted >= 1 && wanted <= most))
    throw new ForecastError(
      "HORIZON_TOO_LONG",
      "A forecast reaches a whole number of periods ahead, at most as many as the data reach back.",
      { most },
    );
  return wanted;
}

/** The later half of the periods that all statistical components have. */
function originsOf(prepared: readonly (Prepared | undefined)[], grain: Grain, first: number): number[] {
  const lengths = prepared.flatMap((one) => (one ? [one.history.values.length] : []));
  if (lengths.length === 0) return [];
  const shortest = Math.min(...lengths);
  const count = shortest - Math.max(LEAST_TRAINING[grain], shortest >> 1);
  const kept = Math.min(count, MOST_ORIGINS);
  const step = (count - 1) / Math.max(1, kept - 1);
  return Array.from({ length: kept }, (_, i) => first - count + Math.round(i * step));
}

function pointsOf(
  parts: readonly Part[],
  errors: TotalErrors,
  { grain, first, horizon, least }: { grain: Grain; first: number; horizon: number; least: number },
): ForecastPoint[] {
  const [p80, p95] = [bandWidths(errors, 0.8, horizon), bandWidths(errors, 0.95, horizon)];
  return Array.from({ length: horizon }, (_, h) => {
    const cost = sum(parts.map(({ answer }) => at(answer.costs, h)));
    const around = (half: number): Interval => [Math.max(cost - half, least), cost + half];
    return { period: textOf(first + h, grain), cost, p80: around(at(p80, h)), p95: around(at(p95, h)) };
  });
}

function warningsOf(
  parts: readonly Part[],
  { testedHorizon }: TotalErrors,
  { grain, horizon }: { grain: Grain; horizon: number },
): ForecastWarning[] {
  const short = parts.some(({ tested }) => tested && tested.history.values.length < SHORT[grain]);
  const warnings: readonly (readonly [boolean, ForecastWarning])[] = [
    [short, "SHORT_HISTORY"],
    [horizon > testedHorizon && parts.some(({ tested }) => tested), "BEYOND_TESTED_HORIZON"],
    [parts.some(({ answer }) => answer.gaps.length > 0), "MISSING_PERIODS"],
    [parts.some(({ answer }) => answer.changes_not_applied.length > 0), "CHANGES_NOT_APPLIED"],
  ];
  return warnings.flatMap(([holds, code]) => (holds ? [code] : []));
}

function isNeverNegative({ filled, answer }: Part): boolean {
  return filled.every((value) => value >= 0) && answer.costs.every((cost) => cost >= 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
