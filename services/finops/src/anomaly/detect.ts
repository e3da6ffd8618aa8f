import { addDays, type Day, daysIn } from "../periods/days.ts";

/** A daily series without gaps. */
export type Series = { readonly first: Day; readonly values: readonly number[] };

export type Band = { readonly low: number; readonly expected: number; readonly high: number };

/** Days that a series left its band on, one after the other. */
export type Run = {
  readonly first_day: Day;
  readonly last_day: Day;
  readonly direction: "up" | "down";
  /** `spike`, `dip`: up to three days; `ramp`: growing by the day; `step`, `fall`: another level. */
  readonly kind: "spike" | "dip" | "ramp" | "step" | "fall";
  /** Whether the new level has become what is expected, or the data end before it is over. */
  readonly lasting: boolean;
  readonly days: readonly (Band & { readonly day: Day; readonly actual: number })[];
};

export type Sensitivity = {
  /** How many robust standard deviations away is unusual. */
  readonly deviations: number;
  /** Never less than this share of what is expected. */
  readonly share: number;
  /** Nor less than this amount. */
  readonly amount: number;
};

export const DEFAULT_SENSITIVITY: Sensitivity = { deviations: 5, share: 0.08, amount: 1 };

/** Days that tell what is usual: six weeks, so that each weekday has six values. */
const HISTORY = 42;
/** Fewer tell nothing. */
const LEAST_HISTORY = 21;
/** The level is that of the last two weeks. */
const LEVEL = 14;
/** After so many days, another level is the usual one. */
const ACCEPTED = 21;
/** A run is over after so many usual days. */
const OVER = 2;
/** Turns the median of absolute deviations into the standard deviation of a normal distribution. */
const MAD = 1.4826;

type Known = { readonly value: number; readonly weekday: number };

/**
 * Finds what is unusual by robust seasonal residuals: what a day costs is compared with the median level of the last two weeks, times a
 * factor of its weekday; how far is unusual tells the median absolute deviation of six weeks. Days that are unusual do not count as
 * history, so that the second day of a run is judged like the first.
 */
export function unusualRuns({ first, values }: Series, sensitivity = DEFAULT_SENSITIVITY): Run[] {
  const runs: Run[] = [];
  let history: Known[] = [];
  /** What was usual before the level changed: going back to it is no second finding. */
  let before: Known[] = [];
  let open: Run["days"][number][] = [];
  let usualSince = 0;
  const close = (lasting: boolean) => {
    if (open.length > 0) runs.push(runOf(open, lasting));
    open = [];
    usualSince = 0;
  };
  for (const [index, actual] of values.entries()) {
    const day = addDays(first, index);
    const known = { value: actual, weekday: weekdayOf(day) };
    const band = history.length < LEAST_HISTORY ? undefined : bandOf(history, known.weekday, sensitivity);
    const isUnusual = band !== undefined && !isWithin(band, actual) && !returns(before, known, sensitivity);
    const goesOn = open.length > 0 && isUnusual && band && actual > band.expected === directionUp(open);
    if (isUnusual && band && !goesOn) close(false);
    if (isUnusual && band) {
      open.push({ ...band, day, actual });
      usualSince = 0;
    } else {
      history = [...history, known].slice(-HISTORY);
      usualSince += 1;
      if (usualSince >= OVER) close(false);
    }
    if (open.length >= ACCEPTED) {
      before = history;
      history = open.map((one) => ({ value: one.actual, weekday: weekdayOf(one.day) }));
      close(true);
    }
  }
  close(usualSince === 0);
  return runs;
}

function returns(before: readonly Known[], { value, weekday }: Known, sensitivity: Sensitivity): boolean {
  return before.length >= LEAST_HISTORY && isWithin(bandOf(before, weekday, sensitivity), value);
}

function directionUp(days: readonly Run["days"][number][]): boolean {
  const [one] = days;
  return one !== undefined && one.actual > one.expected;
}

function isWithin({ low, high }: Band, value: number): boolean {
  return value >= low && value <= high;
}

function bandOf(
  history: readonly Known[],
  weekday: number,
  { deviations, share, amount }: Sensitivity,
): Band {
  const middle = median(history.map(({ value }) => value));
  const factor = (of: number) => {
    const own = history.flatMap((one) => (one.weekday === of ? [one.value] : []));
    return own.length < 3 || middle === 0 ? 1 : median(own) / middle;
  };
  const factors = [0, 1, 2, 3, 4, 5, 6].map(factor);
  const level = history.map(({ value, weekday: own }) => value / (factors[own] || 1));
  const expected = median(level.slice(-LEVEL)) * (factors[weekday] ?? 1);
  const centre = median(level);
  const spread = MAD * median(level.map((value) => Math.abs(value - centre))) * (factors[weekday] ?? 1);
  const width = Math.max(deviations * spread, share * Math.abs(expected), amount);
  return { low: expected - width, expected, high: expected + width };
}

function runOf(days: Run["days"], lasting: boolean): Run {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) throw new TypeError("a run has days");
  const isUp = directionUp(days);
  return {
    first_day: first.day,
    last_day: last.day,
    direction: isUp ? "up" : "down",
    kind: kindOf(days, isUp),
    lasting,
    days,
  };
}

function kindOf(days: Run["days"], isUp: boolean): Run["kind"] {
  const length = daysIn(String(days[0]?.day), String(days.at(-1)?.day));
  if (length <= 3) return isUp ? "spike" : "dip";
  if (!isUp) return "fall";
  const third = Math.max(Math.floor(days.length / 3), 1);
  const beyond = (part: Run["days"]) => median(part.map(({ actual, expected }) => actual - expected));
  return beyond(days.slice(-third)) > 1.6 * beyond(days.slice(0, third)) ? "ramp" : "step";
}

function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return (low + high) / 2;
}
