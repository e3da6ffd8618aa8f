import type { Token } from "./tokens.ts";

/** A number in a text: its value and how many tokens it takes. */
export type Numeral = {
  value: number;
  length: number /** 1.500: a decimal, or with points between thousands. */;
  thousands?: number;
};

/** Reads digits with marks of either locale: 1.234,5 and 1,234.5. */
export function readDigits(digits: string): { value: number; thousands?: number } {
  const text = digits.replaceAll("'", "");
  const point = text.lastIndexOf(".");
  const comma = text.lastIndexOf(",");
  if (point === -1 && comma === -1) return { value: Number(text) };
  if (point !== -1 && comma !== -1) {
    const [decimal, group] = point > comma ? [".", ","] : [",", "."];
    return { value: Number(text.replaceAll(group, "").replace(decimal, ".")) };
  }
  const mark = point === -1 ? "," : ".";
  const groups = text.split(mark);
  const grouped =
    groups.slice(1).every((group) => group.length === 3) && /^[1-9]\d{0,2}$/.test(groups[0] ?? "");
  const joined = Number(groups.join(""));
  if (groups.length > 2) return { value: grouped || INDIAN.test(text) ? joined : Number.NaN };
  if (grouped && mark === ",") return { value: joined };
  const value = Number(text.replace(",", "."));
  return grouped ? { value, thousands: joined } : { value };
}

/** Lakhs and crores stand apart: 12,50,000. */
const INDIAN = /^\d{1,2}(?:,\d\d)+,\d{3}$/;

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety";
const SMALL: ReadonlyMap<string, number> = new Map([
  ...ONES.split(" ").map((word, value): [string, number] => [word, value]),
  ...TENS.split(" ").map((word, tens): [string, number] => [word, 10 * tens]),
]);
const SCALE: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["k", 1000],
  ["million", 1e6],
  ["mio", 1e6],
  ["mn", 1e6],
  ["m", 1e6],
  ["billion", 1e9],
  ["bn", 1e9],
  ["dozen", 12],
  ["lakh", 1e5],
  ["lakhs", 1e5],
  ["crore", 1e7],
  ["crores", 1e7],
]);
/** A scale that is written out, and so is no letter of something else. */
const scaleNamed = (word: string | undefined): number | undefined =>
  word !== undefined && word.length > 2 ? SCALE.get(word) : undefined;
/** Ordinals from three on, and "quarter", as parts of a whole. */
const FRACTIONS: ReadonlyMap<string, number> = new Map([
  ["half", 1 / 2],
  ["quarter", 1 / 4],
  ..."third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    .split(" ")
    .map((word, i): [string, number] => [word, 1 / (i + 3)]),
  ["fifteenth", 1 / 15],
  ..."twentieth thirtieth fortieth fiftieth"
    .split(" ")
    .map((word, i): [string, number] => [word, 1 / (10 * i + 20)]),
  ["hundredth", 1 / 100],
]);

/** "A 25th". */
const ORDINAL = /^(\d{1,3})(?:th|rd)$/;

function partOf(word: string): number | undefined {
  const [, digits] = ORDINAL.exec(word) ?? [];
  return digits !== undefined && Number(digits) > 2
    ? 1 / Number(digits)
    : FRACTIONS.get(word.replace(/s$/, ""));
}

/** Reads the number that begins at a token: digits, or English or Korean words. */
export function readNumeral(tokens: readonly Token[], at: number): Numeral | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  if (token.kind === "number") {
    const read = readDigits(token.norm);
    if (Number.isNaN(read.value)) return undefined;
    const own = readSlash(tokens, at);
    if (own) return own;
    const rest = Number.isInteger(read.value) ? readSlash(tokens, at + 1) : undefined;
    if (rest) return { value: read.value + rest.value, length: 1 + rest.length };
    const scaled = scaleOf(tokens, at + 1);
    if (!scaled) return { ...read, length: 1 };
    const smaller = belowScale(tokens, at + 2, scaled);
    return { value: read.value * scaled + (smaller?.value ?? 0), length: 2 + (smaller?.length ?? 0) };
  }
  if (token.kind === "mark") return undefined;
  return token.hangul ? readKorean(tokens, at) : readWords(tokens, at);
}

/** "2k", "1.5 million", "3 hundred"; in Korean "2만", "3천". */
function scaleOf(tokens: readonly Token[], at: number): number | undefined {
  const next = tokens[at];
  if (!next) return undefined;
  const korean = next.hangul ? KOREAN_SCALE.get(next.norm) : undefined;
  return (
    korean ?? ((next.norm === "k" || next.norm === "m") && !next.glued ? undefined : SCALE.get(next.norm))
  );
}

/**
 * "13 thousand five hundred", 1만 2천: what goes on with smaller numbers. A bare figure begins something else. Scales fall from one to
 * the next, so that little is read anew of a text that is nothing but numbers.
 */
function belowScale(tokens: readonly Token[], at: number, scale: number): Numeral | undefined {
  const own = tokens[at]?.kind === "number" ? (scaleOf(tokens, at + 1) ?? scale) : 0;
  if (own >= scale) return undefined;
  const rest = readNumeral(tokens, at);
  return rest && rest.value < scale && rest.value >= 10 ? rest : undefined;
}

function readWords(tokens: readonly Token[], at: number): Numeral | undefined {
  let position = at;
  let total = 0;
  let group: number | undefined;
  const first = tokens[at]?.norm;
  if (first === "half") {
    const article = /^an?$/.test(tokens[at + 1]?.norm ?? "") ? 1 : 0;
    const scale = scaleNamed(tokens[at + 1 + article]?.norm);
    return scale ? { value: scale / 2, length: 2 + article } : undefined;
  }
  if (first === "a" && scaleNamed(tokens[at + 1]?.norm)) {
    group = 1;
    position++;
  }
  for (; position < tokens.length; position++) {
    const word = tokens[position]?.norm ?? "";
    const small = SMALL.get(word);
    const scale = scaleNamed(word);
    if (
      small !== undefined &&
      (group === undefined || (group % 10 === 0 && small < 10 && group > 0) || group % 100 === 0)
    ) {
      group = (group ?? 0) + small;
    } else if (scale !== undefined && group !== undefined) {
      if (scale <= 100) group *= scale;
      else {
        total += group * scale;
        group = 0;
      }
    } else if (word === "-" && group !== undefined && SMALL.has(tokens[position + 1]?.norm ?? "")) {
    } else if (
      word === "and" &&
      group !== undefined &&
      group % 100 === 0 &&
      group > 0 &&
      SMALL.has(tokens[position + 1]?.norm ?? "")
    ) {
    } else break;
  }
  if (group === undefined) return undefined;
  let value = total + group;
  if (tokens[position]?.norm === "point" && SMALL.has(tokens[position + 1]?.norm ?? "")) {
    let digits = "";
    for (position++; position < tokens.length; position++) {
      const digit = SMALL.get(tokens[position]?.norm ?? "");
      if (digit === undefined || digit > 9) break;
      digits += digit;
    }
    value = Number(`${value}.${digits}`);
  }
  if (isAndAHalf(tokens, position)) {
    const behind = position + HALF.length;
    const scale = scaleNamed(tokens[behind]?.norm);
    return { value: (value + 0.5) * (scale ?? 1), length: behind + (scale ? 1 : 0) - at };
  }
  const price = position === at + 1 && total === 0 ? readPrice(tokens, at, value) : undefined;
  return price ?? { value, length: position - at };
}

/** "Two fifty", "thirteen twenty five": a price as it is said, which leaves out the hundred. */
function readPrice(tokens: readonly Token[], at: number, hundreds: number): Numeral | undefined {
  const rest = hundreds >= 1 && hundreds < 20 ? SMALL.get(tokens[at + 1]?.norm ?? "") : undefined;
  if (rest === undefined || rest < 20) return undefined;
  const below = readWords(tokens, at + 1);
  if (!below || below.value >= 100 || PERCENT.test(tokens[at + 1 + below.length]?.norm ?? ""))
    return undefined;
  return { value: 100 * hundreds + below.value, length: 1 + below.length };
}
const PERCENT = /^(?:%|per|percent|percentage|pct|points?)$/;

export const HALF = ["and", "a", "half"] as const;

export const isAndAHalf = (tokens: readonly Token[], at: number): boolean =>
  HALF.every((word, i) => tokens[at + i]?.norm === word);

const MOST_DENOMINATOR = 100;

/** Behind them a fraction is no date. */
const COMPARING =
  /^(?:below|above|under|over|than|least|most|within|max|min|maximum|minimum|[<>≤≥=]=?|[±+-])$/;
/** "By 1/4" is a share, "by 3/15" a day. */
const SMALL_BY = /^[2-8]$/;

/** "1/2" before a percent sign, or behind a comparison: "below 1/4". */
function readSlash(tokens: readonly Token[], at: number): Numeral | undefined {
  const [above, slash, below, unit] = tokens.slice(at, at + 4);
  if (above?.kind !== "number" || !/^[/\u2044]$/.test(slash?.norm ?? "") || !slash?.glued || !below?.glued)
    return undefined;
  const value = Number(above.norm) / Number(below.norm);
  const before = tokens[at - 1]?.norm ?? "";
  const isShare =
    /^(?:%|per|percent|pct|of)$/.test(unit?.norm ?? "") ||
    COMPARING.test(before) ||
    (before === "by" && SMALL_BY.test(below.norm));
  const isPart = /^\d+$/.test(below.norm) && Number(below.norm) <= MOST_DENOMINATOR;
  return isPart && value < 1 && isShare ? { value, length: 3 } : undefined;
}

/** A share in words: "a tenth", "two thirds", "half", "one in twenty", 사분의 일. */
export function readFraction(tokens: readonly Token[], at: number): Numeral | undefined {
  const first = tokens[at]?.norm ?? "";
  if (first === "half") return { value: 0.5, length: 1 };
  const ofMany = readOutOf(tokens, at);
  if (ofMany) return ofMany;
  const korean = readKoreanFraction(tokens, at);
  if (korean) return korean;
  const count = first === "a" || first === "an" ? 1 : SMALL.get(first);
  const dash = tokens[at + 1]?.norm === "-" ? 1 : 0;
  const part = partOf(tokens[at + 1 + dash]?.norm ?? "");
  return count === undefined || part === undefined ? undefined : { value: count * part, length: 2 + dash };
}

/** "One in twenty", "9 out of 10", "one time in twenty". "1 in 2025" is no share. */
function readOutOf(tokens: readonly Token[], at: number): Numeral | undefined {
  const above = readNumeral(tokens, at);
  if (!above) return undefined;
  let next = at + above.length;
  if (/^times?$/.test(tokens[next]?.norm ?? "")) next++;
  if (tokens[next]?.norm === "out" && tokens[next + 1]?.norm === "of") next += 2;
  else if (tokens[next]?.norm === "in") next++;
  else return undefined;
  const whole = readNumeral(tokens, next);
  const isShare =
    whole !== undefined &&
    [above.value, whole.value].every(Number.isInteger) &&
    above.value > 0 &&
    above.value < whole.value &&
    whole.value <= MOST_DENOMINATOR &&
    !SPAN.test(tokens[next + whole.length]?.norm ?? "");
  return isShare ? { value: above.value / whole.value, length: next + whole.length - at } : undefined;
}

/** "5 in 12 weeks" is no share. */
const SPAN = /^(?:day|week|month|quarter|year|hour|minute)s?$/;

/** 3할, 1할 5푼: tenths and hundredths. */
export function readTenths(tokens: readonly Token[], at: number): Numeral | undefined {
  const [count, unit, more, hundredths] = tokens.slice(at, at + 4);
  const tenths = countOf(count);
  if (tenths === undefined || !unit?.glued || !/^할/.test(unit.norm)) return undefined;
  const rest = /^푼/.test(hundredths?.norm ?? "") ? countOf(more) : undefined;
  return rest === undefined
    ? { value: tenths / 10, length: 2 }
    : { value: (10 * tenths + rest) / 100, length: 4 };
}

function countOf(token: Token | undefined): number | undefined {
  if (token?.kind === "number") return Number(token.norm);
  return token && KOREAN_NUMERAL.test(token.norm) ? sinoKorean(token.norm) : undefined;
}

/** 4분의 1, 사분의 일. */
function readKoreanFraction(tokens: readonly Token[], at: number): Numeral | undefined {
  const word = tokens[at]?.norm ?? "";
  const inDigits = tokens[at]?.kind === "number" && tokens[at + 1]?.norm === "분의";
  const [, inWords] = /^([일이삼사오육칠팔구십백]+)분의$/.exec(word) ?? [];
  const length = inDigits ? 2 : 1;
  const whole = inDigits ? Number(word) : inWords === undefined ? Number.NaN : sinoKorean(inWords);
  const above = tokens[at + length]?.norm ?? "";
  // 일만 is "only one" here.
  const [digit] = /^[일이삼사오육칠팔구]/.exec(above) ?? [];
  const part = digit ? sinoKorean(digit) : Number(above || Number.NaN);
  return whole > 1 && part > 0 && part < whole ? { value: part / whole, length: length + 1 } : undefined;
}

/** Whether an amount in words or digits can begin with this token. */
export function beginsAmount(token: Token): boolean {
  if (token.kind !== "word") return true;
  return token.hangul || STARTS.has(token.norm);
}

const STARTS: ReadonlySet<string> = new Set([
  ...SMALL.keys(),
  ..."a an half double doubles doubled doubling triple triples tripled tripling halve halves halved halving".split(
    " ",
  ),
  "minus",
  "plus",
  ..."usd eur gbp krw jpy chf euro euros dollar dollars pound pounds".split(" "),
]);

const KOREAN_DIGITS = "영일이삼사오육칠팔구";
const KOREAN_SCALE: ReadonlyMap<string, number> = new Map([
  ["십", 10],
  ["백", 100],
  ["천", 1000],
  ["만", 10_000],
  ["억", 1e8],
]);
/** Native numerals, which count things. */
const KOREAN_COUNTS: ReadonlyMap<string, number> = new Map(
  "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열"
    .split(" ")
    .map((word, index): [string, number] => [word, index + 1]),
);
const KOREAN_BEFORE_COUNTER: ReadonlyMap<string, number> = new Map([
  ["한", 1],
  ["두", 2],
  ["세", 3],
  ["네", 4],
]);
/** A run of Sino-Korean numerals. */
export const KOREAN_NUMERAL = /^[영일이삼사오육칠팔구십백천만]+$/;

/** Tens and ones of native numerals: 서른다섯. */
const KOREAN_TENS = "열 스물 서른 마흔 쉰 예순 일흔 여든 아흔".split(" ");
const NATIVE =
  /^(열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔)(하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉)?$/;
const NATIVE_ONES: ReadonlyMap<string, number> = new Map([...KOREAN_COUNTS, ...KOREAN_BEFORE_COUNTER]);

/** Behind a numeral they tell that it is one, as its syllables are those of other words too. */
const KOREAN_UNIT = /^(?:퍼센트|퍼|프로|퍼센트포인트|%|원|달러|불|유로|개|배|가지)$/;
/** Behind one syllable they do not: 이 시간 is "this time", 이 건 "this case". */
const KOREAN_COUNTER = /^(?:시간|명|건|품목|곳|종|할)$/;
const KOREAN_COMPARING = /^(?:넘|이상|이하|미만|초과|이내|까지|밑|아래|안|으로|로)/;
/** Particles that tell of a numeral with its scale that it is one, right behind it: 천이백은, and not 만일 도착하면. */
const KOREAN_ENDING = /^(?:은|는|도|을|를|씩|정도|쯤)요?$/;

function readKorean(tokens: readonly Token[], at: number): Numeral | undefined {
  const word = tokens[at]?.norm ?? "";
  const next = tokens[at + 1]?.norm ?? "";
  const counted =
    KOREAN_COUNTS.get(word) ??
    (KOREAN_UNIT.test(next) || KOREAN_COUNTER.test(next) ? KOREAN_BEFORE_COUNTER.get(word) : undefined);
  if (counted !== undefined) return { value: counted, length: 1 };
  const [, tens = "", ones] = NATIVE.exec(word) ?? [];
  if (tens !== "")
    return {
      value:
        10 * (KOREAN_TENS.indexOf(tens === "스무" ? "스물" : tens) + 1) + (NATIVE_ONES.get(ones ?? "") ?? 0),
      length: 1,
    };
  if (word === "반" && /^(?:퍼센트|프로)$/.test(next)) return { value: 0.5, length: 1 };
  if (!KOREAN_NUMERAL.test(word)) return undefined;
  // 만 팔천; behind a name 만 is "only".
  const scale = KOREAN_SCALE.get(word.at(-1) ?? "");
  if (scale && !tokens[at]?.glued && KOREAN_NUMERAL.test(next) && next.length > 1 && sinoKorean(next) < scale)
    return { value: sinoKorean(word) + sinoKorean(next), length: 2 };
  // 삼 점 오 퍼센트
  const decimals = next === "점" ? (tokens[at + 2]?.norm ?? "") : "";
  if (decimals !== "" && /^[영일이삼사오육칠팔구]+$/.test(decimals)) {
    const digits = [...decimals].map((one) => KOREAN_DIGITS.indexOf(one)).join("");
    return { value: Number(`${sinoKorean(word)}.${digits}`), length: 3 };
  }
  const isLong = word.length > 1;
  const isNumeral =
    KOREAN_UNIT.test(next) ||
    (isLong && (KOREAN_COUNTER.test(next) || KOREAN_COMPARING.test(next))) ||
    (isLong && /[십백천만]/.test(word) && tokens[at + 1]?.glued === true && KOREAN_ENDING.test(next));
  return isNumeral ? { value: sinoKorean(word), length: 1 } : undefined;
}

/** The value of a run of Sino-Korean numerals: 만오천. */
function sinoKorean(word: string): number {
  let total = 0;
  let group = 0;
  let digit: number | undefined;
  for (const char of word) {
    const scale = KOREAN_SCALE.get(char);
    if (scale === undefined) digit = KOREAN_DIGITS.indexOf(char);
    else if (scale < 10_000) {
      group += (digit ?? 1) * scale;
      digit = undefined;
    } else {
      total += (group + (digit ?? 0) || 1) * scale;
      group = 0;
      digit = undefined;
    }
  }
  return total + group + (digit ?? 0);
}
