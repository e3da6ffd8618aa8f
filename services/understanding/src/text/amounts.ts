import { currenciesOf } from "./currencies.ts";
import { MEANS } from "./generic-words.ts";
import { type Lexicon, longestPhrase } from "./lexicon.ts";
import {
  beginsAmount,
  HALF,
  isAndAHalf,
  type Numeral,
  readFraction,
  readNumeral,
  readTenths,
} from "./numerals.ts";
import type { Token } from "./tokens.ts";

/** An amount that a message names. */
export type Amount = {
  /** A share (0.05), an amount of money, or a plain number. */
  value: number;
  unit: "share" | "money" | "none" | "time";
  /** The lower end of a range. */
  low?: number;
  /** The sign was written, or the word says the direction: "+5%", "double". */
  signed: boolean;
  /** "1.400" where the point stands between thousands, as it does in whatever is no share. */
  thousands?: number;
  /** It was said as a factor, "times 1.1", and is the share that this adds. */
  factor?: true;
  /** Of money: ISO codes of the currencies that it may be in; absent where none was said. */
  currencies?: readonly string[];
  length: number;
};

/** Verbs that say how much. */
const WHOLE: ReadonlyMap<string, number> = new Map([
  ...["double", "doubles", "doubled", "doubling"].map((word): [string, number] => [word, 1]),
  ...["triple", "triples", "tripled", "tripling"].map((word): [string, number] => [word, 2]),
  ...["halve", "halves", "halved", "halving"].map((word): [string, number] => [word, -0.5]),
  ["절반으로", -0.5],
  ["반토막", -0.5],
  ["절반", -0.5],
]);

const TIME =
  /^(?:days?|weeks?|months?|years?|quarters?|hours?|minutes?|am|pm|st|nd|rd|th|월|년|일|분기|주|개월|시|분|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/;
const HUNDREDTH = /^(?:cents?|pence)$/;
/** A quarter is a span of time, too: "the last three quarters", "per quarter", "a quarter ago". */
const BEFORE_SPAN =
  /^(?:last|past|next|previous|coming|recent|this|these|each|every|per|once|twice|for|since)$/;
const BEHIND_SPAN = /^(?:ago|earlier|later|back|end|ahead|before)$/;
/** "the end of a quarter" */
const PART_OF_TIME = /^(?:end|start|beginning|middle|course|rest|half|quarter|part|most|all|out)$/;
/** "A third party", "the first half". */
const ORDINAL_OF = /^(?:party|parties|one|time|option|person|round|try|attempt|opinion|place)$/;
const HALF_OF_TWO = /^(?:first|second|other|better|latter|upper|lower|top|bottom)$/;

/** Signs in words, where they cannot be anything else. */
const SIGNS: ReadonlyMap<string, 1 | -1> = new Map([
  ["minus", -1],
  ["plus", 1],
]);
const BEFORE_SIGN = /^(?:between|by|from|and|to|of)$/;

/** Reads the amount that begins at a token, with its unit. */
export function readAmount(lexicon: Lexicon, tokens: readonly Token[], at: number): Amount | undefined {
  const first = tokens[at];
  if (!first || !beginsAmount(first)) return undefined;
  const whole = WHOLE.get(first.norm);
  // "a double digit increase" says no figure.
  if (whole !== undefined && !/^digits?$/.test(tokens[at + 1]?.norm ?? ""))
    return { value: whole, unit: "share", signed: true, length: 1 };
  if (first.norm === "반" && tokens[at + 1]?.norm === "으로")
    return { value: -0.5, unit: "share", signed: true, length: 2 };
  const sign = signAt(tokens, at);
  const start = at + (sign === 0 ? 0 : 1);
  const money = sign === 0 && (isUnit(lexicon, tokens, at)?.means ?? 0) & MEANS.currency ? 1 : 0;
  const from = start + money;
  const fraction = money || sign !== 0 ? undefined : fractionOf(lexicon, tokens, at);
  if (fraction) return fraction;
  const clock = sign === 0 && money === 0 ? clockTime(tokens, at) : undefined;
  if (clock) return clock;
  const numeral = readNumeral(tokens, from);
  if (!numeral || (money && tokens[from]?.kind !== "number")) return undefined;
  const factor = money || sign !== 0 ? undefined : factorOf(tokens, at, numeral);
  if (factor) return factor;
  const read = withUnit(lexicon, tokens, from, numeral, money === 1);
  const range = rangeFrom(lexicon, tokens, at, from, read);
  if (range) return range;
  const value = sign === -1 ? -read.value : read.value;
  return { ...read, value, signed: sign !== 0, length: from - at + read.length };
}

/** "5:30", "17:05". */
function clockTime(tokens: readonly Token[], at: number): Amount | undefined {
  const [hours, colon, minutes] = tokens.slice(at, at + 3);
  const isTime =
    colon?.norm === ":" &&
    colon.glued &&
    minutes?.glued &&
    /^(?:[01]?\d|2[0-4])$/.test(hours?.norm ?? "") &&
    /^[0-5]\d$/.test(minutes.norm);
  return isTime ? { value: Number(hours?.norm), unit: "time", signed: false, length: 3 } : undefined;
}

/** More is a number of pieces: "x 500". */
const MOST_FACTOR = 10;
/** Tokens between "multiply" and "by". */
const REACH_OF_FACTOR = 6;

/** "by a factor of 1.2", "prices times 1.05", "multiply prices by 1.1", "1.2 times", 1.2배. */
function factorOf(tokens: readonly Token[], at: number, { value, length }: Numeral): Amount | undefined {
  const word = (i: number): string => tokens[i]?.norm ?? "";
  const before = word(at - 1);
  const isMultiplied = (): boolean =>
    tokens
      .slice(Math.max(0, at - REACH_OF_FACTOR), at)
      .some(({ norm }) => /^multipl(?:y|ied|ying)$/.test(norm));
  const isFactor =
    before === "factor" ||
    (before === "of" && word(at - 2) === "factor") ||
    /^(?:times|x|\*)$/.test(before) ||
    (before === "by" && isMultiplied());
  // "3 times" counts, and 1.2 counts nothing.
  const isBehind = word(at + length) === "배" || (word(at + length) === "times" && !Number.isInteger(value));
  if (!(isFactor || isBehind) || value <= 0 || value > MOST_FACTOR) return undefined;
  const share = Number((value - 1).toPrecision(12));
  return { value: share, unit: "share", signed: true, factor: true, length: length + (isBehind ? 1 : 0) };
}

function signAt(tokens: readonly Token[], at: number): number {
  const [sign, digits] = [tokens[at], tokens[at + 1]];
  // "between minus 5 and plus 5 %", "by minus 3 %".
  if (BEFORE_SIGN.test(tokens[at - 1]?.norm ?? "") && digits && beginsAmount(digits)) {
    const said = SIGNS.get(sign?.norm ?? "");
    if (said !== undefined) return said;
  }
  if (sign?.kind !== "mark" || !digits?.glued || digits.kind !== "number") return 0;
  // "5%-10%" is a range.
  if (sign.norm === "-") return sign.glued && tokens[at - 1]?.kind !== "mark" ? 0 : -1;
  return sign.norm === "+" ? 1 : 0;
}

/** A percent sign, a currency, and so on. */
function isUnit(
  lexicon: Lexicon,
  tokens: readonly Token[],
  at: number,
): { means: number; length: number; currencies?: readonly string[] } | undefined {
  const phrase = longestPhrase(lexicon, tokens, at);
  const means = (phrase?.entry.means ?? 0) & (MEANS.percent | MEANS.basisPoint | MEANS.currency);
  if (!phrase || means === 0) return undefined;
  const word = tokens.slice(at, at + phrase.length).map(({ norm }) => norm);
  const currencies = means & MEANS.currency ? currenciesOf(word.join(" ")) : undefined;
  return { means, length: phrase.length, ...(currencies ? { currencies } : {}) };
}

/** "30 hours", where the domain has a number of hours. */
const isMeasure = (lexicon: Lexicon, tokens: readonly Token[], at: number): boolean =>
  longestPhrase(lexicon, tokens, at)?.entry.senses.some(
    (sense) => sense.is === "noun" && sense.slot.kind === "number",
  ) ?? false;

type Read = Pick<Amount, "value" | "unit" | "length" | "currencies" | "thousands">;

function withUnit(
  lexicon: Lexicon,
  tokens: readonly Token[],
  at: number,
  numeral: Numeral,
  money: boolean,
): Read {
  const { value, length } = numeral;
  let next = at + length;
  const unit =
    isUnit(lexicon, tokens, next) ??
    (tokens[next]?.norm === "-" ? isUnit(lexicon, tokens, ++next) : undefined);
  const all = unit ? next + unit.length - at : length;
  if (unit && unit.means & MEANS.percent) {
    // "one percent and a half"
    const half = isAndAHalf(tokens, at + all) ? HALF.length : 0;
    return { value: (half ? value + 0.5 : value) / 100, unit: "share", length: all + half };
  }
  if (unit && unit.means & MEANS.basisPoint) return { value: value / 10_000, unit: "share", length: all };
  // No price has three decimals, so that the point stands between thousands.
  const amount = (numeral.thousands ?? value) / (unit && HUNDREDTH.test(tokens[next]?.norm ?? "") ? 100 : 1);
  const currencies = unit?.currencies ?? (money ? isUnit(lexicon, tokens, at - 1)?.currencies : undefined);
  if (money || unit)
    return {
      value: amount,
      unit: "money",
      length: unit ? all : length,
      ...(currencies ? { currencies } : {}),
    };
  const following = tokens[at + length];
  if (following && TIME.test(following.norm) && !isMeasure(lexicon, tokens, at + length))
    return { value, unit: "time", length: length + 1 };
  const before = tokens[at - 1]?.norm ?? "";
  const digits = tokens[at]?.norm ?? "";
  if (
    /^(?:19|20)\d\d$/.test(digits) ||
    (TIME.test(before) && before.length > 2 && Number.isInteger(value) && value < 32)
  ) {
    return { value, unit: "time", length };
  }
  return { value, unit: "none", length, ...(numeral.thousands ? { thousands: numeral.thousands } : {}) };
}

/** "between 5 and 10 %", "100 to 200 euros", "5-10%". */
function rangeFrom(
  lexicon: Lexicon,
  tokens: readonly Token[],
  at: number,
  from: number,
  low: Read,
): Amount | undefined {
  const mark = from + low.length;
  const joint = tokens[mark]?.norm ?? "";
  const between = /^between$/.test(tokens[at - 1]?.norm ?? "");
  if (!(joint === "-" || joint === "to" || joint === "~" || (between && joint === "and"))) return undefined;
  const start = mark + 1;
  const sign =
    SIGNS.has(tokens[start]?.norm ?? "") ||
    tokens[start]?.norm === "+" ||
    (tokens[start]?.norm === "-" && tokens[start + 1]?.glued)
      ? 1
      : 0;
  const money = (isUnit(lexicon, tokens, start)?.means ?? 0) & MEANS.currency ? 1 : 0;
  const numeral = readNumeral(tokens, start + sign + money);
  if (!numeral) return undefined;
  const high = withUnit(lexicon, tokens, start + sign + money, numeral, money === 1 || low.unit === "money");
  if (low.unit !== "none" && low.unit !== high.unit) return undefined;
  const scaled = low.unit === "none" && high.unit === "share" ? low.value / 100 : low.value;
  const negative = signAt(tokens, at) === -1 ? -1 : 1;
  const length = start + sign + money + high.length - at;
  const currencies = high.currencies ?? low.currencies;
  return {
    value: high.value,
    low: negative * scaled,
    unit: high.unit,
    signed: false,
    length,
    ...(currencies ? { currencies } : {}),
  };
}

/** "a tenth", "half a percent", "a quarter of a percent". */
function fractionOf(lexicon: Lexicon, tokens: readonly Token[], at: number): Amount | undefined {
  const article = tokens[at]?.norm === "a" && tokens[at + 1]?.norm === "half" ? 1 : 0;
  const one = /^(?:a|one)$/.test(tokens[at]?.norm ?? "") ? isUnit(lexicon, tokens, at + 1) : undefined;
  if (one && one.means & MEANS.percent)
    return { ...withUnit(lexicon, tokens, at, { value: 1, length: 1 }, false), signed: false };
  // "Half a dozen" is six.
  if (tokens[at + article]?.norm === "half" && readNumeral(tokens, at + article)) return undefined;
  const tenths = readTenths(tokens, at);
  if (tenths) return { ...tenths, unit: "share", signed: false };
  const fraction = readFraction(tokens, at + article);
  if (!fraction) return undefined;
  let end = at + article + fraction.length;
  while (/^(?:of|a|an|one)$/.test(tokens[end]?.norm ?? "")) end++;
  const unit = isUnit(lexicon, tokens, end);
  if (unit && unit.means & MEANS.percent) {
    return { value: fraction.value / 100, unit: "share", signed: false, length: end + unit.length - at };
  }
  // "half an hour"
  const time = tokens[end]?.norm ?? "";
  if (/^(?:an?|of)$/.test(tokens[end - 1]?.norm ?? "") && TIME.test(time))
    return { value: fraction.value, unit: "time", signed: false, length: end + 1 - at };
  const length = article + fraction.length;
  const last = tokens[at + length - 1]?.norm ?? "";
  const [before, behind] = [tokens[at - 1]?.norm ?? "", tokens[at + length]?.norm ?? ""];
  const isSpan =
    /^quarters?$/.test(last) &&
    (BEFORE_SPAN.test(before) ||
      BEHIND_SPAN.test(behind) ||
      (before === "of" && PART_OF_TIME.test(tokens[at - 2]?.norm ?? "")));
  const isOther =
    (last === "third" && ORDINAL_OF.test(behind)) || (last === "half" && HALF_OF_TWO.test(before));
  return isSpan || isOther ? undefined : { value: fraction.value, unit: "share", signed: false, length };
}
