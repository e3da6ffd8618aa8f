/** A day that a text names, as an ISO date; undefined where there is no such day, like the 31st of April. */
export type FoundDate = { readonly start: number; readonly end: number; readonly iso: string | undefined };

type Day = { readonly year: number; readonly month: number; readonly day: number };
type Rule = readonly [pattern: RegExp, resolve: (groups: readonly string[], today: Date) => Day | undefined];

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?";
const WEEKDAY =
  "(monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|thu|fri|sat|sun)(?![a-z])";
const EN_DAYS = "sun mon tue wed thu fri sat".split(" ");
const KO_DAYS = "일월화수목금토";
const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  ten: 10,
  하루: 1,
  이틀: 2,
  사흘: 3,
  나흘: 4,
  닷새: 5,
  열흘: 10,
  일: 1,
  이: 2,
  삼: 3,
  한: 1,
  두: 2,
  세: 3,
  보름: 15,
};
const COUNT = "(\\d{1,3}|an?|one|two|three|four|five|six|seven|ten)";

function day(date: Date): Day {
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

function inDays(today: Date, days: number): Day {
  return day(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));
}

function countOf(text: string): number {
  return COUNTS[text] ?? Number(text);
}

/** The weekday of the week that is `weeks` ahead; weeks begin on Monday. */
function weekday(today: Date, wanted: number, weeks: number): Day {
  const fromMonday = (index: number): number => (index + 6) % 7;
  return inDays(today, fromMonday(wanted) - fromMonday(today.getDay()) + 7 * weeks);
}

/** The next such weekday, today included only on request. */
function coming(today: Date, wanted: number, withToday = false): Day {
  const ahead = (wanted - today.getDay() + 7) % 7;
  return inDays(today, ahead === 0 && !withToday ? 7 : ahead);
}

function inMonth(today: Date, months: number, wanted: number | "last"): Day {
  const first = new Date(today.getFullYear(), today.getMonth() + months, 1);
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  return { ...day(first), day: wanted === "last" ? last : wanted };
}

/** A day without a year is the next one of that name. */
function upcoming(today: Date, month: number, wanted: number): Day {
  const year = today.getFullYear();
  const isOver = month < today.getMonth() + 1 || (month === today.getMonth() + 1 && wanted < today.getDate());
  return { year: isOver ? year + 1 : year, month, day: wanted };
}

function dayOfMonth(today: Date, wanted: number): Day {
  return inMonth(today, wanted < today.getDate() ? 1 : 0, wanted);
}

function enDay(text = ""): number {
  return EN_DAYS.indexOf(text.slice(0, 3).toLowerCase());
}

function enMonth(text = ""): number {
  return MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

function fullYear(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

const BEFORE = "(?<![\\p{L}\\p{N}])";
const AFTER = "(?![\\p{Script=Latin}\\p{N}])";

function en(source: string): RegExp {
  return new RegExp(
    `${BEFORE}(?:(?:on|by|for|from|until|at|in time for) )?(?:the )?${source}${AFTER}`,
    "giu",
  );
}
function plain(source: string): RegExp {
  return new RegExp(`${BEFORE}${source}`, "giu");
}

const KO_WEEKDAY = "([일월화수목금토])요일";
const LATER = "\\s?(?:뒤|후|있다가|이따가|지나서)(?:에)?";

/** Longer readings stand before shorter ones: the first one that matches takes the words. */
const RULES: readonly Rule[] = [
  [
    plain("(\\d{4})[-./]\\s?(\\d{1,2})[-./]\\s?(\\d{1,2})\\.?(?!\\d)"),
    ([y = "", m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) }),
  ],
  [
    plain("(\\d{4}|\\d{2})년\\s?(\\d{1,2})월\\s?(\\d{1,2})일"),
    ([y = "", m, d]) => ({ year: fullYear(y), month: Number(m), day: Number(d) }),
  ],
  [
    plain("내년\\s?(\\d{1,2})월\\s?(\\d{1,2})일"),
    ([m, d], today) => ({ year: today.getFullYear() + 1, month: Number(m), day: Number(d) }),
  ],
  [
    plain("작년\\s?(\\d{1,2})월\\s?(\\d{1,2})일"),
    ([m, d], today) => ({ year: today.getFullYear() - 1, month: Number(m), day: Number(d) }),
  ],
  [plain("(\\d{1,2})월\\s?(\\d{1,2})일"), ([m, d], today) => upcoming(today, Number(m), Number(d))],
  [plain("지난\\s?달\\s?(\\d{1,2})일"), ([d], today) => inMonth(today, -1, Number(d))],
  [plain("(?:이번|이)\\s?달\\s?(\\d{1,2})일"), ([d], today) => inMonth(today, 0, Number(d))],
  [plain("(?:다음|담|내)\\s?달\\s?(\\d{1,2})일"), ([d], today) => inMonth(today, 1, Number(d))],
  [plain("(?:다음|담)\\s?달\\s?(?:말일|말)"), (_, today) => inMonth(today, 1, "last")],
  [plain("(?:(?:이번|이)\\s?달\\s?)?(?:말일|월말)"), (_, today) => inMonth(today, 0, "last")],
  [
    plain(`(?:다다음|다담)\\s?주\\s?${KO_WEEKDAY}`),
    ([d = ""], today) => weekday(today, KO_DAYS.indexOf(d), 2),
  ],
  [
    plain(`(?:다음|담|차)\\s?주\\s?${KO_WEEKDAY}`),
    ([d = ""], today) => weekday(today, KO_DAYS.indexOf(d), 1),
  ],
  [plain(`(?:이번|금)\\s?주\\s?${KO_WEEKDAY}`), ([d = ""], today) => weekday(today, KO_DAYS.indexOf(d), 0)],
  [
    plain(`(?:지난|저번)\\s?주\\s?${KO_WEEKDAY}`),
    ([d = ""], today) => weekday(today, KO_DAYS.indexOf(d), -1),
  ],
  [plain(`(?:돌아오는\\s?|오는\\s?)?${KO_WEEKDAY}`), ([d = ""], today) => coming(today, KO_DAYS.indexOf(d))],
  [plain(`(\\d{1,3}|삼|이|일)\\s?일${LATER}`), ([n = ""], today) => inDays(today, countOf(n))],
  [plain(`(하루|이틀|사흘|나흘|닷새|열흘|보름)${LATER}`), ([n = ""], today) => inDays(today, countOf(n))],
  [
    plain(`(\\d{1,2}|일|한|이|두|삼|세)\\s?주(?:일)?${LATER}`),
    ([n = ""], today) => inDays(today, 7 * countOf(n)),
  ],
  [plain(`(\\d{1,2}|한|두|세)\\s?(?:달|개월)${LATER}`), ([n = ""], today) => monthsLater(today, countOf(n))],
  [plain("그저께|그제|엊그제"), (_, today) => inDays(today, -2)],
  [plain("어제|어저께"), (_, today) => inDays(today, -1)],
  [plain("내일\\s?모레"), (_, today) => inDays(today, 2)],
  [plain("(?:오늘|금일)(?:\\s?(?:중으로|안에|바로))?"), (_, today) => inDays(today, 0)],
  [plain("(?:내일|낼|익일|명일)"), (_, today) => inDays(today, 1)],
  [plain("(?:모레|낼모레)"), (_, today) => inDays(today, 2)],
  [plain("글피"), (_, today) => inDays(today, 3)],
  [plain("(\\d{1,2})일(?=에|날|자|\\s|$|[.,!?])"), ([d], today) => dayOfMonth(today, Number(d))],
  [en("day after tomorrow"), (_, today) => inDays(today, 2)],
  [en("day before yesterday"), (_, today) => inDays(today, -2)],
  [en("yesterday"), (_, today) => inDays(today, -1)],
  [en("(?:today|tonight|this (?:evening|afternoon|morning))"), (_, today) => inDays(today, 0)],
  [
    en("(?:tomorrow|tmrw|tmr|tomorow)(?: (?:morning|afternoon|evening|night))?"),
    (_, today) => inDays(today, 1),
  ],
  [en(`${COUNT} days? (?:from now|later|from today)`), ([n = ""], today) => inDays(today, countOf(n))],
  [en(`${COUNT} weeks? (?:from now|later|from today)`), ([n = ""], today) => inDays(today, 7 * countOf(n))],
  [en(`${COUNT} days? ago`), ([n = ""], today) => inDays(today, -countOf(n))],
  [en(`${COUNT} weeks? ago`), ([n = ""], today) => inDays(today, -7 * countOf(n))],
  [en(`(?:in|after) ${COUNT} days?(?:'? time)?`), ([n = ""], today) => inDays(today, countOf(n))],
  [en(`(?:in|after) ${COUNT} weeks?(?:'? time)?`), ([n = ""], today) => inDays(today, 7 * countOf(n))],
  [en(`(?:in|after) ${COUNT} months?(?:'? time)?`), ([n = ""], today) => monthsLater(today, countOf(n))],
  [
    en(`a week from ${WEEKDAY}`),
    ([d], today) => coming(new Date(today.getFullYear(), today.getMonth(), today.getDate() + 7), enDay(d)),
  ],
  [en(`(?:next week(?: on|'s)?|next) ${WEEKDAY}`), ([d], today) => weekday(today, enDay(d), 1)],
  [en(`${WEEKDAY} (?:of )?next week`), ([d], today) => weekday(today, enDay(d), 1)],
  [en(`last ${WEEKDAY}`), ([d], today) => weekday(today, enDay(d), -1)],
  [en(`this ${WEEKDAY}`), ([d], today) => coming(today, enDay(d), true)],
  [
    en("(?:end of (?:the|this) month|last day of (?:the|this) month|month end)"),
    (_, today) => inMonth(today, 0, "last"),
  ],
  [en("end of next month"), (_, today) => inMonth(today, 1, "last")],
  [
    en(`${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`),
    ([m, d, y]) => ({ year: Number(y), month: enMonth(m), day: Number(d) }),
  ],
  [
    en(`(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH},? (\\d{4})`),
    ([d, m, y]) => ({ year: Number(y), month: enMonth(m), day: Number(d) }),
  ],
  [
    en(`${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?`),
    ([m, d], today) => upcoming(today, enMonth(m), Number(d)),
  ],
  [
    en(`(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}`),
    ([d, m], today) => upcoming(today, enMonth(m), Number(d)),
  ],
  [en("(\\d{1,2})(?:st|nd|rd|th) of next month"), ([d], today) => inMonth(today, 1, Number(d))],
  [en("(\\d{1,2})(?:st|nd|rd|th)(?: of (?:this|the) month)?"), ([d], today) => dayOfMonth(today, Number(d))],
  [en("(\\d{1,2})/(\\d{1,2})/(\\d{4})"), ([a, b, y]) => monthFirst(Number(a), Number(b), Number(y))],
  [
    en("(\\d{1,2})/(\\d{1,2})"),
    ([a, b], today) => {
      const { month, day: wanted } = monthFirst(Number(a), Number(b), 0);
      return upcoming(today, month, wanted);
    },
  ],
  [en(`(?:coming )?${WEEKDAY}(?: (?:morning|afternoon|evening))?`), ([d], today) => coming(today, enDay(d))],
];

/** 12/25 is the 25th of December; 25/12 can only be so, too. */
function monthFirst(a: number, b: number, year: number): Day {
  return a > 12 ? { year, month: b, day: a } : { year, month: a, day: b };
}

function monthsLater(today: Date, months: number): Day {
  const last = inMonth(today, months, "last");
  return { ...last, day: Math.min(today.getDate(), last.day) };
}

/** All days that a text names, in order. Abbreviations of weekdays count only behind "on", "next" and the like. */
export function datesIn(text: string, today: Date): FoundDate[] {
  const found: FoundDate[] = [];
  for (const [pattern, resolve] of RULES) {
    for (const match of text.matchAll(pattern)) {
      const [words, ...groups] = match;
      const start = match.index;
      const end = start + words.length;
      if (found.some((other) => start < other.end && other.start < end) || isWord(words)) continue;
      const resolved = resolve(
        groups.map((group) => group?.toLowerCase() ?? ""),
        today,
      );
      found.push({ start, end, iso: resolved && isoOf(resolved) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Words that are days only in company: "sat", "sun", "may 5". */
function isWord(words: string): boolean {
  return /^(?:sat|sun|mon|wed|fri|thu|tue)$/i.test(words);
}

function isoOf({ year, month, day: wanted }: Day): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, wanted));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== wanted) return undefined;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(wanted).padStart(2, "0")}`;
}

/** Today, where the agent runs: the time zone is the process's (TZ). */
export function todayOf(now: Date): string {
  return isoOf(day(now)) ?? "";
}
