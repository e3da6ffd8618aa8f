/** By selecting slot, the names that a constraint is limited to; a constraint without a scope is about everything asked for. */
export type ConstraintScope = Readonly<Record<string, readonly string[] | string>>;

/**
 * One thing that was said and constrains a run, as data of its order: the inputs are bound from it, the user reads it, and the task that
 * verifies an effect gets it. Names of slots are the manifest's.
 */
export type Constraint = {
  readonly slot: string;
  /** `only`, `except`: what is selected; `freeze`: what stays as it is; `clear`: what is lifted; `set`: any other value. */
  readonly op: "set" | "only" | "except" | "freeze" | "clear";
  readonly scope?: ConstraintScope;
  readonly value?: number | string | boolean | readonly string[];
  /** Of an amount; a `share` of 0.05 is 5 %. */
  readonly unit?: "share" | "money" | "number";
  /** Whether an amount is the most or the least that is allowed, or a change up or down; a change has the size of it as its value. */
  readonly direction?: "most" | "least" | "up" | "down";
};

/** The constraints of an order, and the flow whose manifest declares their slots. */
export type Constraints = { readonly flow: string; readonly said: readonly Constraint[] };

type SlotValue = string | number | boolean | readonly string[];

/**
 * The constraints of orders that were stored before orders had any: slots and their values. What a value of another slot means is not in
 * them, so that it stays as it is.
 */
export function constraintsOfSlots(values: Readonly<Record<string, SlotValue>>): Constraint[] {
  return Object.entries(values).map(([slot, value]) => ({
    slot,
    op: Array.isArray(value) ? "only" : "set",
    value,
  }));
}
