import type { Localised } from "../language/index.ts";

/** A text of the manifest in every language: one that is given in English alone serves for all. */
export function localised(text: string | { en: string; ko?: string }): Localised {
  const { en, ko = en } = typeof text === "string" ? { en: text } : text;
  return { en: en.trim(), ko: ko.trim() };
}
