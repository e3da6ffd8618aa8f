import { type Format, formatFor } from "@interlock/contracts/format";

type Print = (value: number | undefined) => string | undefined;

const NAMES = ["price", "money", "signedMoney", "wholeMoney", "share", "signedShare"] as const;

/**
 * What expressions print numbers with, as `$money(12.5)`: in the currency and locale of the run's inputs, as the agents do. The inputs are
 * looked at when a number is printed, since reading them may be dear.
 */
export function printingOf(context: unknown): Record<(typeof NAMES)[number], Print> {
  let format: Format | undefined;
  const own = (): Format => {
    const inputs = member(member(context, "request"), "inputs");
    const [currency, locale] = [member(inputs, "currency"), member(inputs, "locale")];
    format ??= formatFor({
      currency: typeof currency === "string" ? currency : undefined,
      locale: typeof locale === "string" ? locale : undefined,
    });
    return format;
  };
  const functions = NAMES.map((name): [string, Print] => [
    name,
    (value) => (value === undefined ? undefined : own()[name](value)),
  ]);
  return Object.fromEntries(functions) as Record<(typeof NAMES)[number], Print>;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
