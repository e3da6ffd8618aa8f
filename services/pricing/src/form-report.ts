import { evaluateItem, tierOf } from "./demand.ts";
import { changeUnder } from "./demand-form.ts";
import { costFor } from "./terms.ts";
import type { DemandForm, Objective, ResolvedItem } from "./types.ts";

/** What one form of demand says of a tier's move (wire shape). */
export type FormOutcome = {
  form: DemandForm;
  /** False if the rows reject it: it does not count. */
  plausible: boolean;
  /** Of the form, at the price in the middle of the data. */
  elasticity: number;
  /** 1 − loss on held-out blocks / that without a price. */
  held_out?: number;
  /** The gain of the tier's move over today's objective per period (money). */
  gain: number;
};

/** How the forms of a tier's demand differ at its recommended price (wire shape). */
export type FormsReport = {
  tested: FormOutcome[];
  /** The least and the largest gain under the forms that the rows do not reject. */
  gain: { low: number; high: number };
};

/** Undefined for a tier without a fit of its own, or whose forms could not be compared. */
export function formsReport(
  item: ResolvedItem,
  name: string,
  price: number,
  objective: Objective,
): FormsReport | undefined {
  const { forms, current_price, unit_cost } = tierOf(item, name);
  if (forms === undefined || forms.length === 0) return undefined;
  const cost = costFor(objective, unit_cost);
  const sold = evaluateItem(item, {})[name]?.demand ?? 0;
  const tested = forms.map(({ form, plausible, elasticity, held_out }, k): FormOutcome => {
    const own = forms[k];
    const change = own === undefined ? 0 : changeUnder(own, current_price, price).expected;
    const gain = sold * (Math.exp(change) * (price - cost) - (current_price - cost));
    return { form, plausible, elasticity, ...(held_out !== undefined && { held_out }), gain };
  });
  const gains = tested.flatMap(({ plausible, gain }) => (plausible ? [gain] : []));
  return { tested, gain: { low: Math.min(...gains), high: Math.max(...gains) } };
}
