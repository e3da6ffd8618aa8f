/** Languages that the pricing agents write in. */
export const LANGUAGES = ["en", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language of an answer: the first that is asked for and that there are texts in, else English.
 * @param asked as in BCP 47; `ko-KR` asks for Korean
 */
export function languageOf(...asked: readonly (string | undefined)[]): Language {
  for (const tag of asked) {
    const primary = tag?.split("-")[0]?.toLowerCase();
    const known = LANGUAGES.find((language) => language === primary);
    if (known !== undefined) return known;
  }
  return "en";
}

/** Inputs with the language of their texts: their own, else the one that the run is asked in. */
export function inLanguage<T extends { readonly language?: Language }>(
  inputs: T,
  asked: string | undefined,
): T & { language: Language } {
  return { ...inputs, language: languageOf(inputs.language, asked) };
}
