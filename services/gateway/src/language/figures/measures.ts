import type { Figure } from "./figure.ts";

/** What is measured in, and how else it is written. */
const MEASURES: Readonly<Record<string, string>> = {
  ms: "milliseconds?|밀리초",
  s: "s|secs?|seconds?|초",
  min: "mins?|minutes?|분(?!기|의|석)",
  h: "h|hrs?|hours?|시간",
  day: "days?|일(?!치|간)|일간",
  week: "weeks?|주일|주간",
  month: "months?|개월",
  quarter: "quarters?",
  year: "years?|년(?!대)",
  kb: "[kK]B|kilobytes?",
  mb: "MB|megabytes?",
  gb: "GB|gigabytes?",
  tb: "TB|terabytes?",
  gib: "GiB",
  tib: "TiB",
  kwh: "kWh",
  c: "°C",
  f: "°F",
  g: "g|grams?|그램",
  kg: "kg|kilograms?|kilos?",
  t: "t|tons?|tonnes?|톤",
  km: "km|kilomet(?:er|re)s?",
  mi: "miles?",
};
const MEASURE = new RegExp(
  `^(?:${Object.entries({ ...MEASURES, ms: `ms|${MEASURES.ms}` })
    .map(([name, forms]) => `[ -]?(?<${name}>${forms})`)
    .join("|")})(?![\\p{Script=Latin}\\p{N}])`,
  "u",
);
const PER =
  /^\s?(?:an?|per|each|every|in a|\/)\s?(second|minute|hour|day|week|month|quarter|year|초|분|시간|일|주|월|년)(?!\p{L})/iu;

/** A unit may stand apart from its number, and what it is for behind both. */
export function measured(figure: Figure, text: string): Figure {
  let { unit, end } = figure;
  if (unit === "") {
    const match = MEASURE.exec(text.slice(end, end + 24));
    const [name] = Object.entries(match?.groups ?? {}).find(([, form]) => form !== undefined) ?? [];
    if (name !== undefined) unit = name;
    end += match?.[0].length ?? 0;
  }
  const [, period] = PER.exec(text.slice(end, end + 24)) ?? [];
  return {
    ...figure,
    unit,
    ...(period === undefined ? {} : { per: PERIODS[period] ?? period.toLowerCase() }),
  };
}

const PERIODS: Readonly<Record<string, string>> = {
  초: "second",
  분: "minute",
  시간: "hour",
  일: "day",
  주: "week",
  월: "month",
  년: "year",
};
