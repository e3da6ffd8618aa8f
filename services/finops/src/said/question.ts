import type { Day } from "../periods/days.ts";
import { daysOf, MONTH_NAMES, type PeriodAsked, type Span } from "../periods/period.ts";
import { spokenPeriod } from "../periods/spoken.ts";

const MONTH = `(?:${MONTH_NAMES.join("|")})`;
/** Times with a number, which are too many to be declared as the values of a slot. */
const TIME = new RegExp(
  [
    "\\b\\d{4}-(?:q[1-4]|\\d{2}(?:-\\d{2})?)\\b",
    "\\bq[1-4] \\d{4}\\b",
    `\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4}\\b)?`,
    `\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\\b(?: \\d{4}\\b)?`,
    `\\b${MONTH} \\d{4}\\b`,
    "\\b(?:in|of|for|during|year) (?:19|20)\\d{2}\\b(?!-)",
    "(?:\\d{4}년 ?)?\\d{1,2}월(?: ?\\d{1,2}일)?",
    "\\b(?:last|past|next|coming) [1-9]\\d{0,2} (?:days|weeks|months)\\b",
  ].join("|"),
  "gi",
);
const RANGE = /^\s*(?:to|until|till|through|and|–|-|~|부터|에서)\s*$/i;

const COMPARED = /\b(?:compar\w+|versus|vs|against)\b|대비|비교/i;

/** In Korean what is compared with stands before the verb. */
const COMPARED_AFTER = /^\s*(?:과|와|하고|이랑|랑|에)?\s*(?:비교|대비)/;

/**
 * The times of a question that names them with numbers: "on August 11", "in 2026-03", "Q3 2025", "from July 3 to July 9", "last 45 days",
 * "August 2026 against July 2026".
 * @param isAhead whether it is about what comes: August 11 is then the next one, else the latest
 * @returns nothing where it names none, or several of which none says what they are
 */
export function timesInQuestion(
  question: string,
  span: Span,
  isAhead = false,
): { readonly period?: PeriodAsked; readonly compare_to?: PeriodAsked } {
  const found = [...question.matchAll(TIME)].flatMap((match) => {
    const period = periodFor(match[0], span.last_day, isAhead);
    return period === undefined ? [] : [{ period, start: match.index, end: match.index + match[0].length }];
  });
  const [first, second, third] = found;
  if (first === undefined || third !== undefined) return {};
  if (second === undefined)
    return COMPARED.test(question.slice(0, first.start)) || COMPARED_AFTER.test(question.slice(first.end))
      ? { compare_to: first.period }
      : { period: first.period };
  const between = question.slice(first.end, second.start);
  if (COMPARED.test(between)) return { period: first.period, compare_to: second.period };
  if (!RANGE.test(between)) return {};
  const [{ from }, { to }] = [daysOf(first.period, span), daysOf(second.period, span)];
  return from <= to ? { period: { from, to } } : {};
}

const SHARE = /(\d{1,3}(?:\.\d+)?) ?(?:%|percent\b|per cent\b|퍼센트|프로)/gi;

/** All shares of a question: "at 50, 75 % and 100 %" has one that a slot holds, and others that it cannot. */
export function sharesInQuestion(question: string): readonly number[] {
  return [...question.matchAll(SHARE)].map(([, text]) => Number(text) / 100);
}

function periodFor(said: string, last: Day, isAhead: boolean): string | undefined {
  const text = said.toLowerCase();
  if (/^\d{4}-/.test(text)) return text.toUpperCase();
  if (/^[a-z]+ \d{4}$/.test(text) && /^(?:in|of|for|during|year) /.test(text)) return text.slice(-4);
  const [, quarter, year] = /^(q[1-4]) (\d{4})$/.exec(text) ?? [];
  if (quarter !== undefined) return `${year}-${quarter.toUpperCase()}`;
  if (/^(?:last|past|next|coming)/.test(text))
    return text.replace("past", "last").replace("coming", "next").replaceAll(" ", "_");
  return spokenPeriod(text, last, isAhead);
}
