import { type Decimal, decimalOf, plus, times, whole } from "./decimal.ts";
import type { Numeral } from "./korean.ts";

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety";
const SMALL: ReadonlyMap<string, number> = new Map([
  ...ONES.split(" ").map((word, value): [string, number] => [word, value]),
  ...TENS.split(" ").map((word, at): [string, number] => [word, 10 * (at + 2)]),
]);
const SCALES: ReadonlyMap<string, bigint> = new Map([
  ["hundred", 100n],
  ["thousand", 1000n],
  ["grand", 1000n],
  ["k", 1000n],
  ["million", 1_000_000n],
  ["mil", 1_000_000n],
  ["mn", 1_000_000n],
  ["m", 1_000_000n],
  ["billion", 1_000_000_000n],
  ["bn", 1_000_000_000n],
  ["trillion", 1_000_000_000_000n],
]);
const HALF = decimalOf("0.5");
const QUARTER = decimalOf("0.25");

/** Multiplies behind digits: 1.2k, 50K, 1.5 million, 5 hundred thousand. */
const SCALE_BEHIND =
  /\s?(?:(k|m|mn|mil|bn)(?![\p{L}\p{N}])|\s*(hundred|thousand|grand|million|billion|trillion)s?(?![a-z]))/iuy;

/** The scales behind a number, and where they end. A letter on its own is a scale only if it sticks: "50k", not "50 k". */
export function scaled(value: Decimal, text: string, at: number): Numeral {
  SCALE_BEHIND.lastIndex = at;
  const found = SCALE_BEHIND.exec(text);
  const unit = SCALES.get((found?.[1] ?? found?.[2] ?? "").toLowerCase());
  if (found === null || unit === undefined) return { value, end: at };
  return scaled(times(value, whole(unit)), text, at + found[0].length);
}

const WORD = /[\s-]*([a-z]+)(?![\p{L}\p{N}])/iuy;

type Word = { readonly word: string; readonly end: number };

function wordAt(text: string, at: number): Word | undefined {
  WORD.lastIndex = at;
  const found = WORD.exec(text);
  return found?.[1] === undefined ? undefined : { word: found[1].toLowerCase(), end: at + found[0].length };
}

function isPhrase(text: string, at: number, words: string): number | undefined {
  let end = at;
  for (const wanted of words.split(" ")) {
    const next = wordAt(text, end);
    if (next?.word !== wanted) return undefined;
    end = next.end;
  }
  return end;
}

/** A number in words: "a hundred", "twenty-five thousand", "half a million", "two and a half million", "one point five million". */
export function readEnglish(text: string, at: number): Numeral | undefined {
  const fraction = fractionAt(text, at);
  if (fraction !== undefined) {
    const whole = scaled(fraction.value, text, fraction.end);
    return whole.end > fraction.end ? whole : undefined;
  }
  let end = at;
  let total = whole(0);
  let group: Decimal | undefined;
  for (;;) {
    const next = wordAt(text, end);
    if (next === undefined) break;
    const { word } = next;
    const small = SMALL.get(word);
    const scale = SCALES.get(word);
    if (small !== undefined && fits(group, small)) group = plus(group ?? whole(0), whole(small));
    else if (scale !== undefined && word.length > 2 && group !== undefined) {
      group = times(group, whole(scale));
      if (scale > 100n) {
        total = plus(total, group);
        group = whole(0);
      }
    } else if ((word === "a" || word === "an") && group === undefined) {
      if (!isScaleWord(wordAt(text, next.end)?.word)) break;
      group = whole(1);
    } else if (word === "and" && group !== undefined) {
      const half = isPhrase(text, end, "and a half");
      if (half !== undefined) {
        const halved = scaled(plus(group, HALF), text, half);
        return { value: plus(total, halved.value), end: halved.end };
      }
      const behind = SMALL.get(wordAt(text, next.end)?.word ?? "");
      if (behind === undefined || (group.units !== 0n && group.units % 100n !== 0n)) break;
    } else if (word === "point" && group !== undefined) {
      const digits = pointAt(text, next.end);
      if (digits === undefined) break;
      const read = scaled(plus(group, digits.value), text, digits.end);
      return { value: plus(total, read.value), end: read.end };
    } else break;
    end = next.end;
  }
  return group === undefined ? undefined : { value: plus(total, group), end };
}

/** Whether a small number may follow: five behind twenty, and anything behind hundreds. */
function fits(group: Decimal | undefined, small: number): boolean {
  if (group === undefined || group.units === 0n) return true;
  if (group.units % 100n === 0n) return true;
  return group.units % 10n === 0n && small > 0 && small < 10 && group.units % 100n >= 20n;
}

function isScaleWord(word: string | undefined): boolean {
  return word !== undefined && word.length > 2 && SCALES.has(word);
}

function fractionAt(text: string, at: number): Numeral | undefined {
  for (const [words, value] of [
    ["half a", HALF],
    ["half of a", HALF],
    ["a half", HALF],
    ["half", HALF],
    ["a quarter of a", QUARTER],
    ["quarter of a", QUARTER],
    ["a quarter", QUARTER],
    ["quarter", QUARTER],
  ] as const) {
    const end = isPhrase(text, at, words);
    if (end !== undefined) return { value, end };
  }
  return undefined;
}

function pointAt(text: string, at: number): Numeral | undefined {
  let digits = "";
  let end = at;
  for (;;) {
    const next = wordAt(text, end);
    const digit = SMALL.get(next?.word ?? "");
    if (next === undefined || digit === undefined || digit > 9) break;
    digits += digit;
    end = next.end;
  }
  return digits === "" ? undefined : { value: decimalOf(`0.${digits}`), end };
}
