import { atLeast, atMost, same } from "../compare.ts";
import type { PolicyTier } from "../policy-types.ts";
import type { OrderConstraint } from "./constraint.ts";

/** Whether a price keeps a constraint on amounts. The unit cost is the one that the order supposes. */
export type PriceRule = (price: number, today: PolicyTier) => boolean;

type MakeRule = (amount: number, increment: number, said: OrderConstraint) => PriceRule;

/** A price that was rounded to the increment lies at most half of one beside the exact one. */
const HALF = 0.5;
/** For a move without an increment: far above errors of rounding doubles, far below a change that anybody orders. */
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
  // A price that stays is no price that somebody rounds.
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

/** @returns undefined where nothing here judges the constraint */
export function priceRule(constraint: OrderConstraint, increment: number): PriceRule | undefined {
  const amount = amountOf(constraint);
  const { slot, op, unit } = constraint;
  if (op !== "set" || amount === undefined || !Object.hasOwn(RULES, slot) || !UNITS[slot]?.includes(unit))
    return undefined;
  return RULES[slot]?.(amount, increment, constraint);
}

/** A change down has its size as its value. */
export function amountOf({ value, direction }: OrderConstraint): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return direction === "down" ? -Math.abs(value) : value;
}
