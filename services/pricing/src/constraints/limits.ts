import { atLeast, atMost } from "../compare.ts";
import { isPrice } from "../policy-rules.ts";
import type { PolicyItem, PolicyTier } from "../policy-types.ts";
import { amountOf } from "./amounts.ts";
import type { OrderConstraint } from "./constraint.ts";
import { scopeOf } from "./selection.ts";

/** Prices that are allowed, both ends included; money. */
export type Range = { readonly low: number; readonly high: number };

/** The range that a constraint allows for a tier of an item; undefined where it does not concern the tier. */
export type Limit = (item: PolicyItem, tier: string, today: PolicyTier) => Range | undefined;

export const ANY: Range = { low: 0, high: Number.POSITIVE_INFINITY };

type MakeRange = (today: PolicyTier) => Range | undefined;

/** An amount in money, where a share is of the given price or cost. */
export function shiftOf(amount: number, { unit }: OrderConstraint, of: number): number {
  return unit === "money" ? amount : of * amount;
}

/** Unit costs include the constraints' cost moves, which are applied first. */
const RANGES: Readonly<
  Record<string, (amount: number, constraint: OrderConstraint, increment: number) => MakeRange | undefined>
> = {
  max_change_pct:
    (amount, constraint) =>
    ({ current_price: today }) => {
      const { direction } = constraint;
      const by = shiftOf(Math.abs(amount), constraint, today);
      if (!isPrice(today)) return undefined;
      return {
        low: direction === "up" ? today : Math.max(0, today - by),
        high: direction === "down" ? today : today + by,
      };
    },
  min_price: (amount) => () => ({ ...ANY, low: Math.abs(amount) }),
  max_price: (amount) => (Math.abs(amount) > 0 ? () => ({ ...ANY, high: Math.abs(amount) }) : undefined),
  min_margin: (amount, { unit }) =>
    unit === "money" || amount < 1
      ? ({ unit_cost: cost }) => {
          if (cost === undefined) return undefined;
          return { ...ANY, low: unit === "money" ? cost + amount : cost / (1 - amount) };
        }
      : undefined,
  // A price move allows exactly one price, rounded to the increment.
  price_move:
    (amount, constraint, increment) =>
    ({ current_price: today }) => {
      const exact = today + shiftOf(amount, constraint, today);
      return isPrice(today) && exact > 0
        ? { low: exact - increment / 2, high: exact + increment / 2 }
        : undefined;
    },
};

/**
 * The limit that a constraint on amounts sets on single prices.
 * @returns undefined where it is a constraint of another kind, or has no value that can be applied
 */
export function limitOf(constraint: OrderConstraint, increment: number): Limit | undefined {
  const make = Object.hasOwn(RANGES, constraint.slot) ? RANGES[constraint.slot] : undefined;
  const amount = constraint.op === "set" && hasUnit(constraint) ? amountOf(constraint) : undefined;
  const range = amount === undefined ? undefined : make?.(amount, constraint, increment);
  const inScope = scopeOf(constraint);
  return range && ((item, tier, today) => (inScope(item, tier) ? range(today) : undefined));
}

/** Prices are money; everything else is a share unless its unit is money. */
function hasUnit({ slot, unit }: OrderConstraint): boolean {
  if (unit === undefined || unit === "money") return true;
  return unit === "share" && slot !== "min_price" && slot !== "max_price";
}

export function allows({ low, high }: Range, price: number): boolean {
  return atLeast(price, low) && atMost(price, high);
}
