import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { amountsIn, inMinor, minorText } from "./index.ts";

const DIGITS = ["", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
const UNITS = ["", "십", "백", "천"];
const LARGE = ["", "만", "억"];

/** 12345 as 1만2천3백4십5, or 일만이천삼백사십오. */
function koreanUnits(amount: number, spelled: boolean, joint: string): string {
  const groups: string[] = [];
  let rest = amount;
  for (const large of LARGE) {
    const group = rest % 10_000;
    rest = Math.floor(rest / 10_000);
    if (group > 0) groups.unshift(koreanGroup(group, spelled) + large);
  }
  return groups.join(joint);
}

function koreanGroup(group: number, spelled: boolean): string {
  return [...String(group)]
    .reverse()
    .map((digit, at) => (digit === "0" ? "" : `${spelled ? DIGITS[Number(digit)] : digit}${UNITS[at]}`))
    .reverse()
    .join("");
}

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

function english(amount: number): string {
  if (amount < 20) return ONES[amount] ?? "";
  if (amount < 100)
    return `${TENS[Math.floor(amount / 10)]}${amount % 10 === 0 ? "" : `-${ONES[amount % 10]}`}`;
  for (const [name, size] of [
    ["million", 1_000_000],
    ["thousand", 1000],
    ["hundred", 100],
  ] as const) {
    if (amount < size) continue;
    const rest = amount % size;
    const joint = size === 100 ? " and " : " ";
    return `${english(Math.floor(amount / size))} ${name}${rest === 0 ? "" : joint + english(rest)}`;
  }
  return "";
}

const grouped = (amount: number): string => String(amount).replace(/\B(?=(?:\d{3})+$)/g, ",");
const fullWidth = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

const WON: readonly ((amount: number) => string)[] = [
  (amount) => `${amount}원`,
  (amount) => `${grouped(amount)} won`,
  (amount) => `₩${grouped(amount)}`,
  (amount) => `KRW ${amount}`,
  (amount) => `${koreanUnits(amount, false, "")}원`,
  (amount) => `${koreanUnits(amount, false, " ")} 원`,
  (amount) => `${koreanUnits(amount, true, "")}원`,
  (amount) => `${koreanUnits(amount, true, " ")} 원`,
  (amount) => `${english(amount)} won`,
  (amount) => fullWidth(`${grouped(amount)}원`).normalize("NFKC"),
];

const AROUND: readonly ((words: string) => string)[] = [
  (words) => words,
  (words) => `민수에게 ${words} 보내줘`,
  (words) => `send ${words} to Minsu`,
];

test("an amount of won is read as it was printed, in every spelling and sentence", () => {
  const spelling = fc.constantFrom(...WON);
  const around = fc.constantFrom(...AROUND);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), spelling, around, (amount, print, sentence) => {
      const found = amountsIn(sentence(print(amount)));
      expect(found.map(({ value, currencies }) => [inMinor(value, 0), currencies])).toEqual([
        [BigInt(amount), ["KRW"]],
      ]);
    }),
    { numRuns: 2000 },
  );
});

const CENTS: readonly (readonly [currency: string, print: (text: string) => string])[] = [
  ["USD", (text) => `$${text}`],
  ["USD", (text) => `${text} dollars`],
  ["USD", (text) => `${text}달러`],
  ["EUR", (text) => `€${text}`],
  ["EUR", (text) => `${text.replace(".", "#").replaceAll(",", ".").replace("#", ",")} €`],
  ["GBP", (text) => `£${text}`],
];

test("an amount with cents is read exactly", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 99_999_999_999n }),
      fc.constantFrom(...CENTS),
      (minor, [currency, print]) => {
        const [integer = "", fraction = ""] = minorText(minor, 2).split(".");
        const found = amountsIn(print(`${integer.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${fraction}`));
        expect(found.map(({ value, currencies }) => [inMinor(value, 2), currencies])).toEqual([
          [minor, [currency]],
        ]);
      },
    ),
    { numRuns: 1000 },
  );
});

test("any text is read in time, and what is found lies within it", () => {
  const words = fc.constantFrom(
    "5",
    "만",
    "천",
    "원",
    " ",
    ",",
    ".",
    "half",
    "a",
    "million",
    "$",
    "-",
    "won",
    "이",
    "and",
    "ㅋ",
    "x",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 400 }), (parts) => {
      const text = parts.join("");
      let end = 0;
      for (const amount of amountsIn(text)) {
        expect(amount.start).toBeGreaterThanOrEqual(end);
        expect(amount.end).toBeGreaterThan(amount.start);
        end = amount.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
  );
});
