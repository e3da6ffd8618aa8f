import { type Decimal, decimalOf, plus, times, whole } from "./decimal.ts";

/** A number at a place of a text. */
export type Numeral = { readonly value: Decimal; readonly end: number };

const DIGITS = "영일이삼사오육칠팔구";
const SMALL: Readonly<Record<string, bigint>> = { 십: 10n, 백: 100n, 천: 1000n };
const LARGE: Readonly<Record<string, bigint>> = { 만: 10_000n, 억: 100_000_000n, 조: 1_000_000_000_000n };
const UNIT = /[십백천만억조]/;

const PLAIN_NUMBER = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?/y;
/** What may follow a numeral that is written in syllables, since the same syllables begin names and words. */
const BEHIND =
  /(?:$|[\s.,!?~:;)"'’”]|\s?(?:원|달러|불|유로|엔|위안|파운드|센트)|(?:씩|정도|쯤|가량|짜리|으로|로|을|를|이야|이요|입니다|이에요|예요|만\s|요(?![가-힣])|은|는|이\s|을\s|보내|송금|이체|부쳐|줘|주세요))/y;

type Part = {
  readonly kind: "number" | "unit";
  readonly value: Decimal;
  readonly letter: string;
  readonly end: number;
};

/**
 * Reads a number with Korean units: 5만, 3천5백, 1억 2천만, 삼만오천, 2.5만, 만. The units go down; where they do not, another number
 * begins. Digits without any unit are not Korean.
 */
export function readKorean(text: string, at: number): Numeral | undefined {
  const parts = partsFrom(text, at);
  const units = parts.filter(({ kind }) => kind === "unit");
  const spelled = !/\d/.test(text.charAt(at));
  const last = parts.at(-1);
  if (last === undefined || (units.length === 0 && !spelled)) return undefined;
  if (spelled && !matches(BEHIND, text, last.end)) return undefined;
  // "이 원", "만", "오": a syllable alone is a number only before a currency.
  if (
    spelled &&
    parts.length === 1 &&
    !/^\s?(?:원|달러|불|유로|엔|위안|파운드|씩)/.test(text.slice(last.end))
  )
    return undefined;
  return { value: sum(parts), end: last.end };
}

function sum(parts: readonly Part[]): Decimal {
  let total = whole(0);
  let section: Decimal | undefined;
  let number: Decimal | undefined;
  for (const { kind, value, letter } of parts) {
    if (kind === "number") number = value;
    else if (letter in SMALL) {
      section = plus(section ?? whole(0), times(number ?? whole(1), value));
      number = undefined;
    } else {
      const held = section === undefined ? (number ?? whole(1)) : plus(section, number ?? whole(0));
      total = plus(total, times(held, value));
      section = undefined;
      number = undefined;
    }
  }
  return plus(plus(total, section ?? whole(0)), number ?? whole(0));
}

function partsFrom(text: string, start: number): Part[] {
  const parts: Part[] = [];
  let small = 10_000n;
  let large = 10n ** 20n;
  let at = start;
  for (;;) {
    const before = parts.at(-1);
    const gap = before?.kind === "unit" && text[at] === " " ? 1 : 0;
    const part = partAt(text, at + gap, before?.kind);
    if (part === undefined) return parts;
    if (part.kind === "unit") {
      const unit = part.value.units;
      if (unit >= 10_000n) {
        if (unit >= large) return parts;
        large = unit;
        small = 10_000n;
      } else {
        if (unit >= small) return parts;
        small = unit;
      }
    } else if (gap === 1 && !continues(text, part)) return parts;
    parts.push(part);
    at = part.end;
  }
}

function partAt(text: string, at: number, before: Part["kind"] | undefined): Part | undefined {
  const letter = text.charAt(at);
  const unit = SMALL[letter] ?? LARGE[letter];
  if (unit !== undefined) {
    const isWord = before === undefined || text.charAt(at - 1) === " ";
    if (isWord && !isNumeralWord(text, at)) return undefined;
    return { kind: "unit", value: whole(unit), letter, end: at + 1 };
  }
  if (before === "number") return undefined;
  PLAIN_NUMBER.lastIndex = at;
  const digits = PLAIN_NUMBER.exec(text)?.[0];
  if (digits !== undefined)
    return {
      kind: "number",
      value: decimalOf(digits.replaceAll(",", "")),
      letter: "",
      end: at + digits.length,
    };
  const digit = letter === "" ? -1 : DIGITS.indexOf(letter);
  if (digit < 0 || !isNumeralWord(text, at)) return undefined;
  return { kind: "number", value: whole(digit), letter: "", end: at + 1 };
}

const NUMERAL_RUN = /[영일이삼사오육칠팔구십백천만억조]+/y;

/** Whether the syllables from here to the end of their run are a number, and not the beginning of a name such as 백종원. */
function isNumeralWord(text: string, at: number): boolean {
  NUMERAL_RUN.lastIndex = at;
  const run = NUMERAL_RUN.exec(text)?.[0] ?? "";
  if (matches(BEHIND, text, at + run.length)) return true;
  // "5만이체": the run reaches into the next word, where a unit ends the number.
  return false;
}

/** A number behind a space belongs to the one before only with a unit or a currency of its own: "3만 5천", "1만 500원". */
function continues(text: string, { end }: Part): boolean {
  return (
    UNIT.test(text.charAt(end)) || /^\s?(?:원|달러|불|유로|엔|위안|파운드)/.test(text.slice(end, end + 3))
  );
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
