import { koreanWords, SINO_DIGITS } from "./korean-numerals.ts";

/** Combining marks in a row: to put them in order takes the square of their number, and a model may write any (UAX #15 has 30 as well). */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Writes a text so that its numbers have one form: ASCII digits, one minus, and digits instead of number words. */
export function normalised(text: string): string {
  const plain = text
    .replace(/\p{Cf}/gu, "")
    .replace(/(?<=\d)[\u00a0\u2009\u202f](?=\d{3})/gu, "'")
    .replace(MANY_MARKS, "$1")
    .normalize("NFKC")
    .replace(/[’ʼ](?=\d)/gu, "'")
    .replace(/[−–—﹣]/gu, "-")
    .replace(/[⟶➔➜⇒]/gu, "→")
    .replace(/\r\n?/gu, "\n");
  return withoutNumbering(timesOf(koreanWords(englishWords(sharesOf(plain)))));
}

const PARTS = "third quarter fifth sixth seventh eighth ninth tenth".split(" ");
const PART = `(${PARTS.join("|")})`;
const COUNTED = "one|two|three|four|five|six|seven|eight|nine|\\d";
const SHARES = [
  // "A quarter" alone is a time as often as a share.
  /\b(a)n?[ -](third|fifth|sixth|seventh|eighth|ninth|tenth)(?!\p{L})/giu,
  /\b(a) (quarter)(?= (?:of|less|more|lower|higher|cheaper|fewer)\b)/giu,
  /(?<=\b(?:by|about|nearly|almost|over|than|around) )(a) (quarter)(?!\p{L})/giu,
  new RegExp(`\\b(${COUNTED})[ -]${PART}s?(?!\\p{L})`, "giu"),
];
const KOREAN_SHARE =
  /(?<![\p{L}\p{N}])([2-9이삼사오육칠팔구])\s?분의\s?([1-9일이삼사오육칠팔구])(?![\d만억])/gu;

/** "A third", "two thirds", "삼분의 일": as a fraction. */
function sharesOf(text: string): string {
  const count = (word: string) => (/\d/u.test(word) ? word : word === "a" ? 1 : UNITS.indexOf(word));
  const said = SHARES.reduce(
    (left, pattern) =>
      left.replace(pattern, (_, of: string, part: string) => {
        return `${count(of.toLowerCase())}/${PARTS.indexOf(part.toLowerCase()) + 3}`;
      }),
    text,
  );
  const digit = (one: string) => (/\d/u.test(one) ? one : SINO_DIGITS.indexOf(one));
  return said.replace(KOREAN_SHARE, (_, whole: string, of: string) => `${digit(of)}/${digit(whole)}`);
}

const CLOCK = /(?<![\d:.,])(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m\b\.?/giu;
const KOREAN_CLOCK = /(오전|오후|아침|저녁)\s?(\d{1,2})(?:시(?:\s?(\d{1,2})분)?|:(\d{2}))/gu;

/** "2:35 pm", "오후 2시 35분": as 14:35. */
function timesOf(text: string): string {
  const clock = (hour: string, minute = "00", isLate: boolean) =>
    `${(Number(hour) % 12) + (isLate ? 12 : 0)}:${minute.padStart(2, "0")}`;
  return text
    .replace(CLOCK, (_, hour: string, minute: string | undefined, half: string) =>
      clock(hour, minute, half.toLowerCase() === "p"),
    )
    .replace(KOREAN_CLOCK, (_, half: string, hour: string, minute?: string, other?: string) =>
      clock(hour, minute ?? other, half === "오후" || half === "저녁"),
    );
}

const ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
const ORDINAL = new RegExp(`\\b(${ORDINALS.join("|")})\\b(?!,)`, "giu");
const QUARTER = /\b(first|second|third|fourth|1st|2nd|3rd|4th)[ -]quarter\b/giu;

/** "The third quarter" is Q3; "first" and "second" count nothing: "first of all". */
function ordinalsOf(text: string): string {
  const quarter = (word: string) =>
    /\d/u.test(word) ? word.charAt(0) : ["first", "second", ...ORDINALS].indexOf(word.toLowerCase()) + 1;
  return text
    .replace(QUARTER, (_, word: string) => `Q${quarter(word)}`)
    .replace(/(?<![\d.,])([1-4])\s?분기/gu, "Q$1")
    .replace(ORDINAL, (word: string) => `${ORDINALS.indexOf(word.toLowerCase()) + 3}th`);
}

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  ); // prettier-ignore
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SMALL = new Map<string, number>([
  ...UNITS.map((word, value): [string, number] => [word, value]),
  ...TENS.map((word, at): [string, number] => [word, 20 + 10 * at]),
]);
const LARGE = new Map([
  ["hundred", 100],
  ["dozen", 12],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);

const SMALL_WORD = [...SMALL.keys()].toSorted((one, other) => other.length - one.length).join("|");
const LARGE_WORD = [...LARGE.keys()].join("|");
const ENGLISH = new RegExp(
  `\\b(minus[ ]+)?((?:a[ ]+(?=${LARGE_WORD}\\b))?(?:${SMALL_WORD}|${LARGE_WORD})(?:(?:[ -]+(?:and[ ]+)?)(?:${SMALL_WORD}|${LARGE_WORD}))*)(?:[ ]+point((?:[ ]+(?:${SMALL_WORD}))+))?\\b`,
  "giu",
);
/** "Each one", "one another", "this one" count nothing. */
const NO_COUNT_BEFORE = /\b(?:no|each|every|this|that|which|any|the|another)\s+$/iu;
const NO_COUNT_AFTER = /^\s+(?:another|by one)\b/iu;
/** What is said in a word, and how a figure says it. */
const MULTIPLES: readonly [RegExp, string][] = [
  [/\b(?:twice|doubl(?:e|es|ed|ing))\b/giu, "2x"],
  [/\b(?:thrice|tripl(?:e|es|ed|ing))\b/giu, "3x"],
  [/\b(?:half(?!-)|halves|halved)\b|절반/giu, "50%"],
];

function englishWords(text: string): string {
  const withMultiples = MULTIPLES.reduce((said, [pattern, figure]) => said.replace(pattern, figure), text);
  return ordinalsOf(withMultiples).replace(
    ENGLISH,
    (all: string, minus, whole: string, point, at: number, on: string) => {
      if (
        /^\s*(?:a\s+)?one$/iu.test(all) &&
        (NO_COUNT_BEFORE.test(on.slice(Math.max(0, at - 12), at)) ||
          NO_COUNT_AFTER.test(on.slice(at + all.length, at + all.length + 12)))
      )
        return all; // prettier-ignore
      // "3 million": the number before it says the rest.
      if (LARGE.has(all.toLowerCase()) && /\d\s?$/u.test(on.slice(Math.max(0, at - 2), at))) return all;
      const digits =
        point === undefined
          ? ""
          : `.${wordsOf(point)
              .map((word) => SMALL.get(word))
              .join("")}`; // prettier-ignore
      return `${minus === undefined ? "" : "-"}${countOf(wordsOf(whole))}${digits}`;
    },
  );
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s-]+/u)
    .filter((word) => word !== "" && word !== "and" && word !== "a");
}

function countOf(words: readonly string[]): number {
  let total = 0;
  let group = 0;
  for (const word of words) {
    const large = LARGE.get(word);
    if (large === undefined) group += SMALL.get(word) ?? 0;
    else if (large < 1_000) group = (group || 1) * large;
    else {
      total += (group || 1) * large;
      group = 0;
    }
  }
  return total + group;
}

/** The numbers of a numbered list say nothing, where they count from one. */
function withoutNumbering(text: string): string {
  let next = 1;
  return text.replace(/^([ \t]*)(\d{1,2})([.)])(?=\s)/gmu, (all: string, indent: string, number: string) => {
    if (Number(number) === 1) next = 1;
    if (Number(number) !== next) return all;
    next += 1;
    return `${indent}-`;
  });
}
