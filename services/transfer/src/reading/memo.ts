import { EN_KIN } from "./lexicon.ts";

export type FoundMemo = { readonly start: number; readonly end: number; readonly text: string };

const QUOTED = `["'“‘「]([^"'”’」]{1,100})["'”’」]`;
/** To the end of the clause. */
const OPEN = `([^"'“‘,;.!?\\n]{1,100})`;
const EN_WORD = "(?:memo|note|message|reference|description|comment|remark|label)";
const EN_LINK =
  "(?:\\s+(?:should\\s+(?:be|say|read)|is|as|of|to|saying|says?|that\\s+says|reads?)(?=\\s))?\\s*[:=-]?\\s*";
const KO_WORD =
  "(?:메모|적요|비고|송금\\s?메모|이체\\s?메모|통장\\s?표시|표시\\s?내용)(?:\\s?(?:추가|내용|변경|수정)(?=\\s?[:=]))?";
const KO_WRITE =
  "(?:\\s*(?:메모|적요)?(?:로|에|를)?\\s*(?:적어|써|남겨|달아|해|넣어|입력해|표시해|기록해|바꿔|변경해|수정해|붙여)\\s?(?:줘|줘요|주세요|주라|주실래요|놔|두고|줄래|서)?)";

/** Words that are a memo by themselves: what money is for. */
const KO_PURPOSE =
  /(?<![\p{L}\p{N}])((?:[가-힣]{1,5} )?[가-힣]{0,6}(?:값|비|세|료|회비|축의금|부의금|조의금|곗돈|용돈|선물|보증금|계약금|벌금|장학금|등록금|상금|기부금|후원금|지원금|월급|축하금|세뱃돈))(?:\s?명목)?(?:으로|로|조로|이라고|라고)(?![가-힣])/u;
const NOT_PURPOSE = /(?:준비|대비|낭비|만세|완료|종료|무료|신세|자세|시세|추세)$/;

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `${KO_WORD}(?:는|은|를|을|로는|에는|에|란에)?\\s*[:=]?\\s*${QUOTED}(?:\\s?(?:이라고|라고|으로|로))?${KO_WRITE}?`,
    "iu",
  ),
  new RegExp(
    `${QUOTED}(?:\\s?(?:이라고|라고|이란|란|으로|로))?\\s*(?:${KO_WORD}(?:로|으로)?${KO_WRITE}?|${KO_WRITE})(?![가-힣])`,
    "iu",
  ),
  new RegExp(
    `${KO_WORD}(?:는|은|를|을|로|에는|에다가|에다|에|란에)?\\s*[:=]?\\s+?([^"'“‘,;!?\\n]{1,100}?)(?:\\s?(?:이라고|라고|으로|로))?${KO_WRITE}(?![가-힣])`,
    "iu",
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}])((?:[가-힣]+\\s)?[가-힣\\p{N}]+?)(?:이라고|라고|이란|란|으로|로)\\s*(?:${KO_WORD}${KO_WRITE}?|(?:적어|써|남겨)\\s?(?:줘|줘요|주세요))(?![가-힣])`,
    "iu",
  ),
  new RegExp(`${KO_WORD}(?:를|을)?\\s+([가-힣\\p{N}]{1,20}?)(?:이라고|라고|으로|로)\\s`, "iu"),
  new RegExp(`${KO_WORD}(?:는|은|로는|에는|란에는)?\\s*[:=]?\\s+?${OPEN}`, "iu"),
  new RegExp(`${KO_WORD}\\s*[:=]\\s*${OPEN}`, "iu"),
  new RegExp(
    `(?:\\b(?:with|and|add|put|use|include|leave|set|change|make|update)\\s+)?(?:(?:a|an|the|it)\\s+)*\\b${EN_WORD}\\b${EN_LINK}${QUOTED}`,
    "iu",
  ),
  new RegExp(
    `\\b(?:put|add|set|use|write|leave)\\s+["']?([^"',;.!?\\n]{1,60}?)["']?\\s+(?:as|in|for|to)\\s+(?:the|a|my)?\\s*${EN_WORD}\\b`,
    "iu",
  ),
  new RegExp(`\\b(?:saying|that says|labell?ed(?:\\s+as)?|marked(?:\\s+as)?|as)\\s+${QUOTED}`, "iu"),
  new RegExp(`\\bfor\\s+${QUOTED}`, "iu"),
  new RegExp(
    `(?:\\b(?:with|and|add|put|use|include|leave|set|change|make|update)\\s+)?(?:(?:a|an|the|it)\\s+)*\\b${EN_WORD}\\b${EN_LINK}${OPEN}`,
    "iu",
  ),
  new RegExp(`\\b(?:saying|labell?ed(?:\\s+as)?|marked(?:\\s+as)?)\\s+${OPEN}`, "iu"),
];

/** A memo that the words say to be one, in quotes or to the end of the clause. What is within it means nothing else. */
export function memoIn(text: string): FoundMemo | undefined {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(text);
    const words = match?.[1]?.trim();
    if (!match || !words || isNone(words)) continue;
    return { start: match.index, end: match.index + match[0].length, text: tidy(words) };
  }
  return undefined;
}

/** Whether the memo is to go: "no memo", "메모 빼줘". */
export function dropsMemo(text: string): boolean {
  return (
    /\b(?:no|without(?: a| the)?|remove(?: the)?|delete(?: the)?|drop(?: the)?|clear(?: the)?|skip(?: the)?) (?:memo|note)\b/i.test(
      text,
    ) || /메모(?:는|은|를)?\s?(?:빼|없이|지워|삭제|필요\s?없|없애|안)/.test(text)
  );
}

function isNone(words: string): boolean {
  return /^(?:빼|없이|지워|삭제|필요|없애|안\s|바꿔|변경|수정|남겨|추가|적어|to\s+.*|please|instead)/i.test(
    words,
  );
}

function tidy(words: string): string {
  return words
    .replace(/\s+(?:please|pls|thanks|thank you)$/i, "")
    .replace(/\s이$/u, "")
    .replace(/(?:이야|이에요|예요|입니다|이요|로|으로)$/u, "")
    .trim();
}

/** "점심값으로": what the money is for, said as an adverb. `text` has what else was recognised blanked. */
export function purposeIn(text: string): FoundMemo | undefined {
  const match = KO_PURPOSE.exec(text);
  const words = match?.[1];
  if (!match || !words || NOT_PURPOSE.test(words)) return undefined;
  const [first = "", second] = words.split(" ");
  // The word before belongs to it only if it is no part of the sentence: 생일 선물, but not 민수에게 용돈.
  const joined =
    second !== undefined && /(?:에게|한테|께|로|을|를|이|가|은|는|도|씩|에|서|랑|와|과|고)$/.test(first);
  const kept = joined ? (second ?? words) : words;
  return { start: match.index + words.length - kept.length, end: match.index + match[0].length, text: kept };
}

const FOR =
  /\bfor\s+(?:(?:the|a|an)\s+)?([\p{L}][\p{L}\p{N}'’& -]{0,80}?)(?=\s+(?:to|on|by|from|and|please|pls|now|today|thanks|instead|into|via|in|at|each|as)\b|\s*[^\p{L}\p{N}'’&\s-]|\s*$)/iu;

/** "for lunch". Not for whom: "for my mom", "for him". */
export function forMemoIn(text: string): FoundMemo | undefined {
  const match = FOR.exec(text);
  const words = match?.[1]?.trim();
  if (
    !match ||
    !words ||
    /^(?:me|you|him|her|us|them|it|this|that|now|sure|real|free|each|both|everyone|all|example|some reason|instance|someone|somebody)$/i.test(
      words,
    )
  )
    return undefined;
  if (EN_KIN.test(words.replace(/^(?:my|our|his|her|their)\s+/i, ""))) return undefined;
  return { start: match.index, end: match.index + match[0].length, text: words };
}
