import { type Format, formatFor } from "@interlock/contracts/format";
import { readable } from "./readable.ts";

type Print = (value: number | undefined) => string | undefined;

const NAMES = ["price", "money", "signedMoney", "wholeMoney", "share", "signedShare"] as const;

/** Which members of a value to take: all of one where it is `true`; `*` stands for every member. */
type Shape = true | { readonly [name: string]: Shape };

/** The functions of expressions over a context, beside JSONata's own. */
export function functionsOver(context: unknown): Record<string, Print | typeof pick | typeof readable> {
  return { ...printingOf(context), pick, readable };
}

/**
 * Takes what a shape names from a value, and from each value of an array: `$pick(items, { "id": true, "tiers": { "*": { "price": true } } })`.
 * What is not there is left out. It takes a tenth of the time of an expression that builds the same.
 */
function pick(value: unknown, shape: Shape): unknown {
  if (shape === true) return value;
  if (typeof value !== "object" || value === null || typeof shape !== "object" || shape === null)
    return undefined;
  if (Array.isArray(value))
    return value.map((each) => pick(each, shape)).filter((picked) => picked !== undefined);
  const every = shape["*"];
  const names = every === undefined ? Object.keys(shape) : Object.keys(value);
  const members: [string, unknown][] = [];
  for (const name of names) {
    const wanted = Object.hasOwn(shape, name) ? shape[name] : every;
    if (wanted === undefined || !Object.hasOwn(value, name)) continue;
    const picked = pick(Reflect.get(value, name), wanted);
    if (picked !== undefined) members.push([name, picked]);
  }
  return Object.fromEntries(members);
}

/**
 * What expressions print numbers with, as `$money(12.5)`: in the currency and locale of the run's inputs, as the agents do. The inputs are
 * looked at when a number is printed, since reading them may be dear.
 */
function printingOf(context: unknown): Record<(typeof NAMES)[number], Print> {
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
