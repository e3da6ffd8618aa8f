import { withDirections } from "./directions.ts";
import type { Figure } from "./figure.ts";
import { measured } from "./measures.ts";
import { normalised } from "./normalise.ts";

/** A date, as far as it is said. Two readings of 3/4/2026. */
export type Day = { y?: number; m?: number; d?: number };

/** What a text says in numbers. */
export type Figures = {
  figures: readonly Figure[];
  days: readonly (readonly Day[])[];
  /** What has digits and is no number: identifiers, times. In lower case. */
  names: readonly string[];
  /** What counts and cannot be read as a number. In lower case. */
  vague: readonly string[];
  /** From → to: places in `figures`. */
  moves: readonly (readonly [Figure, Figure])[];
  /** "8.6 out of 10", as `8.6/10`. */
  outOf: readonly string[];
};

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const MONTH = `(?:${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")}|Sept)\\.?`;
const ORDINAL = "(?:st|nd|rd|th)?";

type ReadDay = (parts: readonly (string | undefined)[]) => Day[];
const num = (text: string | undefined): number => Number(text);
const month = (text = ""): number => MONTHS.findIndex((name) => name.startsWith(text.slice(0, 3))) + 1;
const part = (name: "y" | "m" | "d", text: string | undefined): Day =>
  text === undefined ? {} : { [name]: num(text) };

const DAYS: readonly [RegExp, ReadDay][] = [
  [
    /\b(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)/gu,
    ([y, m, d]) => [{ y: num(y), m: num(m), d: num(d) }],
  ],
  [
    /(?<!\d)(?:(\d{4})년\s*)?(\d{1,2})월(?:\s*(\d{1,2})일)?/gu,
    ([y, m, d]) => [{ ...part("y", y), m: num(m), ...part("d", d) }],
  ],
  [/(?<!\d)(\d{4})년/gu, ([y]) => [{ y: num(y) }]],
  [
    new RegExp(`\\b(${MONTH}) (\\d{1,2})${ORDINAL}(?:,? (\\d{4}))?\\b(?![%.,:]\\d|\\s?%)`, "gu"),
    ([m, d, y]) => [{ m: month(m), d: num(d), ...part("y", y) }],
  ],
  [
    new RegExp(`\\b(\\d{1,2})${ORDINAL} (?:of )?(${MONTH})(?:,? (\\d{4}))?(?![\\p{L}\\d])`, "gu"),
    ([d, m, y]) => [{ m: month(m), d: num(d), ...part("y", y) }],
  ],
  [new RegExp(`\\b(${MONTH}) (\\d{4})\\b`, "gu"), ([m, y]) => [{ m: month(m), y: num(y) }]],
  [
    /(?<![\d./])(\d{4})[./](\d{1,2})[./](\d{1,2})(?![\d/])/gu,
    ([y, m, d]) => [{ y: num(y), m: num(m), d: num(d) }],
  ],
  [
    /(?<![\d./])(\d{1,2})[./](\d{1,2})[./](\d{4})(?![\d/])/gu,
    ([one, other, y]) => [
      { y: num(y), m: num(one), d: num(other) },
      { y: num(y), m: num(other), d: num(one) },
    ],
  ],
]; // prettier-ignore

const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  $: "USD",
  us$: "USD",
  dollar: "USD",
  dollars: "USD",
  달러: "USD",
  "€": "EUR",
  euro: "EUR",
  euros: "EUR",
  유로: "EUR",
  "₩": "KRW",
  won: "KRW",
  원: "KRW",
  "£": "GBP",
  pound: "GBP",
  pounds: "GBP",
  "¥": "JPY",
  yen: "JPY",
}; // prettier-ignore
const CODES = "USD|EUR|KRW|GBP|JPY|CHF|CNY|INR";
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  millions: 1e6,
  bn: 1e9,
  b: 1e9,
  billion: 1e9,
  hundred: 100,
  dozen: 12,
  천: 1e3,
  만: 1e4,
  억: 1e8,
  조: 1e12,
}; // prettier-ignore
const PERCENT =
  "%p|%|퍼센트\\s?포인트|퍼센트|프로(?![가-힣])|percentage points?|percent|per cent|pp(?!\\p{L})|points?(?!\\p{L})|포인트";

const NUMBER = new RegExp(
  [
    "(?<sign>(?<![\\p{L}\\p{N}%)])[-+])?",
    `(?<currency>US\\$|[$€£₩¥]|(?<!\\p{L})(?:${CODES}))?[ ]?(?<inner>(?<![\\p{L}\\p{N}%)])[-+])?`,
    "(?<number>(?<![\\p{L}\\d])(?:\\d{1,3}(?: \\d{3})+(?![\\d])(?:[.,]\\d+)?|\\d+(?:[.,']\\d+)*|\\.\\d+))",
    "(?<scale>(?:[kKmMB]|mn|bn)(?!\\p{L})|\\s?(?:thousand|millions?|billion|hundred|dozen)(?!\\p{L})|\\s?[천만억조](?!\\p{Script=Latin}))?",
    `(?<percent>\\s?(?:${PERCENT}))?`,
    `(?<after>\\s?(?:dollars?|euros?|won|pounds?|yen|달러|유로|원|[$€£₩¥](?!\\s?\\d)|(?:${CODES})(?!\\p{L})))?`,
    "(?<unit>[A-Za-z×]+(?![\\p{Script=Latin}\\d])|배)?",
  ].join(""),
  "gu",
);

const NAME =
  /(?<![\p{L}\p{N}_])(?=[A-Za-z0-9_.-]*\d)(?!(?:USD|EUR|KRW|GBP|JPY|CHF|CNY|INR)\d)[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*|\d+[A-Za-z]+\d[A-Za-z0-9]*|(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)|(?<![\d.])\d+(?:\.\d+){2,}(?!\d)/gu;
const RATIO = /(?<![\d:.,])\d+(?:\.\d+)?(?::| : )\d+(?:\.\d+)?(?![\d:])/gu;
const DOTTED_GROUPS = /^\d{1,3}(?:\.\d{3})+$/u;
const VAGUE =
  /\b(?:tens|dozens|hundreds|thousands|millions|billions)\b|수십|수백|수천|수만|\d?[\p{Nl}\p{No}⁄]+\d*|\d+(?:\.\d+)?\s?\/\s?\d+|\d[eE][-+]?\d+|\d\s?\^/giu;

/** Reads the numbers of a text. */
export function figuresIn(text: string): Figures {
  let left = normalised(text);
  const blank = (all: string) => "\u0001".repeat(all.length);
  const days: Day[][] = [];
  for (const [pattern, read] of DAYS) {
    left = left.replace(pattern, (all: string, ...rest: unknown[]) => {
      const groups = rest.filter((one, at) => at < 3 && (one === undefined || typeof one === "string"));
      days.push(read(groups.map((one) => (typeof one === "string" ? one : undefined))));
      return blank(all);
    });
  }
  const taken = (pattern: RegExp, into: string[], isNone = (_: string) => false) => {
    left = left.replace(pattern, (all: string) => {
      if (isNone(all)) return all;
      into.push(all.toLowerCase().replace(/\s+/gu, ""));
      return blank(all);
    });
  };
  const names: string[] = [];
  const vague: string[] = [];
  taken(RATIO, names);
  taken(NAME, names, (all) => DOTTED_GROUPS.test(all));
  taken(VAGUE, vague);
  const matches = [...left.matchAll(NUMBER)];
  const comma = hasCommaDecimals(matches.map(({ groups }) => groups?.number ?? ""));
  const figures: Figure[] = [];
  for (const match of matches) {
    const figure = measured(figureOf(match, comma), left);
    const before = figures.at(-1);
    // "95만 4,968" is one number.
    if (
      before &&
      figure.step < before.step &&
      before.step >= 1e4 &&
      /^\s?$/u.test(left.slice(before.end, figure.start))
    ) {
      if (/[만억조]$/u.test(left.slice(before.start, before.end).trim())) {
        figures[figures.length - 1] = {
          ...figure,
          ...(before.sign ? { sign: before.sign } : {}),
          value: before.value + figure.value,
          start: before.start,
        };
        continue;
      }
    }
    figures.push(figure);
  }
  shareUnits(figures, left);
  const moves = figures.flatMap((figure, at): (readonly [Figure, Figure])[] => {
    const next = figures[at + 1];
    return next && ARROW.test(left.slice(figure.end, next.start)) ? [[figure, next]] : [];
  });
  const outOf = figures.flatMap((figure, at) => {
    const next = figures[at + 1];
    return next && OUT_OF.test(left.slice(figure.end, next.start)) ? [`${figure.value}/${next.value}`] : [];
  });
  return {
    figures: withDirections(figures, left),
    outOf,
    days,
    names,
    vague,
    moves,
  };
}

const OUT_OF = /^\s*(?:out )?of\s*$/iu;

const ARROW = /^\s*(?:→|->|to|에서)\s*$/iu;
const RANGE = /^\s*(?:→|->|-|~|to|and|or|,|에서)\s*$/iu;

/** "Between 3 and 5 %": the unit of one is that of both. */
function shareUnits(figures: readonly Figure[], text: string): void {
  for (const [at, figure] of figures.entries()) {
    const next = figures[at + 1];
    if (!next || !RANGE.test(text.slice(figure.end, next.start))) continue;
    if (figure.unit === "" && next.unit === "%") figure.unit = next.unit;
    else if (next.unit === "" && figure.unit.length === 3) next.unit = figure.unit;
    else if (figure.unit === "" && next.unit.length === 3) figure.unit = next.unit;
  }
}

/** Whether the commas of a text are decimal commas: some number says so, and none says otherwise. */
function hasCommaDecimals(numbers: readonly string[]): boolean {
  let comma = false;
  for (const number of numbers) {
    const last = /[.,](?=[^.,]*$)/u.exec(number);
    if (!last) continue;
    const mark = last[0];
    const digits = number.length - last.index - 1;
    const count = number.split(mark).length - 1;
    const mixed = number.includes(mark === "." ? "," : ".");
    const isDecimal = mixed ? count === 1 : count === 1 && (digits !== 3 || /^0[.,]/u.test(number));
    const isGroup = count > 1;
    if (!isDecimal && !isGroup) continue;
    if ((mark === ".") === isDecimal) return false;
    comma = true;
  }
  return comma;
}

function figureOf(match: RegExpExecArray, comma: boolean): Figure {
  const { sign, inner, number = "", scale, percent, after, currency, unit } = match.groups ?? {};
  const point = comma ? "," : ".";
  const [whole = "", decimals = "", ...more] = number.split(point);
  const digits = whole.replace(/[.,' ]/gu, "");
  const isGrouped = GROUPS.test(whole) && !/[.,' ]/u.test(decimals) && more.length === 0;
  const by = scale === undefined ? 1 : (SCALES[scale.trim().toLowerCase()] ?? Number.NaN);
  const money = (after ?? currency)?.trim().toLowerCase();
  const printed = sign ?? inner;
  return {
    value: isGrouped ? Number(`${digits || "0"}.${decimals || "0"}`) * by : Number.NaN,
    step: by / 10 ** decimals.length,
    ...(printed === "-" || printed === "+" ? { sign: printed } : {}),
    unit:
      percent !== undefined
        ? POINTS.test(percent)
          ? "pp"
          : "%"
        : money !== undefined
          ? (CURRENCY_SIGNS[money] ?? money.toUpperCase())
          : unitOf(unit),
    start: match.index,
    end: match.index + match[0].length,
  };
}

const POINTS = /%p|pp|point|포인트/iu;
const GROUPS = /^(?:\d*|\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*|\d{1,2}(?:,\d{2})*,\d{3})$/u;

function unitOf(unit = ""): string {
  if (/^(?:st|nd|rd|th)$/u.test(unit)) return "";
  return unit === "배" || unit === "×" ? "x" : unit.toLowerCase();
}
