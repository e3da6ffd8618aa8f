import { at } from "../at.ts";
import type { Grouping } from "../estimation/absorb.ts";
import { inner, neighbourCorrelation, plainLine } from "./robust.ts";

/** A regressor for what changes while the rows are written. */
export type Shift = {
  readonly code: "price_trend" | "level_break";
  readonly name: string;
  readonly values: Float64Array;
};

const FEWEST_PERIODS = 40;
/** Of the variance of ln price, what a trend or a step must explain. */
const LEAST_EXPLAINED = 0.3;
/** The price drifts by this factor at least. */
const LEAST_DRIFT = Math.log(1.1);
/** Breaks are looked for between these shares of the time. */
const EDGE = 0.15;
const CANDIDATES = 20;
/** F of a step in sales, the largest over the candidates, with its error corrected for autocorrelation (Andrews 1993: 12 at 1%). */
const LEAST_F = 15;

/**
 * A trend or a step that prices and sales have in common. Prices that drift with the value of money, or move when the level of
 * demand does, would pass their history off as the effect of the price.
 */
export function shiftOf(logs: Float64Array, quantities: Float64Array, periods: Grouping): Shift | undefined {
  const { codes, levels } = periods;
  if (levels < FEWEST_PERIODS || quantities.some((quantity) => !(quantity > 0))) return undefined;
  const sales = quantities.map(Math.log);
  const time = Float64Array.from(codes, (period) => period / levels);
  const trend = plainLine(logs, [time]);
  const total = variance(logs);
  if (!(total > 0) || trend === undefined) return undefined;
  const explained = (residuals: Float64Array) => 1 - inner(residuals, residuals) / total;
  const step = bestStep(logs, sales, periods);
  const drift = Math.abs(trend.slopes[0] ?? 0);
  const drifts = drift >= LEAST_DRIFT && explained(trend.residuals) >= LEAST_EXPLAINED;
  if (step !== undefined && !(drifts && explained(trend.residuals) >= explained(step.prices))) {
    return { code: "level_break", name: "level after the break", values: step.values };
  }
  return drifts ? { code: "price_trend", name: "trend", values: time } : undefined;
}

function bestStep(logs: Float64Array, sales: Float64Array, { codes, levels }: Grouping) {
  const total = variance(logs);
  const plain = plainLine(sales, [logs]);
  if (plain === undefined) return undefined;
  const before = inner(plain.residuals, plain.residuals);
  const stride = Math.max(1, Math.floor((levels * (1 - 2 * EDGE)) / CANDIDATES));
  let best: { values: Float64Array; prices: Float64Array; f: number } | undefined;
  for (let t = Math.ceil(EDGE * levels); t < (1 - EDGE) * levels; t += stride) {
    const values = Float64Array.from(codes, (period) => (period >= t ? 1 : 0));
    const prices = plainLine(logs, [values])?.residuals;
    if (prices === undefined || 1 - inner(prices, prices) / total < LEAST_EXPLAINED) continue;
    const line = plainLine(sales, [logs, values]);
    if (line === undefined) continue;
    const rho = Math.max(0, Math.min(0.95, neighbourCorrelation(inTime(line.residuals, codes))));
    const left = inner(line.residuals, line.residuals);
    const f = (((before - left) / left) * (sales.length - 3) * (1 - rho)) / (1 + rho);
    if (f >= LEAST_F && f > (best?.f ?? 0)) best = { values, prices, f };
  }
  return best;
}

/** The values in the order of their periods. */
function inTime(values: Float64Array, codes: Int32Array): Float64Array {
  const order = [...codes.keys()].sort((a, b) => at(codes, a) - at(codes, b));
  return Float64Array.from(order, (r) => at(values, r));
}

function variance(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
