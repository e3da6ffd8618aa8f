import { type CurrencyName, centsAt, currencyAt } from "./currencies.ts";
import { type Decimal, decimalOf, plus, times } from "./decimal.ts";
import { readEnglish, scaled } from "./english.ts";
import { type Numeral, readKorean } from "./korean.ts";

/** An amount that a text names. */
export type FoundAmount = {
  readonly start: number;
  readonly end: number;
  readonly value: Decimal;
  readonly negative: boolean;
  /** The currencies that it may be in; none where it is a bare number. */
  readonly currencies: readonly string[];
};

const PREFIX =
  /(?:us\$|hk\$|ca\$|au\$|[sca]\$|jp¥|cn¥|[₩$€£¥₹₫₱]|(?:krw|usd|eur|gbp|jpy|cny|rmb|chf|cad|aud|hkd|sgd|inr|mxn|php|sek|nok|dkk)(?=[\s\d]))\s?/iuy;
const SIGN = /[-−]\s?|minus\s+|negative\s+|마이너스\s?/iuy;
/** With commas, points or apostrophes between thousands, or one decimal mark. */
const DIGITS = /\d{1,3}(?:[,'’ ]\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:\.\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)?/y;
/** Numbers that count or name something else. */
const NOT_MONEY =
  /^(?:st|nd|rd|th|x|%|퍼센트|프로|°)|^\s?(?:people|persons?|friends?|times?|transfers?|payments?|tasks?|days?|weeks?|months?|years?|hours?|minutes?|o'?clock|am|pm|of (?:them|us|those|these))(?![a-z])|^\s?(?:명|건|번|개|일|월|년|주|시|분|차|층|호|사람|회|박|살|가지|달)(?!러)/iu;
const LETTER_BEFORE = /[\p{L}\p{N}._'’-]$/u;
/** What a Korean amount may stick to from behind: a particle, as in "민수에게5만원". */
const PARTICLE_BEFORE = /(?:에게|한테|께|은|는|을|를|이|가|로|도|씩|당|총|약|만)$/;

/** All amounts of a text, in order. */
export function amountsIn(text: string): FoundAmount[] {
  const found: FoundAmount[] = [];
  for (let at = 0; at < text.length; ) {
    const amount = startsHere(text, at) ? amountAt(text, at) : undefined;
    if (amount === undefined) at += 1;
    else {
      found.push(amount);
      at = amount.end;
    }
  }
  return found;
}

function startsHere(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at);
  if (!LETTER_BEFORE.test(before)) return true;
  if (/[._'’-]$/.test(before))
    return /(?:^|\s)[-]$/.test(before) || (/[.'’]\s?$/.test(before) && !/\d[.'’]$/.test(before));
  // Digits and signs of a currency begin an amount wherever they stand behind Hangul; words need a particle before them.
  if (/[₩$€£¥\d]/.test(text.charAt(at))) return /\p{Script=Hangul}$/u.test(before);
  return PARTICLE_BEFORE.test(before) && /\p{Script=Hangul}/u.test(text.charAt(at));
}

function amountAt(text: string, start: number): FoundAmount | undefined {
  const signed = ending(SIGN, text, start);
  const prefixEnd = ending(PREFIX, text, signed);
  const prefix = prefixEnd > signed ? currencyAt(text, signed) : undefined;
  const inner = prefix === undefined ? signed : prefixEnd;
  // "$-5"
  const from = ending(SIGN, text, inner);
  const numeral = numeralAt(text, from);
  if (numeral === undefined) return undefined;
  const negative = signed > start || from > inner;
  const rest = text.slice(numeral.end, numeral.end + 24);
  const suffix = prefix === undefined ? currencyAt(text, numeral.end) : undefined;
  const cents = prefix === undefined && suffix === undefined ? centsAt(text, numeral.end) : undefined;
  if (cents !== undefined)
    return {
      start,
      end: cents.end,
      negative,
      value: times(numeral.value, decimalOf("0.01")),
      currencies: cents.currencies,
    };
  if (prefix === undefined && suffix === undefined && (NOT_MONEY.test(rest) || isCount(text, from, numeral)))
    return undefined;
  const named: CurrencyName | undefined = prefix ?? suffix;
  const end = Math.max(numeral.end, suffix?.end ?? 0, redundantEnd(text, numeral.end, prefix));
  return withCents(text, { start, end, negative, value: numeral.value, currencies: named?.currencies ?? [] });
}

/** "$50 USD", "₩50,000원". */
function redundantEnd(text: string, at: number, prefix: CurrencyName | undefined): number {
  if (prefix === undefined) return 0;
  const again = currencyAt(text, at);
  return again?.currencies.some((one) => prefix.currencies.includes(one)) ? again.end : 0;
}

/** "5 dollars and 50 cents". */
function withCents(text: string, amount: FoundAmount): FoundAmount {
  const joint = /\s(?:and\s)?/iuy;
  joint.lastIndex = amount.end;
  if (amount.currencies.length === 0 || !joint.test(text)) return amount;
  const numeral = numeralAt(text, joint.lastIndex);
  const cents = numeral && centsAt(text, numeral.end);
  if (!numeral || !cents || cents.currencies[0] !== amount.currencies[0]) return amount;
  return { ...amount, end: cents.end, value: plus(amount.value, times(numeral.value, decimalOf("0.01"))) };
}

/** "one", "two": small numbers in words mean other things than money unless a currency follows. */
function isCount(text: string, from: number, { value, end }: Numeral): boolean {
  if (/\d/.test(text.charAt(from)) || /\p{Script=Hangul}/u.test(text.charAt(from))) return false;
  return value.scale === 0 && value.units < 10n && end > from;
}

function numeralAt(text: string, at: number): Numeral | undefined {
  const korean = readKorean(text, at);
  if (korean !== undefined) return korean;
  DIGITS.lastIndex = at;
  const digits = DIGITS.exec(text)?.[0];
  if (digits === undefined) return /[a-z]/i.test(text.charAt(at)) ? readEnglish(text, at) : undefined;
  const value = readDigits(
    digits,
    /^\s?(?:k|m|mn|mil|bn|thousand|million|billion)(?![\p{L}\p{N}])/iu.test(text.slice(at + digits.length)),
  );
  const half = /\s(?:and a half)(?=\s(?:k|thousand|million|billion))/iuy;
  half.lastIndex = at + digits.length;
  if (half.test(text)) return scaled(plus(value, decimalOf("0.5")), text, half.lastIndex);
  return scaled(value, text, at + digits.length);
}

/** Reads the marks of either locale: 1,234.50 and 1.234,50. Three digits behind a single mark are thousands, unless a scale follows. */
function readDigits(digits: string, isScaled: boolean): Decimal {
  const text = digits.replace(/['’ ]/g, "");
  const point = text.lastIndexOf(".");
  const comma = text.lastIndexOf(",");
  if (point === -1 && comma === -1) return decimalOf(text);
  if (point !== -1 && comma !== -1) {
    const [decimal, group] = point > comma ? [".", ","] : [",", "."];
    return decimalOf(text.replaceAll(group, "").replace(decimal, "."));
  }
  const mark = point === -1 ? "," : ".";
  const groups = text.split(mark);
  const thousands =
    groups.slice(1).every(({ length }) => length === 3) && /^[1-9]\d{0,2}$/.test(groups[0] ?? "");
  if (thousands && !(isScaled && groups.length === 2 && mark === ".")) return decimalOf(groups.join(""));
  return decimalOf(text.replace(mark, "."));
}

function ending(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
