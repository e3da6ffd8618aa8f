import { FinopsError } from "../errors.ts";
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  daysIn,
  isDay,
  monthEnd,
  monthStart,
  partsOf,
  quarterStart,
  weekStart,
} from "./days.ts";

/** What a question says of when: a name of PERIOD_NAMES, `last_30_days`, `last_3_months`, `next_90_days`, `2026`, `2026-Q3`, `2026-09`, a day, or two days. */
export type PeriodAsked = string | { readonly from: Day; readonly to: Day };

/** The days of a question (wire shape). Both ends count. */
export type Period = {
  readonly name: string;
  readonly from: Day;
  readonly to: Day;
  readonly days: number;
  /** The data's last day, which "last month" and the like are relative to; absent where the question names days. */
  readonly relative_to?: Day;
  /** Whether the data end before the period does. */
  readonly to_date?: true;
  /** Whether the data begin after the period does. */
  readonly begins_late?: true;
};

/** Days that the data have. */
export type Span = { readonly first_day: Day; readonly last_day: Day };

/** `step`: how far back the period before lies. */
type Found = { readonly from: Day; readonly to: Day; readonly step: Step; readonly relative: boolean };
type Step = { readonly months: number } | { readonly days: number };

export const MONTH_NAMES: readonly string[] = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/** Relative to the data's last day. */
const NAMED: Readonly<Record<string, (last: Day) => Omit<Found, "relative">>> = {
  today: (last) => ({ from: last, to: last, step: { days: 1 } }),
  yesterday: (last) => ({ from: addDays(last, -1), to: addDays(last, -1), step: { days: 1 } }),
  this_week: (last) => ({ from: weekStart(last), to: addDays(weekStart(last), 6), step: { days: 7 } }),
  last_week: (last) => ({
    from: addDays(weekStart(last), -7),
    to: addDays(weekStart(last), -1),
    step: { days: 7 },
  }),
  this_month: (last) => monthsFrom(monthStart(last), 1),
  last_month: (last) => monthsFrom(addMonths(monthStart(last), -1), 1),
  this_quarter: (last) => monthsFrom(quarterStart(last), 3),
  last_quarter: (last) => monthsFrom(addMonths(quarterStart(last), -3), 3),
  this_year: (last) => monthsFrom(`${last.slice(0, 4)}-01-01`, 12),
  last_year: (last) => monthsFrom(addMonths(`${last.slice(0, 4)}-01-01`, -12), 12),
  // What comes, for forecasts; a question about what was is told where the data end.
  tomorrow: (last) => ({ from: addDays(last, 1), to: addDays(last, 1), step: { days: 1 } }),
  next_week: (last) => ({
    from: addDays(weekStart(last), 7),
    to: addDays(weekStart(last), 13),
    step: { days: 7 },
  }),
  next_month: (last) => monthsFrom(addMonths(monthStart(last), 1), 1),
  next_quarter: (last) => monthsFrom(addMonths(quarterStart(last), 3), 3),
  next_year: (last) => monthsFrom(addMonths(`${last.slice(0, 4)}-01-01`, 12), 12),
};
const ALIASES: Readonly<Record<string, string>> = {
  mtd: "this_month",
  qtd: "this_quarter",
  ytd: "this_year",
};

/** The names that a question may use as they are. */
export const PERIOD_NAMES: readonly string[] = [
  ...Object.keys(NAMED),
  ...Object.keys(ALIASES),
  ...MONTH_NAMES,
  ...["q1", "q2", "q3", "q4", "all"],
];

/** What PERIOD_NAMES leave: numbers of days or months, years, quarters, months and days. */
export const PERIOD_PATTERN =
  "^((last|next)_[1-9][0-9]{0,3}_(days|weeks|months)|[12][0-9]{3}(-(Q[1-4]|[01][0-9](-[0-3][0-9])?))?)$";

/**
 * The days that are meant, of those that the data have.
 * @throws FinopsError UNKNOWN_PERIOD, PERIOD_WITHOUT_DATA
 */
export function periodOf(asked: PeriodAsked, span: Span): Period {
  return withinData(nameOf(asked), found(asked, span), span);
}

/**
 * All days that are meant, whether the data have them or not.
 * @throws FinopsError UNKNOWN_PERIOD
 */
export function daysOf(asked: PeriodAsked, span: Span): Pick<Period, "from" | "to"> {
  const { from, to } = found(asked, span);
  return { from, to };
}

/**
 * What a period is compared with: `previous`, the one before of the same length, `year_ago`, or another period. If the
 * data end within a period, the other one counts to the same day: September to the 17th against August to the 17th.
 * @throws FinopsError UNKNOWN_PERIOD, PERIOD_WITHOUT_DATA
 */
export function comparedPeriod(compareTo: PeriodAsked, asked: PeriodAsked, span: Span): Period {
  if (compareTo !== "previous" && compareTo !== "year_ago") return periodOf(compareTo, span);
  const whole = found(asked, span);
  const current = withinData(nameOf(asked), whole, span);
  const step = compareTo === "year_ago" ? { months: 12 } : whole.step;
  const from = back(whole.from, step);
  const isWhole = current.to === whole.to;
  const wholeTo = addDays(back(addDays(whole.to, 1), step), -1);
  const to = isWhole ? wholeTo : [addDays(from, daysIn(whole.from, current.to) - 1), wholeTo].sort()[0];
  return withinData(compareTo, { from, to: to ?? wholeTo, step, relative: false }, span);
}

function nameOf(asked: PeriodAsked): string {
  if (typeof asked === "string") return asked;
  return asked.from === asked.to ? asked.from : `${asked.from}/${asked.to}`;
}

function found(asked: PeriodAsked, { first_day, last_day }: Span): Found {
  if (typeof asked !== "string") return range(asked);
  const named = NAMED[ALIASES[asked] ?? asked];
  if (named) return { ...named(last_day), relative: true };
  if (asked === "all") return { ...range({ from: first_day, to: last_day }), relative: true };
  return lately(asked, last_day) ?? latest(asked, last_day) ?? calendar(asked) ?? unknown();
}

/** last_30_days, last_6_weeks, last_3_months: the data's last day is the last of them; months are whole ones before it, or after. */
function lately(asked: string, last: Day): Found | undefined {
  const [, side, text, unit] = /^(last|next)_([1-9]\d{0,3})_(days|weeks|months)$/.exec(asked) ?? [];
  if (text === undefined) return undefined;
  const count = Number(text);
  const isNext = side === "next";
  if (unit === "months")
    return { ...monthsFrom(addMonths(monthStart(last), isNext ? 1 : -count), count), relative: true };
  const days = unit === "weeks" ? 7 * count : count;
  const from = addDays(last, isNext ? 1 : 1 - days);
  return { from, to: addDays(from, days - 1), step: { days }, relative: true };
}

/**
 * The days that a forecast is of, which may have begun: "this month" is all of it, "december" the one that is not over.
 * @throws FinopsError UNKNOWN_PERIOD, PERIOD_OVER
 */
export function periodAhead(asked: PeriodAsked, span: Span): Pick<Period, "name" | "from" | "to"> {
  const { last_day } = span;
  const days = typeof asked === "string" ? latest(asked, last_day, true) : undefined;
  const { from, to } = days ?? found(asked, span);
  if (to <= last_day)
    throw new FinopsError(
      "PERIOD_OVER",
      `That period is over: the data end on ${last_day}. What was spent in it is a question of its own.`,
      { last_day },
    );
  return { name: nameOf(asked), from, to };
}

/** A month or quarter without a year: the latest that has begun, or the next that is not over. */
function latest(asked: string, last: Day, isAhead = false): Found | undefined {
  const { year } = partsOf(last);
  const month = MONTH_NAMES.indexOf(asked) + 1;
  const quarter = Number(/^q([1-4])$/.exec(asked)?.[1] ?? 0);
  if (month === 0 && quarter === 0) return undefined;
  const [start, count] = month > 0 ? [month, 1] : [3 * quarter - 2, 3];
  const from = dayOf(year, start, 1);
  if (!isAhead)
    return { ...monthsFrom(from > last ? dayOf(year - 1, start, 1) : from, count), relative: true };
  const own = monthsFrom(from, count);
  return { ...(own.to <= last ? monthsFrom(dayOf(year + 1, start, 1), count) : own), relative: true };
}

function calendar(asked: string): Found | undefined {
  if (/^\d{4}$/.test(asked)) return { ...monthsFrom(`${asked}-01-01`, 12), relative: false };
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(asked) ?? [];
  if (year !== undefined)
    return { ...monthsFrom(dayOf(Number(year), 3 * Number(quarter) - 2, 1), 3), relative: false };
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(asked)) return { ...monthsFrom(`${asked}-01`, 1), relative: false };
  return isDay(asked) ? range({ from: asked, to: asked }) : undefined;
}

function range({ from, to }: { from: Day; to: Day }): Found {
  if (!isDay(from) || !isDay(to) || to < from) return unknown();
  const isMonths = from === monthStart(from) && to === monthEnd(to);
  const months = 12 * (partsOf(to).year - partsOf(from).year) + partsOf(to).month - partsOf(from).month + 1;
  return { from, to, step: isMonths ? { months } : { days: daysIn(from, to) }, relative: false };
}

function monthsFrom(from: Day, months: number): Omit<Found, "relative"> {
  return { from, to: addDays(addMonths(from, months), -1), step: { months } };
}

function back(day: Day, step: Step): Day {
  return "months" in step ? addMonths(day, -step.months) : addDays(day, -step.days);
}

function withinData(name: string, { from, to, relative }: Found, { first_day, last_day }: Span): Period {
  if (from > last_day || to < first_day)
    throw new FinopsError(
      "PERIOD_WITHOUT_DATA",
      `The data have no day of that period: they are of ${first_day} to ${last_day}.${from > last_day ? " What comes is for a forecast." : ""}`,
      {
        first_day,
        last_day,
      },
    );
  const end = to > last_day ? last_day : to;
  const begin = from < first_day ? first_day : from;
  return {
    name,
    from: begin,
    to: end,
    days: daysIn(begin, end),
    ...(relative ? { relative_to: last_day } : {}),
    ...(to > last_day ? { to_date: true as const } : {}),
    ...(from < first_day ? { begins_late: true as const } : {}),
  };
}

function unknown(): never {
  throw new FinopsError(
    "UNKNOWN_PERIOD",
    "The period is neither a name, a year, quarter, month or day, nor two days in order.",
  );
}
