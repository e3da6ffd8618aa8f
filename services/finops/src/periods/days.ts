/** A day as in ISO 8601, of UTC: "2026-09-17". */
export type Day = string;

const DAY_MS = 86_400_000;

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

export function dayOf(year: number, month: number, day: number): Day {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

export function partsOf(day: Day): { year: number; month: number; date: number } {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return { year, month, date };
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one to the other, both included. */
export function daysIn(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** The same date of another month, or that month's last day where it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day);
  const first = dayOf(year, month + months, 1);
  return [addDays(first, date - 1), addDays(addMonthsToFirst(first, 1), -1)].sort()[0] ?? first;
}

export function monthStart(day: Day): Day {
  return `${day.slice(0, 8)}01`;
}

export function monthEnd(day: Day): Day {
  return addDays(addMonthsToFirst(monthStart(day), 1), -1);
}

export function quarterStart(day: Day): Day {
  const { year, month } = partsOf(day);
  return dayOf(year, month - ((month - 1) % 3), 1);
}

/** The Monday. */
export function weekStart(day: Day): Day {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

function addMonthsToFirst(first: Day, months: number): Day {
  const { year, month } = partsOf(first);
  return dayOf(year, month + months, 1);
}
