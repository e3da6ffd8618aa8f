import { at } from "../at.ts";
import type { Grouping } from "../estimation/absorb.ts";
import { median, plainLine, spreadAround } from "./robust.ts";

const FEWEST_ZEROS = 3;
const LEAST_ZERO_SHARE = 0.02;
/** Zeros by chance: rows that would sell at least this much have none in fewer than 1 of 100 cases (Poisson). */
const CERTAIN_SALES = 5;
const LEAST_CAPPED = 0.05;
const FEWEST_CAPPED = 5;

/**
 * Positions of zeros that chance does not explain: rows that should have sold five units or more by a line through
 * the rows with sales. `random`: they come at all prices alike.
 */
export function unexplainedZeros(
  logs: Float64Array,
  quantities: Float64Array,
): { rows: number[]; random: boolean } {
  const all = [...quantities.keys()];
  const sold = all.filter((r) => at(quantities, r) > 0);
  const none = { rows: [], random: false };
  if (sold.length === all.length || sold.length < 12) return none;
  const line = plainLine(
    Float64Array.from(sold, (r) => Math.log(at(quantities, r))),
    [Float64Array.from(sold, (r) => at(logs, r))],
  );
  if (line === undefined) return none;
  const [slope = 0] = line.slopes;
  const mean = (values: Iterable<number>, count: number) =>
    [...values].reduce((sum, value) => sum + value, 0) / count;
  const level = mean(
    sold.map((r) => Math.log(at(quantities, r)) - slope * at(logs, r)),
    sold.length,
  );
  const due = all.filter((r) => level + slope * at(logs, r) > Math.log(CERTAIN_SALES));
  const rows = due.filter((r) => at(quantities, r) === 0);
  if (rows.length < Math.max(FEWEST_ZEROS, LEAST_ZERO_SHARE * all.length)) return none;
  // Welch's test of the prices with and without sales, among rows that should have sold.
  const others = due.filter((r) => at(quantities, r) > 0);
  const side = (own: readonly number[]) => {
    const middle = mean(
      own.map((r) => at(logs, r)),
      own.length,
    );
    const squares = own.reduce((sum, r) => sum + (at(logs, r) - middle) ** 2, 0);
    return { middle, error: squares / Math.max(1, own.length - 1) / own.length };
  };
  if (others.length < 2) return { rows, random: false };
  const [a, b] = [side(rows), side(others)];
  return { rows, random: Math.abs(a.middle - b.middle) < 2 * Math.sqrt(a.error + b.error) };
}

/** Positions of the rows that share the largest quantity, if they are too many for chance. */
export function cappedSales(quantities: Float64Array): number[] {
  const most = quantities.reduce((high, value) => Math.max(high, value), 0);
  const rows = [...quantities.keys()].filter((r) => quantities[r] === most);
  return most >= FEWEST_CAPPED && rows.length >= Math.max(FEWEST_CAPPED, LEAST_CAPPED * quantities.length)
    ? rows
    : [];
}

const FEWEST_PERIODS = 30;
const SURE = 3.5;
const NOTABLE_CUT = 0.05;

/** Whether low prices cost sales in the next two periods: positions of rows after a cut by 5% or more. Single series only. @param season what else moves sales along time */
export function stockpiling(
  logs: Float64Array,
  quantities: Float64Array,
  periods: Grouping,
  season: readonly Float64Array[],
): number[] {
  const order = inOrder(periods);
  const n = logs.length;
  if (periods.levels !== n || n < FEWEST_PERIODS || quantities.some((quantity) => !(quantity > 0))) return [];
  const all = Array.from({ length: n - LAGS }, (_, t) => t + LAGS);
  if (!earlierPricesMatter(logs, quantities, order, season, all)) return [];
  return [...order].filter((r, t) => t > 0 && at(logs, at(order, t - 1)) < at(logs, r) - NOTABLE_CUT);
}

/** So many periods after a promotion buyers may live on what they stocked. */
const LAGS = 2;

function earlierPricesMatter(
  logs: Float64Array,
  quantities: Float64Array,
  order: Int32Array,
  season: readonly Float64Array[],
  periods: readonly number[],
): boolean {
  const from = (values: Float64Array, lag: number) =>
    Float64Array.from(periods, (t) => at(values, at(order, t - lag)));
  // Without the season, the previous period's price would act as a proxy for it.
  const others = season.map((values) => from(values, 0));
  const lags = [0, 1, LAGS].map((lag) => from(logs, lag));
  const line = plainLine(from(quantities.map(Math.log), 0), [...lags, ...others]);
  const sure = (k: number) => (line?.slopes[k] ?? 0) > SURE * (line?.errors[k] ?? Number.POSITIVE_INFINITY);
  return sure(1) || sure(LAGS);
}

function inOrder({ codes, levels }: Grouping): Int32Array {
  const order = new Int32Array(levels);
  codes.forEach((period, r) => {
    order[period] = r;
  });
  return order;
}

/** A promotion is a price so far below the median of so many periods around it, at the ends as many. */
const PROMOTION = 0.1;
const AROUND = 26;
/** Without a column, promotions stand apart from the other prices: so many of their standard deviations deep. */
const APART = 3;

/**
 * Of a single series in which buyers stock up: positions of rows that are neither a promotion nor in the two periods after
 * one, in which sales are what a lasting price sells; undefined if earlier prices still matter among them, or if few are left.
 * @param promoted 1 for rows that a column calls a promotion
 */
export function regularRows(
  logs: Float64Array,
  quantities: Float64Array,
  periods: Grouping,
  season: readonly Float64Array[],
  promoted: Uint8Array | undefined,
): number[] | undefined {
  const order = inOrder(periods);
  const inSeries = Float64Array.from(order, (r) => at(logs, r));
  const around = inSeries.map((price, t) => {
    const first = Math.max(0, Math.min(t - AROUND / 2, inSeries.length - AROUND));
    return price - median(inSeries.subarray(first, first + AROUND));
  });
  const cut = [...around].map(
    (price, t) => promoted?.[at(order, t)] === 1 || price < Math.log(1 - PROMOTION),
  );
  const usual = around.filter((_, t) => !cut[t]);
  const depth = -median(around.filter((_, t) => cut[t]));
  if (promoted === undefined && !(depth > APART * spreadAround(usual, median(usual)))) return undefined;
  const isRegular = (t: number) => t >= LAGS && !cut.slice(t - LAGS, t + 1).includes(true);
  const regular = [...inSeries.keys()].filter(isRegular);
  if (regular.length < FEWEST_PERIODS || regular.length === inSeries.length - LAGS) return undefined;
  if (earlierPricesMatter(logs, quantities, order, season, regular)) return undefined;
  return regular.map((t) => at(order, t));
}

const FEWEST_CHANGES = 5;

/** Whether the price of a single series changes so rarely that its effect cannot be told from other changes. */
export function rarelyChanges(prices: Float64Array, { codes, levels }: Grouping): boolean {
  if (levels !== prices.length || levels < FEWEST_PERIODS) return false;
  const series = new Float64Array(levels);
  codes.forEach((period, r) => {
    series[period] = at(prices, r);
  });
  let changes = 0;
  for (let t = 1; t < levels; t++) if (series[t] !== series[t - 1]) changes += 1;
  return changes < FEWEST_CHANGES;
}
