import type { OrderConstraint } from "./constraint.ts";
import type { Constrainable } from "./types.ts";

/** What a constraint sets for the whole request. */
export type RequestSettings = Pick<Constrainable, "objective" | "price_increment" | "min_gap"> & {
  top?: number;
};

/** The increments that `price_increment` can be, except 0. */
const LEAST_INCREMENT = 1e-4;
const MOST_INCREMENT = 1e6;
const MOST_MONEY = 1e9;

/** @returns undefined where the constraint is of another kind, is limited to a part of the request, or has no value that can be applied */
export function requestSettingsOf({
  slot,
  op,
  scope,
  value,
  unit,
}: OrderConstraint): RequestSettings | undefined {
  if (op !== "set" || (scope && Object.keys(scope).length > 0)) return undefined;
  if (slot === "objective")
    return value === "profit" || value === "revenue" ? { objective: value } : undefined;
  if (typeof value !== "number") return undefined;
  switch (slot) {
    case "rounding":
      return value === 0 || isWithin(value, LEAST_INCREMENT, MOST_INCREMENT)
        ? { price_increment: value }
        : undefined;
    case "gap":
      if (unit === "money")
        return isWithin(value, 0, MOST_MONEY) ? { min_gap: { amount: value } } : undefined;
      return value >= 0 && value < 1 ? { min_gap: { share: value } } : undefined;
    case "top":
      return Number.isInteger(value) && value > 0 ? { top: value } : undefined;
    default:
      return undefined;
  }
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
