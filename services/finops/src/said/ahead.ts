import type { AboutData, FocusData } from "../data/index.ts";
import { periodAhead } from "../periods/period.ts";
import type { Caller } from "../query/answer.ts";
import { applySaid, type Said } from "./apply.ts";
import type { Constraint } from "./constraint.ts";

/** An amount that somebody said: a budget, or what an alert is for. */
export type SaidAmount = { readonly amount: number; readonly currency?: string };

export type SaidAhead = Said & { readonly budget?: SaidAmount };

type Asked = Parameters<typeof applySaid>[1];

/**
 * Applies what was said to a question about what comes: as `applySaid`, with a budget, and periods that are not over.
 * @throws FinopsError as `applySaid`, PERIOD_OVER
 */
export async function applyAhead(
  data: FocusData,
  { constraints = [], ...asked }: Asked,
  caller: Caller,
  without: readonly string[],
): Promise<SaidAhead> {
  const amounts = constraints.filter(({ slot }) => slot === "budget");
  const said = await applySaid(
    data,
    { ...asked, constraints: constraints.filter(({ slot }) => slot !== "budget") },
    caller,
    without,
    true,
  );
  const last = amounts.at(-1);
  const budget = last && amountOf(last, data.about);
  // A limit that is not known is named, like one in a currency that nothing is billed in.
  const isKnown = budget !== undefined || last === undefined || last.op === "clear";
  if (said.query.period !== undefined) periodAhead(said.query.period, data.about);
  return {
    ...said,
    applied: [...said.applied, ...(isKnown ? amounts : [])],
    not_applied: [...said.not_applied, ...(isKnown ? [] : amounts)],
    ...(budget ? { budget } : {}),
  };
}

/** Of one currency or of none; a limit of a part of the charges would have to be a question of its own. */
export function amountOf(
  { op, value, unit, scope }: Constraint,
  { currencies }: Pick<AboutData, "currencies">,
): SaidAmount | undefined {
  const amount = Number(value);
  if (op === "clear" || typeof value !== "number" || !(amount >= 0) || !Number.isFinite(amount))
    return undefined;
  if (scope !== undefined && Object.keys(scope).length > 0) return undefined;
  const currency = unit?.toUpperCase();
  // Amounts without a currency are of the bills' own, if there is one.
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return { amount };
  return currencies.includes(currency) ? { amount, currency } : undefined;
}
