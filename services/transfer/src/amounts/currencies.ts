/** Decimals of the currencies that transfers are made in (ISO 4217). */
const DIGITS: Readonly<Record<string, number>> = {
  KRW: 0,
  JPY: 0,
  VND: 0,
  USD: 2,
  EUR: 2,
  GBP: 2,
  CNY: 2,
  CHF: 2,
  CAD: 2,
  AUD: 2,
  HKD: 2,
  SGD: 2,
  INR: 2,
  MXN: 2,
  PHP: 2,
  SEK: 2,
  NOK: 2,
  DKK: 2,
};

export function digitsOf(currency: string): number | undefined {
  return Object.hasOwn(DIGITS, currency) ? DIGITS[currency] : undefined;
}

/** Words and signs by what they may mean. More than one currency is for the user to choose. */
const NAMES: readonly (readonly [currencies: string, words: string])[] = [
  ["KRW", "₩|원화|원|won|krw|ｗ"],
  [
    "USD",
    "us\\$|\\$|usd|us dollars?|u\\.s\\. dollars?|dollars?|bucks?|미국\\s?달러|미\\s?달러|달러화|달러|불",
  ],
  ["EUR", "€|eur|euros?|유로화|유로"],
  ["GBP", "£|gbp|pounds?(?: sterling)?|quid|파운드"],
  ["JPY", "jp¥|jpy|yen|엔화|엔"],
  ["CNY", "cn¥|cny|rmb|yuan|renminbi|위안화|위안"],
  ["CHF", "chf|swiss francs?|francs?|프랑"],
  ["CAD", "c\\$|ca\\$|cad|canadian dollars?|캐나다\\s?달러"],
  ["AUD", "a\\$|au\\$|aud|australian dollars?|aussie dollars?|호주\\s?달러"],
  ["HKD", "hk\\$|hkd|hong kong dollars?|홍콩\\s?달러"],
  ["SGD", "s\\$|sgd|singapore dollars?|싱가포르\\s?달러"],
  ["INR", "₹|inr|rupees?|루피"],
  ["VND", "₫|vnd|dong|동"],
  ["JPY CNY", "¥"],
  ["MXN PHP", "pesos?|페소"],
  ["SEK NOK DKK", "kr|kronor|kroner|krona|krone|크로나|크로네"],
  ["MXN", "mxn|mexican pesos?"],
  ["PHP", "₱|php|philippine pesos?"],
  ["SEK", "sek"],
  ["NOK", "nok"],
  ["DKK", "dkk"],
];

/** Hundredths of a currency by name. */
const CENTS: readonly (readonly [currency: string, words: string])[] = [
  ["USD", "cents?|센트"],
  ["GBP", "pence|p"],
];

const LETTER_BEHIND = "(?![\\p{L}\\p{N}]|'s)";
/** Korean particles stick to the word, and so do the words of people who leave spaces out. */
const KOREAN_BEHIND = "";

type Name = { readonly currencies: readonly string[]; readonly pattern: RegExp; readonly sign: boolean };

const COMPILED: readonly Name[] = NAMES.flatMap(([currencies, words]) =>
  words.split("|").map((word): Name => {
    const sign = /[^\w\s.\\?(:)\p{L}]$/u.test(word.replace(/\\/g, ""));
    const behind = sign ? "" : /\p{Script=Hangul}/u.test(word) ? KOREAN_BEHIND : LETTER_BEHIND;
    // After Latin words only Hangul may follow directly: "50달러를", "50 won을".
    const latin = behind === LETTER_BEHIND ? "(?![\\p{Script=Latin}\\p{N}]|'s)" : behind;
    return { currencies: currencies.split(" "), pattern: new RegExp(`\\s?(?:${word})${latin}`, "iuy"), sign };
  }),
);

export type CurrencyName = { readonly currencies: readonly string[]; readonly end: number };

/** The currency that is named at a place of the text, perhaps behind a space. The longest name wins. */
export function currencyAt(text: string, at: number): CurrencyName | undefined {
  let best: CurrencyName | undefined;
  for (const { currencies, pattern } of COMPILED) {
    pattern.lastIndex = at;
    const end = at + (pattern.exec(text)?.[0].length ?? 0);
    if (end > at && end > (best?.end ?? 0)) best = { currencies, end };
  }
  return best;
}

const CENT_PATTERNS = CENTS.map(([currency, words]) => ({
  currency,
  pattern: new RegExp(`\\s?(?:${words})(?![\\p{Script=Latin}\\p{N}])`, "iuy"),
}));

export function centsAt(text: string, at: number): CurrencyName | undefined {
  for (const { currency, pattern } of CENT_PATTERNS) {
    pattern.lastIndex = at;
    const words = pattern.exec(text)?.[0];
    if (words !== undefined) return { currencies: [currency], end: at + words.length };
  }
  return undefined;
}

const SYMBOLS: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£" };

const KOREAN: Readonly<Record<string, string>> = {
  KRW: "원",
  USD: "달러",
  EUR: "유로",
  GBP: "파운드",
  JPY: "엔",
  CNY: "위안",
};

/** As people write it: 50,000원 and 50,000 won, 12.50달러 and $12.50, otherwise 1,200 CHF. */
export function moneyText(amount: string, currency: string, locale: "en" | "ko"): string {
  const [integer = "", fraction] = amount.split(".");
  const grouped = integer.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const digits = fraction === undefined || /^0*$/.test(fraction) ? grouped : `${grouped}.${fraction}`;
  const korean = locale === "ko" ? KOREAN[currency] : undefined;
  if (korean !== undefined) return `${digits}${korean}`;
  if (currency === "KRW") return `${digits} won`;
  const symbol = SYMBOLS[currency];
  return symbol === undefined ? `${digits} ${currency}` : `${symbol}${digits}`;
}
