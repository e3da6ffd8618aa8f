/** The periods of a time column: a position on the time axis for each row. */
export type TimeReading = {
  /** How the cells are written, such as `iso_week` or `day.month.year`. */
  readonly form: TimeForm;
  /** Years since 1970 for dated forms; the number itself for numbered steps. */
  readonly position: Float64Array;
  /** Positions are years: they tell the season. */
  readonly dated: boolean;
  /** More than one form fits the cells equally well; the other one. */
  readonly instead?: TimeForm;
};

export type TimeForm =
  | "date"
  | "iso_week"
  | "quarter"
  | "month"
  | "year"
  | "yyyymmdd"
  | "yyyymm"
  | "yyyyww"
  | "day_month_year"
  | "month_day_year"
  | "epoch_days"
  | "spreadsheet_days"
  | "epoch_seconds"
  | "epoch_milliseconds"
  | "number";

const DAY = 86_400_000;
const YEAR = 365.25 * DAY;
/** 1970-01-01 as a spreadsheet counts days. */
const SPREADSHEET_EPOCH = 25_569;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds since 1970 of a cell, NaN if it is not of the form. */
type Reader = (cell: string) => number;

const number = (text: string | undefined) => (text === undefined || text === "" ? Number.NaN : Number(text));

function dateOf(year: number, month: number, day: number): number {
  const time = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day);
  const date = new Date(time);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? time : Number.NaN;
}

/** The Monday of an ISO 8601 week: week 1 has January 4th. */
function weekOf(year: number, week: number): number {
  if (!(week >= 1 && week <= 53)) return Number.NaN;
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY + (week - 1) * 7 * DAY;
}

function matched(pattern: RegExp, read: (groups: readonly string[]) => number): Reader {
  return (cell) => {
    const groups = pattern.exec(cell);
    return groups === null ? Number.NaN : read(groups.slice(1));
  };
}

const numbered = (pattern: RegExp, read: (...parts: number[]) => number): Reader =>
  matched(pattern, (groups) => read(...groups.map(number)));

function named(text: string): number {
  const month = MONTHS.indexOf(text.slice(0, 3).toLowerCase());
  return month < 0 ? Number.NaN : month + 1;
}

const quarter = (year: number, q: number) => dateOf(year, 3 * q - 2, 1);
const within =
  (low: number, high: number, scale: number, from = 0): Reader =>
  (cell) => {
    const value = number(cell);
    return value >= low && value < high ? (value - from) * scale : Number.NaN;
  };
const dayFirst = numbered(/^(\d{1,2})[./\- ]\s*(\d{1,2})[./\- ]\s*(\d{4}|\d{2})\.?(?:[T ].*)?$/, (d, m, y) =>
  dateOf(y ?? 0, m ?? 0, d ?? 0),
);
const monthFirst = numbered(/^(\d{1,2})[/\- ](\d{1,2})[/\- ](\d{4}|\d{2})(?:[T ].*)?$/, (m, d, y) =>
  dateOf(y ?? 0, m ?? 0, d ?? 0),
);

/** Forms that no plain number is written in, in the order in which they are tried. */
const WRITTEN: readonly (readonly [TimeForm, Reader])[] = [
  [
    "date",
    numbered(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/, (y, m, d) => dateOf(y ?? 0, m ?? 0, d ?? 0)),
  ],
  [
    "date",
    numbered(/^(\d{4})[.년]\s*(\d{1,2})[.월]\s*(\d{1,2})[.일]?$/, (y, m, d) =>
      dateOf(y ?? 0, m ?? 0, d ?? 0),
    ),
  ],
  [
    "date",
    matched(/^(\d{1,2})[-. ]\s*([A-Za-z]{3,9})\.?[-, ]+(\d{4}|\d{2})$/, ([d, m = "", y]) =>
      dateOf(number(y), named(m), number(d)),
    ),
  ],
  [
    "date",
    matched(/^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})$/, ([m = "", d, y]) =>
      dateOf(number(y), named(m), number(d)),
    ),
  ],
  [
    "iso_week",
    numbered(/^(\d{4})[-/ ]?(?:W|KW|week)[-/ ]?(\d{1,2})(?:-\d)?$/i, (y, w) => weekOf(y ?? 0, w ?? 0)),
  ],
  ["iso_week", numbered(/^(?:W|KW|week)[-/ ]?(\d{1,2})[-/, ]+(\d{4})$/i, (w, y) => weekOf(y ?? 0, w ?? 0))],
  ["iso_week", numbered(/^(\d{4})년?\s*(\d{1,2})주차?$/, (y, w) => weekOf(y ?? 0, w ?? 0))],
  ["quarter", numbered(/^(\d{4})[-/ ]?Q([1-4])$/i, (y, q) => quarter(y ?? 0, q ?? 0))],
  ["quarter", numbered(/^Q([1-4])[-/ ]?(\d{4})$/i, (q, y) => quarter(y ?? 0, q ?? 0))],
  ["quarter", numbered(/^(\d{4})년?\s*([1-4])분기$/, (y, q) => quarter(y ?? 0, q ?? 0))],
  ["month", numbered(/^(\d{4})[-/.](\d{1,2})$/, (y, m) => dateOf(y ?? 0, m ?? 0, 1))],
  ["month", numbered(/^(\d{1,2})[-/.](\d{4})$/, (m, y) => dateOf(y ?? 0, m ?? 0, 1))],
  ["month", numbered(/^(\d{4})년\s*(\d{1,2})월$/, (y, m) => dateOf(y ?? 0, m ?? 0, 1))],
  [
    "month",
    matched(/^([A-Za-z]{3,9})\.?[-/ ](\d{4}|\d{2})$/, ([m = "", y]) => dateOf(number(y), named(m), 1)),
  ],
  ["month", matched(/^(\d{4})[-/ ]([A-Za-z]{3,9})\.?$/, ([y, m = ""]) => dateOf(number(y), named(m), 1))],
];

/** Numbers that are dates by their size. */
const SIZED: readonly (readonly [TimeForm, Reader])[] = [
  ["yyyymmdd", numbered(/^((?:19|20)\d{2})(\d{2})(\d{2})$/, (y, m, d) => dateOf(y ?? 0, m ?? 0, d ?? 0))],
  ["epoch_seconds", within(3e8, 4e9, 1000)],
  ["epoch_milliseconds", within(3e11, 4e12, 1)],
];
const MONTH_NUMBERS = numbered(/^((?:19|20)\d{2})(\d{2})$/, (y, m) => dateOf(y ?? 0, m ?? 0, 1));
const WEEK_NUMBERS = numbered(/^((?:19|20)\d{2})(\d{2})$/, (y, w) => weekOf(y ?? 0, w ?? 0));

/**
 * Reads a time column: dates, ISO weeks, quarters, months and years in their common forms, days and seconds since 1970, days
 * as spreadsheets count them, and numbered steps. A form counts only if every cell has it. Of day/month and
 * month/day the one is taken that all cells have; if both, the one with more even steps, and `instead` names the other.
 * @param step what the column's name counts, if it says so
 * @returns undefined if no form fits all cells
 */
export function readTime(
  cells: readonly string[],
  step?: "day" | "week" | "month" | "quarter" | "year",
): TimeReading | undefined {
  const distinct = [...new Set(cells)];
  if (distinct.length === 0) return undefined;
  const times = new Map<string, number>();
  const fits = (read: Reader) => {
    times.clear();
    return distinct.every((cell) => Number.isFinite(times.set(cell, read(cell)).get(cell)));
  };
  const dated = (form: TimeForm, instead?: TimeForm): TimeReading => ({
    form,
    position: Float64Array.from(cells, (cell) => (times.get(cell) ?? 0) / YEAR),
    dated: true,
    ...(instead && { instead }),
  });
  for (const [form, read] of WRITTEN) if (fits(read)) return dated(form);
  const readsDay = fits(dayFirst);
  const dayEvenness = readsDay ? evenness([...times.values()]) : 0;
  if (fits(monthFirst)) {
    const monthEvenness = evenness([...times.values()]);
    if (!readsDay) return dated("month_day_year");
    const doubtful = Math.abs(monthEvenness - dayEvenness) < 0.1;
    if (monthEvenness > dayEvenness) return dated("month_day_year", doubtful ? "day_month_year" : undefined);
    fits(dayFirst);
    return dated("day_month_year", doubtful ? "month_day_year" : undefined);
  }
  if (readsDay && fits(dayFirst)) return dated("day_month_year");
  return numbersIn(cells, distinct, { step, fits, dated });
}

type Attempt = {
  readonly step: string | undefined;
  readonly fits: (read: Reader) => boolean;
  readonly dated: (form: TimeForm) => TimeReading;
};

function numbersIn(
  cells: readonly string[],
  distinct: readonly string[],
  { step, fits, dated }: Attempt,
): TimeReading | undefined {
  for (const [form, read] of SIZED) if (fits(read)) return dated(form);
  const months = fits(MONTH_NUMBERS);
  if (step === "week" || !months ? fits(WEEK_NUMBERS) : false) return dated("yyyyww");
  if (months && fits(MONTH_NUMBERS)) return dated("yyyymm");
  if (step === "day" && fits(within(7_000, 25_000, DAY))) return dated("epoch_days");
  if (step === "day" && fits(within(30_000, 60_000, DAY, SPREADSHEET_EPOCH)))
    return dated("spreadsheet_days");
  if (step === "year" && fits(numbered(/^((?:19|20)\d{2})$/, (y) => dateOf(y ?? 0, 1, 1))))
    return dated("year");
  if (!distinct.every((cell) => Number.isFinite(number(cell)))) return undefined;
  return { form: "number", position: Float64Array.from(cells, Number), dated: false };
}

/** The share of the most frequent distance between neighbours. */
function evenness(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const counts = new Map<number, number>();
  for (let i = 1; i < sorted.length; i++) {
    const days = Math.round(((sorted[i] ?? 0) - (sorted[i - 1] ?? 0)) / DAY);
    // Months have 28 to 31 days.
    const gap = days >= 28 && days <= 31 ? 30 : days;
    counts.set(gap, (counts.get(gap) ?? 0) + 1);
  }
  return sorted.length < 2 ? 0 : Math.max(...counts.values()) / (sorted.length - 1);
}
