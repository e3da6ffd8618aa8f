import { english, type Texts } from "./en.ts";
import { korean } from "./ko.ts";
import type { Language } from "./language.ts";
import type { Numbers } from "./numbers.ts";

export { inLanguage, LANGUAGES, type Language, languageOf } from "./language.ts";
export type { Texts };

const TEXTS: Readonly<Record<Language, (numbers: Numbers) => Texts>> = { en: english, ko: korean };

/** The sentences of a language. */
export function textsIn(language: Language, numbers: Numbers): Texts {
  return TEXTS[language](numbers);
}
