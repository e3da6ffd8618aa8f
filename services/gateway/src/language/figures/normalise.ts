/** Writes a text so that its numbers have one form: ASCII digits, one minus, and digits instead of number words. */
export function normalised(text: string): string {
  const plain = text
    .replace(/\p{Cf}/gu, "")
    .replace(/(?<=\d)[\u00a0\u2009\u202f](?=\d{3})/gu, "'")
    .normalize("NFKC")
    .replace(/[’ʼ](?=\d)/gu, "'")
    .replace(/[−–—﹣]/gu, "-")
    .replace(/[⟶➔➜⇒]/gu, "→")
    .replace(/\r\n?/gu, "\n");
  return withoutNumbering(koreanWords(englishWords(plain)));
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
  return withMultiples.replace(
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

const NATIVE = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"];
const NATIVE_TENS = ["열", "스물", "서른", "마흔", "쉰"];
const KOREAN_COUNTER =
  "개월|개|가지|건|명|곳|달|배|품목|항목|규칙|차례|종|시간|퍼센트|프로(?![가-힣])|%|포인트|원|달러|유로";
const KOREAN_NATIVE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(${NATIVE_TENS.join("|")}|스무)?(${NATIVE.join("|")})?)\\s?(?=(?:${KOREAN_COUNTER}|번(?![가-힣])))`,
  "gu",
);
const SINO_DIGITS = "영일이삼사오육칠팔구";
const KOREAN_SINO = new RegExp(
  `(?<![\\p{L}\\p{N}])([영공일이삼사오육칠팔구십백천만억]{2,}|[일이삼사오육칠팔구십백천만](?=\\s?(?:퍼센트|프로(?![가-힣])|%|달러|유로|개월|포인트|배(?![가-힣]))))(?:\\s?점\\s?([영공일이삼사오육칠팔구]+))?\\s?(?=(?:${KOREAN_COUNTER}))`,
  "gu",
);

function koreanWords(text: string): string {
  return text
    .replace(
      KOREAN_NATIVE,
      (all: string, tens: string | undefined, unit: string | undefined, at: number, on: string) => {
        // prettier-ignore
        // "Once more" counts nothing.
        if (all.trim() === "" || (all.trim() === "한" && on.startsWith("번", at + all.length))) return all;
        const ten = tens === undefined ? 0 : tens === "스무" ? 20 : 10 * (NATIVE_TENS.indexOf(tens) + 1);
        return String(ten + (unit === undefined ? 0 : NATIVE.indexOf(unit) + 1));
      },
    )
    .replace(KOREAN_SINO, (_, whole: string, part: string | undefined) => {
      const digits = [...(part ?? "")].map((one) => Math.max(0, SINO_DIGITS.indexOf(one))).join("");
      return `${sinoValue(whole)}${digits === "" ? "" : `.${digits}`}`;
    });
}

function sinoValue(text: string): number {
  let total = 0;
  let group = 0;
  let digit = 0;
  for (const one of text) {
    const small = { 십: 10, 백: 100, 천: 1_000 }[one];
    const large = { 만: 1e4, 억: 1e8 }[one];
    if (small !== undefined) {
      group += (digit || 1) * small;
      digit = 0;
    } else if (large !== undefined) {
      total += (group + digit || 1) * large;
      group = 0;
      digit = 0;
    } else digit = digit * 10 + Math.max(0, SINO_DIGITS.indexOf(one));
  }
  return total + group + digit;
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
