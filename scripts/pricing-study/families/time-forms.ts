import type { Draw } from "../draw.ts";
import { type Cell, effect, type Family, oneTier, range, table } from "./market.ts";

const DAY = 86_400_000;
const FIRST_MONDAY = Date.UTC(2021, 0, 4);
const two = (value: number) => String(value).padStart(2, "0");

type Form = { readonly header: string; cells(time: number): readonly Cell[] };

/** ISO 8601 week of a Monday: the year and week of its Thursday. */
function isoWeek(time: number): { year: number; week: number } {
  const thursday = new Date(time + 3 * DAY);
  const year = thursday.getUTCFullYear();
  return { year, week: 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY)) };
}

const dated = (header: string, text: (year: number, month: string, day: string) => string): Form => ({
  header,
  cells(time) {
    const date = new Date(time);
    return [text(date.getUTCFullYear(), two(date.getUTCMonth() + 1), two(date.getUTCDate()))];
  },
});

const ISO_WEEKS: Form = {
  header: "week",
  cells(time) {
    const { year, week } = isoWeek(time);
    return [`${year}-W${two(week)}`];
  },
};

const OTHERS: readonly Form[] = [
  dated("date", (y, m, d) => `${d}.${m}.${y}`),
  dated("date", (y, m, d) => `${m}/${d}/${y}`),
  dated("date", (y, m, d) => `${d}/${m}/${y}`),
  dated("date", (y, m, d) => `${y}${m}${d}`),
  dated("date", (y, m, d) => `${y}/${m}/${d}`),
  dated("날짜", (y, m, d) => `${y}년 ${Number(m)}월 ${Number(d)}일`),
  { header: "date", cells: (time) => [time / DAY] },
  {
    header: "year,week",
    cells(time) {
      const { year, week } = isoWeek(time);
      return [year, week];
    },
  },
];

/** Three years of weeks in which demand and prices have the same season. */
function seasonal(draw: Draw, { header, cells }: Form) {
  const phase = 2 * Math.PI * draw.uniform();
  const rows = range(156).map((week) => {
    const time = FIRST_MONDAY + 7 * DAY * week;
    const season = Math.sin((2 * Math.PI * time) / (365.25 * DAY) + phase);
    const price = 100 * Math.exp(0.15 * season + 0.1 * draw.normal());
    const quantity = 50 * Math.exp(effect(price) + 0.35 * season + 0.2 * draw.normal());
    return [...cells(time), price.toFixed(2), quantity.toFixed(1)];
  });
  return oneTier(draw, table(`${header},price,quantity`, rows), 50);
}

/** The same season under the forms in which files write their periods. */
export const TIME_FORMS: readonly Family[] = [
  {
    name: "season, plain dates",
    kind: "well-behaved",
    make: (draw) =>
      seasonal(
        draw,
        dated("date", (y, m, d) => `${y}-${m}-${d}`),
      ),
  },
  { name: "season, ISO weeks", kind: "troubled", make: (draw) => seasonal(draw, ISO_WEEKS) },
  {
    name: "season, other date forms",
    kind: "troubled",
    make: (draw) => seasonal(draw, OTHERS[Math.floor(draw.uniform() * OTHERS.length)] ?? ISO_WEEKS),
  },
];
