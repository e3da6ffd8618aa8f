import { gather } from "../at.ts";
import { centred, median, plainLine, spreadAround } from "./robust.ts";

/** Two levels count as apart if their medians differ by this factor, and nothing lies between them over the second. */
const LEAST_RATIO = Math.log(3);
const LEAST_GAP = Math.log(1.5);
/** A level has this share of the rows at least; fewer are typos. */
const LEAST_SHARE = 0.05;
const FEWEST_ROWS = 12;
const TYPO_RATIO = Math.log(5);
const TYPO_DEVIATIONS = 4;
const QUANTITY_RATIO = Math.log(5);
const QUANTITY_DEVIATIONS = 7;
/** A quantity is no typo if a Poisson count this many deviations off would explain it. */
const COUNT_DEVIATIONS = 5;

export type OddPrices = { readonly apart: readonly number[]; readonly odd: readonly number[] };

/**
 * Prices far from all others, in log distance to the median of their product: positions of `apart`, the smaller of two levels
 * that both have many rows, or of `odd`, single prices as typos make them.
 */
export function oddPrices(logs: Float64Array, products: Int32Array | undefined): OddPrices {
  if (logs.length < FEWEST_ROWS) return { apart: [], odd: [] };
  const values = centred(logs, products);
  const sorted = values.slice().sort();
  const middle = median(sorted);
  const few = Math.ceil(LEAST_SHARE * sorted.length);
  const odd: number[] = [];
  const positions = (low: number, high: number) =>
    [...values.keys()].filter((r) => {
      const value = values[r] ?? 0;
      return value >= (sorted[low] ?? 0) && value <= (sorted[high - 1] ?? 0);
    });
  // From the centre outwards, the first wide gap on each side ends the ordinary prices.
  const half = sorted.length >> 1;
  const cuts: number[] = [];
  for (let k = half; k > 0; k--)
    if ((sorted[k] ?? 0) - (sorted[k - 1] ?? 0) >= LEAST_GAP) {
      cuts.push(k);
      break;
    }
  for (let k = half; k + 1 < sorted.length; k++)
    if ((sorted[k + 1] ?? 0) - (sorted[k] ?? 0) >= LEAST_GAP) {
      cuts.push(k + 1);
      break;
    }
  const from = cuts.find((cut) => cut <= half) ?? 0;
  const to = cuts.find((cut) => cut > half) ?? sorted.length;
  const core = sorted.subarray(from, to);
  const spread = Math.max(0.02, spreadAround(core, median(core)));
  for (const [low, high] of [
    [0, from],
    [to, sorted.length],
  ] as const) {
    if (low === high) continue;
    const distance = Math.abs(median(sorted.subarray(low, high)) - median(core));
    if (distance < LEAST_RATIO) continue;
    if (high - low >= few) return { apart: positions(low, high), odd: [] };
    for (const r of positions(low, high)) {
      const far = Math.abs((values[r] ?? 0) - middle);
      if (far >= TYPO_RATIO && far > TYPO_DEVIATIONS * spread) odd.push(r);
    }
  }
  return { apart: [], odd: odd.sort((a, b) => a - b) };
}

/**
 * Of the odd prices those that sales contradict: a typo in the price leaves the sales of an ordinary price, a real bargain has
 * its own. Sales are compared with a line through the other rows, at the price as written and at their mean.
 */
export function contradicted(
  odd: readonly number[],
  logs: Float64Array,
  quantities: Float64Array,
): readonly number[] {
  if (odd.length === 0) return odd;
  const far = new Set(odd);
  const others = [...logs.keys()].filter((r) => !far.has(r) && (quantities[r] ?? 0) > 0);
  const x = Float64Array.from(others, (r) => logs[r] ?? 0);
  const y = Float64Array.from(others, (r) => Math.log(quantities[r] ?? 1));
  const slope = plainLine(y, [x])?.slopes[0] ?? 0;
  const [centre, level] = [x, y].map(
    (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  );
  if (centre === undefined || level === undefined) return odd;
  return odd.filter((r) => {
    const sales = Math.log(Math.max(quantities[r] ?? 0, 0.5));
    const written = level + slope * ((logs[r] ?? 0) - centre);
    return Math.abs(sales - written) > Math.abs(sales - level);
  });
}

/**
 * Positions of quantities that price and place leave unexplained by a factor of 5, by seven robust deviations and by five of a
 * Poisson count. The line is fitted again without them, because they bend it.
 */
export function oddQuantities(
  logs: Float64Array,
  quantities: Float64Array,
  groups: Int32Array | undefined,
): number[] {
  const sold = new Int32Array(quantities.length).map((_, r) => r).filter((r) => (quantities[r] ?? 0) > 0);
  if (sold.length < FEWEST_ROWS) return [];
  const own = groups && new Int32Array(sold.length).map((_, k) => groups[sold[k] ?? 0] ?? 0);
  const x = centred(gather(logs, sold), own);
  const y = centred(gather(quantities, sold).map(Math.log), own);
  const every = new Int32Array(sold.length).map((_, k) => k);
  let odd = every.subarray(0, 0);
  for (let round = 0; round < 2; round++) {
    const out = new Set(odd);
    const ordinary = round === 0 ? every : every.filter((k) => !out.has(k));
    const slope = plainLine(gather(y, ordinary), [gather(x, ordinary)])?.slopes[0] ?? 0;
    const rests = y.map((value, k) => value - slope * (x[k] ?? 0));
    const middle = median(rests);
    const limit = Math.max(QUANTITY_RATIO, QUANTITY_DEVIATIONS * spreadAround(rests, middle));
    odd = every.filter((k) => {
      const rest = (rests[k] ?? 0) - middle;
      if (Math.abs(rest) < limit) return false;
      const quantity = quantities[sold[k] ?? 0] ?? 0;
      const expected = quantity / Math.exp(rest);
      return Math.abs(quantity - expected) >= COUNT_DEVIATIONS * Math.sqrt(expected);
    });
    if (odd.length === 0) return [];
  }
  return odd.length > LEAST_SHARE * sold.length ? [] : Array.from(odd, (k) => sold[k] ?? 0);
}
