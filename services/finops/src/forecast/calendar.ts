/** A period is a whole number: days since 1970-01-01, or months since year 0. */
export type Grain = "day" | "month";

const DAY_MS = 86_400_000;

/** The period of "2026-12-31" or "2026-12"; undefined for any other text and for days that do not exist. */
export function periodOf(text: string, grain: Grain): number | undefined {
  const form = grain === "day" ? /^(\d{4})-(\d\d)-(\d\d)$/ : /^(\d{4})-(\d\d)$/;
  const [, year, month, day = 1] = form.exec(text) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const period =
    grain === "day"
      ? Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS
      : Number(year) * 12 + Number(month) - 1;
  return textOf(period, grain) === text ? period : undefined;
}

export function textOf(period: number, grain: Grain): string {
  if (grain === "day") return new Date(period * DAY_MS).toISOString().slice(0, 10);
  const year = String(Math.floor(period / 12)).padStart(4, "0");
  return `${year}-${String((period % 12) + 1).padStart(2, "0")}`;
}

/** From 0. */
export function dayOfMonth(day: number): number {
  return new Date(day * DAY_MS).getUTCDate() - 1;
}

export function daysInMonth(day: number): number {
  const date = new Date(day * DAY_MS);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

export type Span = { readonly from: number; readonly to: number };

/**
 * First and last period of a month ("2026-12"), quarter ("2026-Q4") or, in days, of a span of them ("2026-10-01/2026-10-07"); undefined for any
 * other text.
 */
export function spanOf(text: string, grain: Grain): Span | undefined {
  if (text.includes("/")) {
    const [from, to] = text.split("/").map((day) => periodOf(day, "day"));
    return grain === "day" && from !== undefined && to !== undefined && from <= to ? { from, to } : undefined;
  }
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(text) ?? [];
  const first = year === undefined ? periodOf(text, "month") : Number(year) * 12 + (Number(quarter) - 1) * 3;
  if (first === undefined) return undefined;
  const next = first + (year === undefined ? 1 : 3);
  return grain === "month"
    ? { from: first, to: next - 1 }
    : { from: firstDay(first), to: firstDay(next) - 1 };
}

function firstDay(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}
