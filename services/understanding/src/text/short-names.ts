const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const DAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");

/** How people write these in haste, besides their first three letters. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  september: ["sept"],
  tuesday: ["tues"],
  thursday: ["thur", "thurs"],
  tomorrow: ["tmrw", "tmr", "tmrow", "2moro"],
  yesterday: ["yday", "yest"],
};
/** Short names that are other words. */
const WORDS = new Set(["mar", "may"]);

const SHORT: ReadonlyMap<string, readonly string[]> = new Map(
  [...MONTHS, ...DAYS, "tomorrow", "yesterday"].map((name) => {
    const short =
      /^(?:tomorrow|yesterday)$/.test(name) || WORDS.has(name.slice(0, 3)) ? [] : [name.slice(0, 3)];
    return [name, [...short, ...(OTHERS[name] ?? [])]];
  }),
);

const CALENDAR = new Set([
  ...[...SHORT].flatMap(([name, short]) => [name, ...short]),
  ..."today yesterday morning noon afternoon evening night".split(" "),
]);

/** Whether a word is the name of a month, a weekday or a part of a day, or a short one. */
export const isOfCalendar = (word: string): boolean => CALENDAR.has(word);

/** Other words for the span that is now, and for those beside it. */
const RELATIVE: readonly (readonly [word: RegExp, same: readonly string[]])[] = [
  [/^this (?=(?:week|month|quarter|year)$)/, ["current ", "present ", "running "]],
  [/^last (?=(?:week|month|quarter|year)$)/, ["previous ", "preceding ", "prior ", "previous calendar "]],
  [/^next (?=(?:week|month|quarter|year)$)/, ["coming ", "upcoming ", "following "]],
  [/^이번 ?(?=주$|분기$)/, ["금", "당", "현재 "]],
  [/^이번 ?달$/, ["이달", "당월", "금월"]],
  [/^지난 ?(?=분기$)/, ["전", "저번 ", "직전 "]],
  [/^지난 ?달$/, ["전월", "저번달"]],
  [/^다음 ?(?=분기$|주$)/, ["차", "담 "]],
  [/^다음 ?달$/, ["내달", "차월", "익월"]],
];

/** How people shorten the words of a span of time. */
const SPANS: readonly (readonly [word: RegExp, short: readonly string[]])[] = [
  [/\bweekend\b/, ["wkend", "wknd", "w/e"]],
  [/\bweek(?=s|ly|\b)/, ["wk"]],
  [/\bmonth(?=s|ly|\b)/, ["mth"]],
  [/\bquarter(?=s|ly|\b)/, ["qtr"]],
  [/\byear(?=s|ly|\b)/, ["yr"]],
  [/\bdays\b/, ["d"]],
  [/요일/, ["욜"]],
  [/지난 ?(?=주|달)/, ["저번", "저번 "]],
  [/다음 ?(?=주|달)/, ["담"]],
  [/이번 ?(?=주|달)/, ["요번", "요번 "]],
];

/** The words that a value goes by, with the short names of months, weekdays and spans: "feb" where there is "february". */
export function withShortNames(value: string, words: readonly string[]): readonly string[] {
  const known = [value.toLowerCase(), ...words];
  const names = [...known, ...known.flatMap((name) => replaced(name, RELATIVE))];
  const spans = names.flatMap((name) => replaced(name, SPANS));
  const [, ...others] = names;
  return [...new Set([...others, ...names.flatMap((name) => SHORT.get(name) ?? []), ...spans])];
}

const replaced = (name: string, forms: typeof SPANS): string[] =>
  forms.flatMap(([word, others]) => (word.test(name) ? others.map((one) => name.replace(word, one)) : []));
