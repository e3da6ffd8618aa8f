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
};
/** Short names that are other words. */
const WORDS = new Set(["mar", "may"]);

const SHORT: ReadonlyMap<string, readonly string[]> = new Map(
  [...MONTHS, ...DAYS, "tomorrow"].map((name) => {
    const short = name === "tomorrow" || WORDS.has(name.slice(0, 3)) ? [] : [name.slice(0, 3)];
    return [name, [...short, ...(OTHERS[name] ?? [])]];
  }),
);

const CALENDAR = new Set([
  ...[...SHORT].flatMap(([name, short]) => [name, ...short]),
  ..."today yesterday morning noon afternoon evening night".split(" "),
]);

/** Whether a word is the name of a month, a weekday or a part of a day, or a short one. */
export const isOfCalendar = (word: string): boolean => CALENDAR.has(word);

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
  const names = [value.toLowerCase(), ...words];
  const spans = names.flatMap((name) =>
    SPANS.flatMap(([word, short]) => (word.test(name) ? short.map((one) => name.replace(word, one)) : [])),
  );
  return [...new Set([...words, ...names.flatMap((name) => SHORT.get(name) ?? []), ...spans])];
}
