/** One thing that somebody said of an order (wire shape). */
export type OrderConstraint = {
  slot: string;
  op: "set" | "only" | "except" | "freeze" | "clear";
  /** What the constraint is about; absent: all items. */
  scope?: { items?: string[]; tiers?: string[]; region?: string | string[]; segment?: string | string[] };
  value?: number | string | boolean | (string | number)[];
  unit?: string;
  direction?: string;
};

/** Whether a slot was set to something; what is not to be is not said. */
export function says(
  { constraints = [] }: { readonly constraints?: readonly OrderConstraint[] },
  slot: string,
): boolean {
  return constraints.some(({ slot: own, op, value }) => own === slot && op === "set" && value !== false);
}
