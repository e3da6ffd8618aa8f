import { PHRASES, type Sense } from "./consent-phrases.ts";
import type { Consent } from "./types.ts";

type Phrase = { readonly sense: Sense; readonly pattern: RegExp; readonly isKorean: boolean };

const KOREAN = /\p{Script=Hangul}/u;

function compile(source: string, sense: Sense): Phrase {
  const spaced = source.replaceAll(" ?", "\\s*").replaceAll(" ", "\\s+");
  return {
    sense,
    isKorean: KOREAN.test(source),
    pattern: new RegExp(`(?:${spaced})(?![\\p{L}\\p{N}'])`, "uy"),
  };
}

/** The alternatives of a source that are not within parentheses: each is a phrase, so that the longest one can be found. */
function alternatives(source: string): readonly string[] {
  const found = [""];
  let depth = 0;
  for (const letter of source) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (letter === "|" && depth === 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found;
}

const COMPILED: readonly Phrase[] = PHRASES.flatMap(([sense, sources]) =>
  sources.flatMap(alternatives).map((source) => compile(source, sense)),
);

const MAX_LENGTH = 120;

/** The answer that a message gives to a yes-or-no question; undefined unless all of it is that answer. A question is no answer. */
export function consentOf(message: string): Consent | undefined {
  const text = normalised(message);
  // "어..." trails off, where "어" agrees.
  if (/\?$|\.\.|…/.test(text)) return undefined;
  const found = phrasesOf(text);
  if (found === undefined || found.some(({ sense }) => sense === "unclear")) return undefined;
  return agreed(new Set(found.map(({ sense }) => sense)));
}

/** Whether a message contains no request: "Thanks!" */
export function isSmallTalk(message: string): boolean {
  return phrasesOf(normalised(message))?.every(({ sense }) => sense === "filler") ?? false;
}

/** Whether a message begins with a no: "no, the other one". The rest says what should be different. */
export function objects(message: string): boolean {
  const text = normalised(message);
  GAP.lastIndex = 0;
  const first = text.length > MAX_LENGTH ? undefined : longest(text, GAP.exec(text)?.[0].length ?? 0);
  return first?.sense === "no";
}

type Found = { readonly sense: Sense; readonly words: string };

const GAP = /[\s.,!~;:…·"'()^-]+/uy;

/** The phrases that a text consists of; undefined if there is anything else in it. */
function phrasesOf(text: string): readonly Found[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const phrases: Found[] = [];
  for (let at = 0; at < text.length; ) {
    GAP.lastIndex = at;
    at += GAP.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    const found = longest(text, at);
    if (found === undefined) return undefined;
    phrases.push(found);
    at += found.words.length;
  }
  return phrases;
}

function agreed(senses: ReadonlySet<Sense>): Consent | undefined {
  const goesOn = senses.has("yes") || senses.has("next");
  const refusal = senses.has("cancel_all") ? "cancel_all" : senses.has("no") ? "no" : undefined;
  if (refusal !== undefined) return goesOn ? undefined : refusal;
  if (senses.has("next")) return "next";
  return goesOn ? "yes" : undefined;
}

function longest(text: string, at: number): Found | undefined {
  let best: Found | undefined;
  // Patterns are compiled at first use, since about half of them are never needed.
  const inKorean = KOREAN.test(text.charAt(at));
  for (const { sense, pattern, isKorean } of COMPILED) {
    if (isKorean !== inKorean) continue;
    pattern.lastIndex = at;
    const words = pattern.exec(text)?.[0];
    if (words !== undefined && words.length > (best?.words.length ?? 0)) best = { sense, words };
  }
  return best;
}

/** Modifiers of emoji, such as skin tone and gender, have no meaning here. */
const DECORATION = /[\u{1F3FB}-\u{1F3FF}\uFE0F]|\u200D[♀♂]/gu;
/** Laughter and tears in jamo, attached to the word before: 네ㅎㅎ. The ㅋ of ㅇㅋ ("OK") is not laughter. */
const LAUGHTER = /(?<![\u3131-\u318e])[ㅋㅎㅠㅜ]+|(?<=ㅇㅇ|ㅇㅋ|ㄴㄴ|ㄱㄱ)[ㅋㅎㅠㅜ]+/g;

function normalised(message: string): string {
  // Single jamo stay as they are typed: "ㅇㅇ".
  const plain = message
    .replace(/[^\u3131-\u318e]+/g, (part) => part.normalize("NFKC"))
    .toLowerCase()
    .replace(/[‘’ʼ]/g, "'")
    .trim();
  return plain.replace(DECORATION, "").replace(LAUGHTER, " ");
}
