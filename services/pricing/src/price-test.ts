import { normalQuantile } from "./normal.ts";
import { costFor } from "./terms.ts";
import type { Objective, ResolvedItem, ResolvedTier } from "./types.ts";

/** A price test of one tier: periods at one price and at the other in turn (wire shape). */
export type PriceTest = {
  tier: string;
  /** Today's price and the recommended one. */
  levels: [number, number];
  /** The elasticity at which both prices earn the same: the test is to tell the elasticity from it. */
  break_even_elasticity: number;
  /** Periods of the data, half of them at each price; null: more than `MOST_PERIODS`. */
  periods: number | null;
  /** The probability that the test settles it, if the elasticity is as estimated. */
  power: number;
};

export const TEST_POWER = 0.8;
/** Two years of weeks: nobody tests a price for longer. */
export const MOST_PERIODS = 104;
const LEVEL = 0.05;
const FEWEST_PERIODS = 4;

/**
 * The tests for the tiers that move. ln q differs between the two prices by e·ln(p₁/p₀), and each row has an error of
 * standard deviation σ, so with n rows, half at each price, the elasticity has the standard error
 * 2σ / (√n·|ln(p₁/p₀)|). It is told from the break-even elasticity e* at the 5% level with a power of 80% if
 * |e − e*| is z₀.₉₇₅ + z₀.₈ standard errors (Cohen 1988, 2.4). Tiers that were fitted together, or whose margins are not
 * positive, have no break-even elasticity of their own.
 */
export function priceTests(
  item: ResolvedItem,
  prices: Readonly<Record<string, number>>,
  objective: Objective,
): PriceTest[] {
  if (item.joint !== undefined) return [];
  return Object.entries(item.tiers).flatMap(([name, tier]) => {
    const test = testOf(tier, prices[name] ?? tier.current_price, objective);
    return test ? [{ tier: name, ...test }] : [];
  });
}

function testOf(
  { current_price: today, unit_cost, demand, fit, held }: ResolvedTier,
  price: number,
  objective: Objective,
): Omit<PriceTest, "tier"> | undefined {
  const error = fit?.residual_sd;
  if (held || price === today || error === undefined || demand.model !== "constant_elasticity")
    return undefined;
  const cost = costFor(objective, unit_cost);
  const [before, after] = [today - cost, price - cost];
  if (!(before > 0) || !(after > 0)) return undefined;
  const move = Math.log(price / today);
  const breakEven = Math.log(before / after) / move;
  const reach = normalQuantile(1 - LEVEL / 2) + normalQuantile(TEST_POWER);
  const rows = ((2 * error * reach) / (move * (demand.elasticity - breakEven))) ** 2;
  const perPeriod = fit?.inference?.periods === undefined ? 1 : (fit?.n ?? 1) / fit.inference.periods;
  const periods = Math.max(FEWEST_PERIODS, 2 * Math.ceil(rows / perPeriod / 2));
  return {
    levels: [today, price],
    break_even_elasticity: breakEven,
    periods: periods <= MOST_PERIODS ? periods : null,
    power: TEST_POWER,
  };
}
