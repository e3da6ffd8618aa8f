import type { Locale } from "./types.ts";

const HANGUL_WORD = /\p{Script=Hangul}+/gu;
const LATIN_WORD = /[A-Za-z]{2,}/g;

/** The language of a message: the one with more words. One without words, such as "30,000", is in the language so far. */
export function languageOf(message: string, soFar: Locale): Locale {
  const hangul = message.match(HANGUL_WORD)?.length ?? 0;
  const latin = message.match(LATIN_WORD)?.length ?? 0;
  if (hangul === 0 && latin === 0) return soFar;
  return hangul >= latin ? "ko" : "en";
}

export function localeOf(tag: string): Locale {
  return /^ko\b/i.test(tag) ? "ko" : "en";
}
