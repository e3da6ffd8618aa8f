import { type Format, formatFor } from "@interlock/contracts/format";
import { en } from "./en.ts";
import { ko } from "./ko.ts";
import type { Words } from "./words.ts";

/** @param language as in BCP 47; absent, or another one than there is: English */
export function wordsIn(language = "en"): Words {
  return /^ko\b/i.test(language) ? ko : en;
}

/** Prints amounts: of a currency, or of a unit. */
export function amountsIn({ currency, unit }: { readonly currency?: string; readonly unit?: string }): {
  amount(value: number): string;
  format: Format;
} {
  const format = formatFor(currency === undefined ? {} : { currency });
  const amount = (value: number): string => {
    if (currency === undefined) return `${format.number(value, 6)} ${unit ?? ""}`.trim();
    return unit === undefined
      ? format.money(value)
      : `${format.price(Number(value.toPrecision(6)))} / ${unit}`;
  };
  return { amount, format };
}
