import { at } from "../at.ts";
import { median, spreadAround } from "./robust.ts";

/** Rows that support an end of the range: this share of all, between the two bounds. */
const SHARE = 0.005;
const [FEWEST, MOST] = [3, 30];
/** They lie within this many robust standard deviations of ln price, or this factor where most prices are the same. */
const WINDOW = 0.5;
const LEAST_WINDOW = 0.05;

/**
 * The prices that the data support. An end counts only if several rows lie near it on the inner side: a single odd price
 * opens nothing. With few rows, the whole range.
 */
export function supportOf(prices: Float64Array): { low: number; high: number } {
  const sorted = prices.slice().sort();
  const n = sorted.length;
  const logs = sorted.map(Math.log);
  const window = Math.max(LEAST_WINDOW, WINDOW * spreadAround(logs, median(logs)));
  const needed = Math.min(MOST, Math.max(FEWEST, Math.ceil(SHARE * n)));
  if (n < 2 * needed) return { low: at(sorted, 0), high: at(sorted, n - 1) };
  let [low, high] = [0, n - 1];
  while (low < n - needed && at(logs, low + needed - 1) - at(logs, low) > window) low += 1;
  while (high >= needed && at(logs, high) - at(logs, high - needed + 1) > window) high -= 1;
  return low <= high
    ? { low: at(sorted, low), high: at(sorted, high) }
    : { low: at(sorted, 0), high: at(sorted, n - 1) };
}
