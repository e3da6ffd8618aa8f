import type { About, DialogueDefinition, Verdict } from "@interlock/agent-kit";
import { currencyAt } from "./amounts/currencies.ts";
import { amountsIn, digitsOf, type FoundAmount, inMinor, minorText, moneyText } from "./amounts/index.ts";
import { todayOf } from "./dates.ts";
import { normalised } from "./reading/read.ts";

/** The normalised values. An amount has at most 15 digits, so that its number in JSON is exact. */
export type TransferSlots = {
  target: string;
  amount: number;
  currency?: string;
  memo?: string;
  date?: string;
};

export type Limits = {
  /** The currency of an amount that comes without one. */
  readonly currency: string;
  /** The largest amount of one transfer, by currency. */
  readonly most: Readonly<Record<string, number>>;
};

/** For the currencies that no limit names. */
const MOST = 1_000_000;
const EXACT_DIGITS = 15;
const MAX_TARGET = 100;
const MAX_MEMO = 200;

type Check<V> = Verdict<TransferSlots, V>;
type Facts = About<TransferSlots>;

function say(locale: Facts["locale"], en: string, ko: string): string {
  return locale === "ko" ? ko : en;
}

export function transferSlots(limits: Limits): DialogueDefinition<TransferSlots>["slots"] {
  return {
    target: {
      label: { en: "recipient", ko: "받는 분" },
      ask: { en: "Who should get it?", ko: "누구에게 보낼까요?" },
      check: checkTarget,
    },
    amount: {
      label: { en: "amount", ko: "금액" },
      ask: { en: "How much should I send?", ko: "얼마를 보낼까요?" },
      check: (raw, about) => checkAmount(raw, about, limits),
      show: (amount, { currency = limits.currency }, locale) => shownAmount(amount, currency, locale),
    },
    currency: {
      label: { en: "currency", ko: "통화" },
      ask: { en: "In which currency?", ko: "어떤 통화로 보낼까요?" },
      optional: true,
      check: checkCurrency,
      // The amount says it.
      show: () => "",
    },
    memo: {
      label: { en: "memo", ko: "메모" },
      ask: { en: "What should the memo say?", ko: "메모를 어떻게 남길까요?" },
      optional: true,
      check: (raw, { locale }) => {
        const value = textOf(raw).slice(0, MAX_MEMO);
        return value === ""
          ? { problem: say(locale, "What should the memo say?", "메모를 어떻게 남길까요?") }
          : { value };
      },
    },
    date: {
      label: { en: "date", ko: "날짜" },
      ask: { en: "On which day?", ko: "어느 날짜에 보낼까요?" },
      optional: true,
      check: checkDate,
    },
  };
}

export function shownAmount(amount: number, currency: string, locale: Facts["locale"]): string {
  const digits = digitsOf(currency) ?? 2;
  return moneyText(minorText(minorOf(amount, currency), digits), currency, locale);
}

/** The amount in the smallest unit of its currency. The number was made of a decimal text of at most 15 digits, so it prints as that. */
export function minorOf(amount: number, currency: string): bigint {
  const [found] = amountsIn(String(amount));
  return (found && inMinor(found.value, digitsOf(currency) ?? 2)) ?? 0n;
}

function textOf(raw: unknown): string {
  return typeof raw === "string" ? normalised(raw) : "";
}

function checkTarget(raw: unknown, { locale }: Facts): Check<string> {
  const names = textOf(raw).split(" | ");
  const [value = ""] = names;
  if (names.length > 1)
    return {
      question: say(
        locale,
        `Who do you mean: ${names.join(" or ")}?`,
        `${names.join(", ")} 중 누구에게 보낼까요?`,
      ),
      choices: names,
    };
  if (value === "" || value.length > MAX_TARGET || !/[\p{L}\p{N}]/u.test(value))
    return { problem: say(locale, "Who should get it?", "누구에게 보낼까요?") };
  return { value };
}

function checkAmount(raw: unknown, { locale, slots }: Facts, limits: Limits): Check<number> {
  const found = amountsIn(typeof raw === "number" ? String(raw) : textOf(raw));
  const [amount] = found;
  if (amount === undefined) return { problem: say(locale, "How much should I send?", "얼마를 보낼까요?") };
  if (found.length > 1) return eitherAmount(found, textOf(raw), locale);
  if (amount.currencies.length > 1) return eitherCurrency(amount, locale);
  const currency = amount.currencies[0] ?? slots.currency ?? limits.currency;
  const digits = digitsOf(currency) ?? 2;
  if (amount.negative || amount.value.units === 0n)
    return {
      problem: say(
        locale,
        "The amount must be more than zero. How much should I send?",
        "금액은 0보다 커야 합니다. 얼마를 보낼까요?",
      ),
    };
  const minor = inMinor(amount.value, digits);
  // "12.50" is no amount of won, and does not say of what.
  if (
    minor === undefined &&
    amount.currencies.length === 0 &&
    slots.currency === undefined &&
    inMinor(amount.value, 2) !== undefined
  )
    return eitherCurrency({ ...amount, currencies: ["USD", "EUR", "GBP"] }, locale);
  if (minor === undefined)
    return {
      problem: say(
        locale,
        `An amount in ${currency} has ${digits === 0 ? "no" : `at most ${digits}`} decimals. How much should I send?`,
        `${currency} 금액은 소수점 아래 ${digits}자리까지 가능합니다. 얼마를 보낼까요?`,
      ),
    };
  const text = minorText(minor, digits);
  const value = Number(text);
  if (text.length > EXACT_DIGITS || value > mostOf(currency, limits))
    return { problem: tooMuch(locale, currency, limits) };
  return { value, also: { currency } };
}

function eitherAmount(found: readonly FoundAmount[], text: string, locale: Facts["locale"]): Check<number> {
  const last = found.at(-1);
  // "30 or 40 dollars": the currency of the last one is that of all.
  const unit = last === undefined ? "" : (last.currencies[0] ?? "");
  const choices = found.map(({ start, end, currencies }) => {
    const words = text.slice(start, end).trim();
    return currencies.length === 0 && unit !== "" ? `${words} ${unit}` : words;
  });
  return {
    question: say(
      locale,
      `Which one is it: ${choices.join(" or ")}?`,
      `${choices.join(", ")} 중 얼마를 보낼까요?`,
    ),
    choices,
    ...(unit === "" ? {} : { also: { currency: unit } }),
  };
}

function eitherCurrency(amount: FoundAmount, locale: Facts["locale"]): Check<number> {
  const plain = inMinor(amount.value, 2) ?? 0n;
  const number = minorText(plain, 2).replace(/\.?0+$/, "");
  const choices = amount.currencies.map((currency) => `${number} ${currency}`);
  return {
    question: say(
      locale,
      `In which currency: ${amount.currencies.join(" or ")}?`,
      `${amount.currencies.join(", ")} 중 어떤 통화인가요?`,
    ),
    choices,
  };
}

function checkCurrency(raw: unknown, { locale }: Facts): Check<string> {
  const text = textOf(raw);
  const currencies = digitsOf(text) === undefined ? (currencyAt(text, 0)?.currencies ?? []) : [text];
  const [value] = currencies;
  if (value !== undefined && currencies.length === 1) return { value };
  if (value === undefined) return { problem: say(locale, "In which currency?", "어떤 통화로 보낼까요?") };
  return {
    question: say(
      locale,
      `Which currency: ${currencies.join(" or ")}?`,
      `${currencies.join(", ")} 중 어떤 통화인가요?`,
    ),
    choices: currencies,
  };
}

function checkDate(raw: unknown, { locale, now }: Facts): Check<string> {
  const value = textOf(raw);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value))
    return {
      problem: say(
        locale,
        "There is no such day. On which day should I send it?",
        "없는 날짜입니다. 언제 보낼까요?",
      ),
    };
  if (value < todayOf(now))
    return {
      problem: say(
        locale,
        "That day is over. On which day should I send it?",
        "이미 지난 날짜입니다. 언제 보낼까요?",
      ),
    };
  return { value };
}

function tooMuch(locale: Facts["locale"], currency: string, limits: Limits): string {
  const most = shownAmount(mostOf(currency, limits), currency, locale);
  return say(
    locale,
    `One transfer is at most ${most}. How much should I send?`,
    `한 번에 최대 ${most}까지 보낼 수 있습니다. 얼마를 보낼까요?`,
  );
}

export function mostOf(currency: string, { most }: Limits): number {
  return most[currency] ?? MOST;
}

/** What fits slot by slot and not together: the limit and the decimals depend on the currency. */
export function reviewTransfer(
  { amount, currency }: Readonly<Partial<TransferSlots>>,
  { locale }: Facts,
  limits: Limits,
): { readonly slot: string; readonly problem: string } | undefined {
  if (amount === undefined) return undefined;
  const unit = currency ?? limits.currency;
  if (amount > mostOf(unit, limits)) return { slot: "amount", problem: tooMuch(locale, unit, limits) };
  if (
    minorText(minorOf(amount, unit), digitsOf(unit) ?? 2) !== undefined &&
    digitsOf(unit) === 0 &&
    !Number.isInteger(amount)
  )
    return {
      slot: "amount",
      problem: say(
        locale,
        `An amount in ${unit} has no decimals. How much should I send?`,
        `${unit} 금액에는 소수점을 쓸 수 없습니다. 얼마를 보낼까요?`,
      ),
    };
  return undefined;
}
