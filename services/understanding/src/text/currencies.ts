/** The currencies that a word or sign may stand for. */
const CURRENCIES: readonly (readonly [words: string, codes: string])[] = [
  ["us dollar|us dollars|usd", "USD"],
  ["$|dollar|dollars|bucks|달러", "USD CAD AUD NZD SGD HKD TWD MXN"],
  ["cent|cents", "USD EUR CAD AUD NZD SGD HKD"],
  ["€|eur|euro|euros|유로", "EUR"],
  ["£|gbp|pound|pounds|quid|sterling|pence", "GBP"],
  ["₩|krw|won|원", "KRW"],
  ["jpy|yen|엔", "JPY"],
  ["¥", "JPY CNY"],
  ["yuan", "CNY"],
  ["chf|franc|francs|swiss franc|swiss francs", "CHF"],
  ["sek|kronor", "SEK"],
  ["nok|kroner", "NOK DKK"],
  ["dkk", "DKK"],
  ["krona", "SEK ISK"],
  ["pln|zloty|zlotys", "PLN"],
  ["rupees", "INR PKR LKR"],
];

const BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  CURRENCIES.flatMap(([words, codes]) =>
    words.split("|").map((word): [string, readonly string[]] => [word, codes.split(" ")]),
  ),
);

/** The ISO codes that a word or sign for money may stand for; undefined where that is not known. */
export const currenciesOf = (word: string): readonly string[] | undefined =>
  BY_WORD.get(word) ?? (/^[a-z]{3}$/.test(word) ? [word.toUpperCase()] : undefined);
