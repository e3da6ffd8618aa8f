import { chanceAbove, halfWidth } from "./bands.ts";
import { type Grain, type Span, spanOf } from "./calendar.ts";
import { ForecastError } from "./errors.ts";
import { type TotalErrors, windowErrors } from "./total-errors.ts";
import type { Budget, ForecastPoint, Interval, PeriodTotal } from "./types.ts";

export type TotalsOf = {
  readonly grain: Grain;
  /** The first period that is forecast, and that of the oldest point. */
  readonly first: number;
  readonly oldest: number;
  readonly points: readonly ForecastPoint[];
  /** The total of a period up to now, and whether some of it is an estimate. */
  readonly actual: (period: number) => { readonly cost: number; readonly estimated: boolean };
  readonly errors: TotalErrors;
  /** The least that the rest of a period can cost: 0, or −∞ where there are credits. */
  readonly least: number;
};

/** @throws ForecastError INVALID_BUDGET for a period that is none, or whose beginning is not in the data */
export function budgetSpan({ period, amount }: Budget, grain: Grain, oldest: number): Span {
  const span = spanOf(period, grain);
  if (span === undefined || !Number.isFinite(amount ?? 0) || span.from < oldest)
    throw new ForecastError(
      "INVALID_BUDGET",
      "A budget is an amount for a month, quarter or days that the data begin before.",
      {
        period,
      },
    );
  return span;
}

/** Totals of the budgets' periods and, of days, of each month whose end is forecast. */
export function periodTotals(about: TotalsOf, budgets: readonly Budget[]): PeriodTotal[] {
  const { grain, first, oldest, points } = about;
  const months = grain === "month" ? [] : [...new Set(points.map(({ period }) => period.slice(0, 7)))];
  const withEnd = months.filter((month) => {
    const span = spanOf(month, grain);
    return span !== undefined && span.from >= oldest && span.to < first + points.length;
  });
  const wanted = [
    ...budgets,
    ...withEnd
      .filter((month) => !budgets.some(({ period }) => period === month))
      .map((period) => ({ period })),
  ];
  return wanted.map((one) => total(about, one)).sort((a, b) => (a.period < b.period ? -1 : 1));
}

function total(about: TotalsOf, { period, amount }: Budget): PeriodTotal {
  const { grain, first, oldest, points, actual, errors, least } = about;
  const { from, to } = budgetSpan({ period }, grain, oldest);
  let [spent, estimated] = [0, 0];
  for (let one = from; one <= Math.min(to, first - 1); one++) {
    const known = actual(one);
    spent += known.cost;
    if (known.estimated) estimated++;
  }
  const [begin, end] = [Math.max(from - first, 0), to - first];
  const ahead = end < 0 ? [] : points.slice(begin, end + 1);
  const expected = ahead.reduce((sum, { cost }) => sum + cost, spent);
  const found = ahead.length > 0 ? windowErrors(errors, begin, end) : undefined;
  const band = (level: number, of: (point: ForecastPoint) => Interval): Interval => {
    // Without windows to test: as if all periods missed by their whole width at once.
    const half = found
      ? halfWidth(found.sums, level, found.count)
      : ahead.reduce((sum, point) => sum + of(point)[1] - point.cost, 0);
    return [Math.max(expected - half, spent + least), expected + half];
  };
  const answer = {
    period,
    actual: spent,
    estimated_periods: estimated,
    expected,
    p80: band(0.8, ({ p80 }) => p80),
    p95: band(0.95, ({ p95 }) => p95),
  };
  if (amount === undefined) return answer;
  const decided = ahead.length === 0 || errors.origins.length === 0 || spent + least > amount;
  const chance = found && chanceAbove(amount - expected, found.sums, found.count);
  return {
    ...answer,
    budget: amount,
    chance_exceeded: decided ? Number(expected > amount) : (chance ?? null),
  };
}
