import { type Day, dayOf, partsOf } from "./days.ts";
import { MONTH_NAMES } from "./period.ts";

const MONTH = `(?<month>${MONTH_NAMES.join("|")})`;
const FORMS = [
  // "march 2026", "august 11", "11 august", "august 11 2026", "august 11th"
  new RegExp(`^${MONTH}(?: (?<day>\\d{1,2})(?:st|nd|rd|th)?)?(?:,? (?<year>\\d{4}))?$`),
  new RegExp(`^(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?: (?<year>\\d{4}))?$`),
  // "2026년 3월", "8월 11일"
  /^(?:(?<year>\d{4})년 ?)?(?<number>\d{1,2})월(?: ?(?<day>\d{1,2})일)?$/,
];

/**
 * A month or a day as people say it, in the form that questions have: "march 2026" is 2026-03, "august 11" the latest one that the data can have.
 * @param last the data's last day
 * @param isAhead whether what comes is asked for: "august 11" is then the next one that is not over
 * @returns undefined for what is no such time
 */
export function spokenPeriod(text: string, last: Day, isAhead = false): string | undefined {
  for (const form of FORMS) {
    const found = form.exec(text.trim().toLowerCase())?.groups;
    if (!found) continue;
    const { month: name, number, day, year } = found;
    const month = name === undefined ? Number(number) : MONTH_NAMES.indexOf(name) + 1;
    if (year === undefined && day === undefined) return MONTH_NAMES[month - 1];
    const known = Number(year ?? partsOf(last).year);
    const from = dayOf(known, month, Number(day ?? 1));
    const years = year !== undefined || from > last === isAhead ? 0 : isAhead ? 1 : -1;
    const meant = dayOf(known + years, month, Number(day ?? 1));
    if (partsOf(meant).month !== month) return undefined;
    return day === undefined ? meant.slice(0, 7) : meant;
  }
  return undefined;
}
