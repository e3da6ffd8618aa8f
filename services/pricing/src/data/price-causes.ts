import { at, gather } from "../at.ts";
import { type Grouping, groupsAt } from "../estimation/absorb.ts";
import { uncertaintyOf } from "../estimation/variance.ts";
import { leastSquares } from "../regression.ts";
import { studentTQuantile } from "../student-t.ts";

const FEWEST_PERIODS = 30;
const LEVEL = 0.01;
const MOST_ROWS = 50_000;
/** Stands for no sales in a logarithm. */
const NO_SALES = 0.5;

/**
 * Whether prices follow demand: a price depends on the sales of the period before, given the price then and what else
 * is controlled for (Granger 1969). Prices that were set for reasons of their own do not. Of a single series, or within
 * places. Prices that answer to demand of the same period alone, and to rivals, leave no such trace.
 * @param others controls and season, by row
 */
export function followsDemand(
  logs: Float64Array,
  quantities: Float64Array,
  { codes, levels }: Grouping,
  places: Grouping | undefined,
  others: readonly Float64Array[],
): boolean {
  const n = logs.length;
  if (levels < FEWEST_PERIODS || (places === undefined && levels !== n)) return false;
  const placeOf = (r: number) => (places ? at(places.codes, r) : 0);
  // Whole places up to so many rows: no test needs more.
  const order = [...logs.keys()]
    .filter((r) => n <= MOST_ROWS || placeOf(r) < (MOST_ROWS * (places?.levels ?? 1)) / n)
    .sort((a, b) => placeOf(a) - placeOf(b) || at(codes, a) - at(codes, b));
  const pairs = order.flatMap((row, k) => {
    const before = order[k - 1];
    return before !== undefined && placeOf(before) === placeOf(row) && at(codes, before) < at(codes, row)
      ? [{ row, before }]
      : [];
  });
  if (pairs.length < FEWEST_PERIODS) return false;
  const rows = pairs.map(({ row }) => row);
  const earlier = pairs.map(({ before }) => before);
  const now = (values: Float64Array) => gather(values, rows);
  const then = (values: Float64Array) => gather(values, earlier);
  const sales = quantities.map((quantity) => Math.log(Math.max(quantity, NO_SALES)));
  const clusters = places && groupsAt(places, rows);
  const regression = leastSquares(
    now(logs),
    [then(sales), then(logs), ...others.map(now), ...others.map(then)],
    {
      groupings: clusters ? [clusters] : [],
    },
  );
  if (!regression.entered[0] || !(regression.degreesOfFreedom > 0)) return false;
  const series = { codes: Int32Array.from(pairs, (_, t) => t), levels: pairs.length };
  const { standardError, degreesOfFreedom } = uncertaintyOf(
    regression,
    0,
    clusters ? { clusters } : { periods: series },
  );
  return (
    Math.abs(at(regression.coefficients, 0)) >
    studentTQuantile(1 - LEVEL / 2, degreesOfFreedom) * standardError
  );
}
