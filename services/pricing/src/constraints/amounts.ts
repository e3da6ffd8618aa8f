import { atLeast, atMost, same } from "../compare.ts";
import type { PolicyTier } from "../policy-types.ts";
import type { OrderConstraint } from "./constraint.ts";

/** Whether a price satisfies a constraint on amounts. The unit cost includes the order's cost moves. */
export type PriceRule = (price: number, today: PolicyTier) => boolean;

type MakeRule = (amount: number, increment: number, said: OrderConstraint) => PriceRule;

/** Rounding to the increment moves a price by at most half of it. */
const HALF = 0.5;
/** Tolerance of a move without an increment: far above rounding errors of doubles, far below any real change. */
const RELATIVE = 1e-9;

const RULES: Readonly<Record<string, MakeRule>> = {
  max_change_pct:
    (amount, _, { direction, unit }) =>
    (price, { current_price: today }) => {
      const by = Math.abs(amount) * (unit === "money" ? 1 : today);
      const most = direction === "down" ? today : today + by;
      const least = direction === "up" ? today : today - by;
      return atMost(price, most) && atLeast(price, least);
    },
  price_move:
    (amount, increment, { unit }) =>
    (price, { current_price: today }) => {
      const exact = unit === "money" ? today + amount : today * (1 + amount);
      return Math.abs(price - exact) <= HALF * increment + RELATIVE * exact;
    },
  min_price: (least) => (price) => atLeast(price, least),
  max_price: (most) => (price) => atMost(price, most),
  min_margin:
    (amount, _, { unit }) =>
    (price, { unit_cost: cost }) => {
      if (cost === undefined) return false;
      return unit === "money"
        ? atLeast(price, cost + amount)
        : amount < 1 && atLeast(price, cost / (1 - amount));
    },
  // An unchanged price need not be a multiple of the increment.
  rounding:
    (increment) =>
    (price, { current_price: today }) =>
      increment === 0 || same(price, today) || same(price, Math.round(price / increment) * increment),
};

const UNITS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  max_change_pct: [undefined, "share", "money"],
  price_move: [undefined, "share", "money"],
  min_margin: [undefined, "share", "money"],
  min_price: [undefined, "money"],
  max_price: [undefined, "money"],
  rounding: [undefined, "money"],
};

/** @returns undefined for a constraint that is not on amounts */
export function priceRule(constraint: OrderConstraint, increment: number): PriceRule | undefined {
  const amount = amountOf(constraint);
  const { slot, op, unit } = constraint;
  if (op !== "set" || amount === undefined || !Object.hasOwn(RULES, slot) || !UNITS[slot]?.includes(unit))
    return undefined;
  return RULES[slot]?.(amount, increment, constraint);
}

/** The value of a change down is positive: the size of the change. */
export function amountOf({ value, direction }: OrderConstraint): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return direction === "down" ? -Math.abs(value) : value;
}
