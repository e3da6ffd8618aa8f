const NATIVE = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"];
const NATIVE_TENS = ["열", "스물", "서른", "마흔", "쉰"];
const KOREAN_COUNTER =
  "개월|개|가지|건|명|곳|달|배|품목|항목|규칙|차례|종|시간|번째|퍼센트|프로(?![가-힣])|%|포인트|원|달러|유로";
/** Of whole numbers in Chinese words: "천이백 번의 추출". */
const MORE_COUNTERS = "번|회|차|인|분|초|일|주|년|위|점|대|장|층|행|줄|쌍|단계";
const KOREAN_NATIVE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(${NATIVE_TENS.join("|")}|스무)?(${NATIVE.join("|")})?)\\s?(?=(?:${KOREAN_COUNTER}|시(?!간|[장점])|번(?![가-힣])))`,
  "gu",
);
/** Each at the place of what it means. */
export const SINO_DIGITS = "영일이삼사오육칠팔구";
const KOREAN_SINO = new RegExp(
  `(?<![\\p{L}\\p{N}])([영공일이삼사오육칠팔구십백천만억]{2,}|[일이삼사오육칠팔구십백천만](?=\\s?(?:퍼센트|프로(?![가-힣])|%|달러|유로|개월|포인트|배(?![가-힣]))))(?:\\s?점\\s?([영공일이삼사오육칠팔구]+))?\\s?(?=(?:${KOREAN_COUNTER}))`,
  "gu",
);

/** "천 번", "천이백 회": it has a thousand, or a hundred, or ten. */
const KOREAN_ROUND = new RegExp(
  `(?<![\\p{L}\\p{N}])((?=[일이삼사오육칠팔구]*[십백천만억])[일이삼사오육칠팔구십백천만억]+)\\s?(?=(?:${MORE_COUNTERS})(?:[은는이가을를의에도만]|[^\\p{L}\\p{N}]|$))`,
  "gu",
);
/** "4천" of "4천만", "8천 8백 80". */
const KOREAN_MIXED =
  /(?<![\d.,])(?:\d{1,4}[천백십](?=\s?[만억조])|(?:\d[천백십]\s?)+(?:\d[천백십](?=\s?[만억조])|\d[백십]|\d{1,3}(?![\d.,천백십만억조%])))/gu;

function mixedValue(text: string): string {
  let sum = 0;
  for (const [, digits, scale = ""] of text.matchAll(/(\d+)([천백십]?)/gu))
    sum += Number(digits) * ({ 천: 1_000, 백: 100, 십: 10 }[scale] ?? 1);
  return String(sum);
}

/** Writes Korean number words, and amounts such as "8천5백", in digits. */
export function koreanWords(text: string): string {
  return text
    .replace(
      KOREAN_NATIVE,
      (all: string, tens: string | undefined, unit: string | undefined, at: number, on: string) => {
        // prettier-ignore
        // "Once more" and "the second" count nothing.
        const counter = on.slice(at + all.length, at + all.length + 2);
        if (all.trim() === "" || (all.trim() === "한" && counter.startsWith("번"))) return all;
        if (all.trim() === "두" && counter === "번째") return all;
        const ten = tens === undefined ? 0 : tens === "스무" ? 20 : 10 * (NATIVE_TENS.indexOf(tens) + 1);
        return String(ten + (unit === undefined ? 0 : NATIVE.indexOf(unit) + 1));
      },
    )
    .replace(KOREAN_ROUND, (_, whole: string) => String(sinoValue(whole)))
    .replace(KOREAN_MIXED, (all: string) => mixedValue(all))
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
