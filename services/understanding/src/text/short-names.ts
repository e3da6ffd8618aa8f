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

/** The words that a value goes by, with the short names of months and weekdays: "feb" where there is "february". */
export const withShortNames = (value: string, words: readonly string[]): readonly string[] => [
  ...new Set([...words, ...[value.toLowerCase(), ...words].flatMap((name) => SHORT.get(name) ?? [])]),
];
