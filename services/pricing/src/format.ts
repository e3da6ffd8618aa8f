import {
  type Format as Numbers,
  type Printing as NumbersPrinting,
  formatFor as numbersFor,
  UnknownLocaleError,
} from "@interlock/contracts/format";
import { PricingError } from "./errors.ts";
import { type Texts, textsIn } from "./texts/index.ts";
import { type Language, languageOf } from "./texts/language.ts";

/** How an answer is printed: its numbers as `Numbers` does, its sentences in a language. */
export type Printing = NumbersPrinting & { readonly language?: Language | undefined };

/** Prints the numbers of an answer, and says its sentences. */
export type Format = Numbers & { readonly texts: Texts };

/** The format of a request. @throws PricingError UNKNOWN_LOCALE */
export function formatFor(printing: Printing = {}): Format {
  try {
    const numbers = numbersFor(printing);
    return { ...numbers, texts: textsIn(languageOf(printing.language), numbers) };
  } catch (error) {
    if (!(error instanceof UnknownLocaleError)) throw error;
    throw new PricingError("UNKNOWN_LOCALE", error.message, { constraint: "locale" });
  }
}
