import { bare, isWholeName, joins, PARTICLE } from "./korean-name.ts";
import { isKoreanName, KO_STOP, KO_TITLE } from "./lexicon.ts";
import type { FoundTargets } from "./targets.ts";
import type { Token } from "./tokens.ts";

/** A name that ends as an answer or an order does: "영희", "영희로", "영희야", "김 대리님이요". */
export function nameFrom(tokens: readonly Token[], at: number): FoundTargets | undefined {
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length);
    if (words.length < length || words.some(({ kind }) => kind !== "word")) continue;
    const text = words.map((word) => word.text).join(" ");
    const name = answeredName(text);
    const last = words.at(-1);
    if (name === undefined || words[0] === undefined || last === undefined) continue;
    return { start: words[0].start, end: last.end, names: [name], alternatives: false, marked: true };
  }
  return undefined;
}

const ANSWER_ENDING =
  /(?:이요|요|이야|야|입니다|이에요|예요|에요|이다|인데요|이지|으로|로|에게요?|한테요?|께요?|님이요|님이야|님|(?<=[가-힣]{3})에)$/;

/** The name that a short answer consists of; undefined where it may be anything else. */
export function answeredName(answer: string): string | undefined {
  const text = answer.trim();
  if (KO_STOP.has(text)) return undefined;
  for (const candidate of [
    text,
    text.replace(ANSWER_ENDING, ""),
    text.replace(ANSWER_ENDING, "").replace(ANSWER_ENDING, ""),
  ].reverse()) {
    const name = plainName(candidate.trim());
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The names that an answer consists of: "민수랑 영희". */
export function answeredKoreanList(answer: string): readonly string[] {
  const parts = answer.trim().split(/\s*(?:,|\s그리고\s|(?<=[가-힣])(?:이랑|랑|하고|와|과)\s|\s및\s)\s*/);
  const names = parts.map(answeredName).filter((name) => name !== undefined);
  return names.length === parts.length ? names : [];
}

function plainName(text: string): string | undefined {
  if (PARTICLE.test(text)) return undefined;
  const [first = "", second, third] = text.split(/\s+/);
  if (second !== undefined && KO_TITLE.test(`${second}${third ?? ""}`) && isWholeName(first))
    return bare(first);
  if (third !== undefined) return undefined;
  if (second === undefined) return isKoreanName(first) ? bare(first) : undefined;
  if (/^(?:님|씨|군|양)$/.test(second)) return isKoreanName(first) ? first : undefined;
  return joins(first, bare(second)) ? `${first} ${bare(second)}` : undefined;
}
