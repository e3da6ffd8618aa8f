import { PricingError } from "../errors.ts";
import type { OrderConstraint } from "./constraint.ts";

/** Values of a constraint that an error names. */
const MOST_NAMED = 5;

export function nothingSelected(constraint: OrderConstraint): PricingError {
  const text =
    constraint.slot === "only_violating"
      ? "No item that is left breaks a rule today."
      : `Nothing is left that fits ${wordsOf(constraint)}.`;
  return new PricingError("NOTHING_SELECTED", text, { constraint: constraint.slot });
}

/** One side of a contradiction: a constraint, or the item's own bounds. */
export type Source = OrderConstraint | "bounds";

export function conflict(item: string, tier: string, pair: readonly [Source, Source]): PricingError {
  const [one, other] = pair.map((source) => (source === "bounds" ? "its own bounds" : wordsOf(source)));
  const slots = pair.map((source) => (source === "bounds" ? source : source.slot));
  return new PricingError(
    "CONFLICTING_CONSTRAINTS",
    `Item ${item}, ${tier}: ${one} and ${other} leave no price.`,
    {
      item_id: item,
      tiers: [tier],
      constraint: [...new Set(slots)].join(", "),
    },
  );
}

/** The price of a tier whose demand is unknown stays, and a constraint does not allow that. */
export function heldBeyond(item: string, tier: string, constraint: OrderConstraint): PricingError {
  return new PricingError(
    "INFEASIBLE",
    `Item ${item}, ${tier}: its data do not tell how demand answers to the price, and ${wordsOf(constraint)} does not allow today's.`,
    { item_id: item, tiers: [tier], constraint: constraint.slot },
  );
}

/** A constraint as errors name it. */
function wordsOf({ slot, op, value, direction }: OrderConstraint): string {
  const values = [value ?? []].flat();
  const more = values.length > MOST_NAMED ? ["…"] : [];
  const named = [...values.slice(0, MOST_NAMED), ...more].join(", ");
  return [
    slot,
    ...(op === "set" ? [] : [`(${op})`]),
    ...(direction === "up" || direction === "down" ? [direction] : []),
    named,
  ]
    .filter((word) => word !== "")
    .join(" ");
}
