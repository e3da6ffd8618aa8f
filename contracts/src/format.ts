/** How numbers are printed: `currency` as in ISO 4217, `locale` as in BCP 47. */
export type Printing = { readonly currency?: string | undefined; readonly locale?: string | undefined };

/** A locale in which numbers cannot be printed. */
export class UnknownLocaleError extends Error {
  override readonly name = "UnknownLocaleError";

  constructor() {
    super("The locale is not known; en-US and de-DE are, for example.");
  }
}

/** Prints numbers in sentences: the only place that does, for agents and for the expressions of the manifest. */
export type Format = {
  /** A price: with the decimals of the currency (two without one), and more only if it has more. */
  price(value: number): string;
  /** An amount: with the decimals of the currency (two without one); below 1, three significant digits. */
  money(value: number): string;
  /** An amount with its sign. */
  signedMoney(value: number): string;
  /** An amount in whole units of money. */
  wholeMoney(value: number): string;
  /** A share as a percentage, with at most this many significant digits (default 4). */
  share(value: number, digits?: number): string;
  /** A share as a percentage with its sign, at most three significant digits. */
  signedShare(value: number): string;
  /** A number with at most this many significant digits (default 3). */
  number(value: number, digits?: number): string;
  /** A number of things. */
  count(value: number): string;
  /** `1 item`, `2 items`. */
  counted(value: number, one: string, many: string): string;
  /** `a, b and c`. */
  list(parts: readonly string[]): string;
};

export const DEFAULT_LOCALE = "en-US";
const MOST_DECIMALS = 12;

/**
 * The format of a request. The sentences are English in every locale, so lists join their parts in English.
 * @throws UnknownLocaleError
 */
export function formatFor(printing: Printing = {}): Format {
  const locale = knownLocale(printing.locale);
  const style =
    printing.currency === undefined ? {} : { style: "currency" as const, currency: printing.currency };
  const own = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2;
  const decimals = printing.currency === undefined ? 2 : own;
  const fixed = numbers(locale, {
    ...style,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const prices = numbers(locale, {
    ...style,
    minimumFractionDigits: decimals,
    maximumFractionDigits: MOST_DECIMALS,
  });
  const small = numbers(locale, { ...style, maximumSignificantDigits: 3 });
  const whole = numbers(locale, { ...style, minimumFractionDigits: 0, maximumFractionDigits: 0 });
  const counts = numbers(locale, { maximumFractionDigits: 0 });
  const shares = digitsOf((digits) =>
    numbers(locale, { style: "percent", maximumSignificantDigits: digits }),
  );
  const plain = digitsOf((digits) => numbers(locale, { maximumSignificantDigits: digits }));
  const lists = new Intl.ListFormat("en-GB", { type: "conjunction" });
  const money = (value: number) => (value === 0 || Math.abs(value) >= 1 ? fixed(value) : small(value));
  return {
    // Twelve digits hide the rounding errors of arithmetic on prices.
    price: (value) => prices(Number(value.toPrecision(MOST_DECIMALS))),
    money,
    signedMoney: (value) => signed(value, money),
    wholeMoney: whole,
    share: (value, digits = 4) => shares(digits)(value),
    signedShare: (value) => signed(value, shares(3)),
    number: (value, digits = 3) => plain(digits)(value),
    count: counts,
    counted: (value, one, many) => `${counts(value)} ${value === 1 ? one : many}`,
    list: (parts) => lists.format(parts),
  };
}

function numbers(locale: string, options: Intl.NumberFormatOptions): (value: number) => string {
  const format = new Intl.NumberFormat(locale, options);
  // A true minus sign, which is as wide as a plus sign.
  return (value) => format.format(value === 0 ? 0 : value).replace("-", "−");
}

/** Makes each number of digits once. */
function digitsOf(make: (digits: number) => (value: number) => string) {
  const made = new Map<number, (value: number) => string>();
  return (digits: number) => {
    const known = made.get(digits) ?? make(digits);
    made.set(digits, known);
    return known;
  };
}

function signed(value: number, print: (value: number) => string): string {
  return value < 0 ? print(value) : `+${print(value)}`;
}

function knownLocale(locale: string | undefined): string {
  if (locale === undefined) return DEFAULT_LOCALE;
  const known = supported(locale);
  if (known === undefined) throw new UnknownLocaleError();
  return known;
}

function supported(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
