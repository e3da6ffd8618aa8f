import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { Amount } from "../text/amounts.ts";

/** A plain number from here on is a percentage, and below it a fraction. */
const LEAST_PERCENTAGE = 1;

/** What a number of an amount is for a slot: "5" of a percentage is 0.05, "1.400" of a price 1400. */
export function sizeFor({ kind }: SlotDeclaration, { unit, value, thousands }: Amount, said: number): number {
  if (thousands !== undefined && said === value && kind !== "percent") return thousands;
  const isPercentage = kind === "percent" && unit === "none" && Math.abs(said) >= LEAST_PERCENTAGE;
  return isPercentage ? Number((said / 100).toPrecision(12)) : said;
}
