import { at } from "./at.ts";
import type { Chain } from "./chain.ts";
import { blockRoot, blockSlope, headAt, narrow } from "./pooling.ts";
import { down } from "./problem.ts";
import type { Term } from "./terms.ts";

/**
 * Optimality gap that the search accepts, as a share of the objective's magnitude;
 * Newton steps then refine the answer.
 */
const TOLERANCE = 1e-6;
const FIRST_CELLS = 8;
const MOST_CUTS = 5000;
const LEAST_WIDTH = 1e-9;

/** One tier, evaluated at every cut; outside the tier's range [from, to] its values are −Infinity. */
type Row = {
  readonly term: Term;
  readonly from: number;
  readonly to: number;
  readonly prices: number[];
  readonly values: number[];
  /** d term / d price. */
  readonly slopes: number[];
};

/**
 * Global maximum of Σ terms over a chain. Each term is concave up to one point and convex beyond, so their
 * sum may have several local maxima.
 *
 * Coordinate: a tier's v is the price that the first tier would have if all links between the two were tight.
 * In v the links read v[i+1] ≤ v[i]. At an optimum, neighbouring tiers with equal v form a group, and v is
 * either an end of a member's range or a root of the group's slope.
 *
 * Method: branch and bound on the line of v. Cells are halved until no group of neighbours can gain more than
 * the tolerance inside a cell over the cell's ends. The inflection points of all terms are cuts, so each
 * slope is monotone on a cell and its values at the two ends bound it. Dynamic programming then picks the
 * best nonincreasing sequence of cuts, and Newton steps move each group to the root of its slope.
 * @param start a feasible point
 * @returns prices from high to low, within 1e-5 relative of the global optimum, and usually exact to rounding
 */
export function certifiedSearch(chain: Chain, start: readonly number[]): number[] {
  const low = chain.terms.map((term, i) => clip(term.peak, at(chain.low, i), at(chain.high, i)));
  const high = low.slice();
  narrow(chain, low, high);
  const from = low.map((price, i) => headAt(chain, 0, i, price));
  const to = high.map((price, i) => headAt(chain, 0, i, price));
  for (let i = 1; i < low.length; i++) {
    // Ranges are nonincreasing along the chain. Converting to v may have broken that by one rounding error.
    from[i] = Math.min(at(from, i), at(from, i - 1));
    to[i] = Math.min(at(to, i), at(to, i - 1));
  }
  const rows = chain.terms.map((term, i): Row => {
    return { term, from: at(from, i), to: at(to, i), prices: [], values: [], slopes: [] };
  });
  // The tolerance is relative to the objective's magnitude. The start may be a poor point, so a coarse search
  // supplies a better one for the estimate.
  const first = firstCuts(chain, rows);
  cutLine(chain, rows, first, Number.POSITIVE_INFINITY);
  const good = bestPoint(rows)?.map((c, i) => at(at(rows, i).prices, c)) ?? start;
  const size = [good, start].map((point) =>
    point.reduce((sum, price, i) => sum + Math.abs(at(chain.terms, i).value(price)), 0),
  );
  const cuts = cutLine(chain, rows, first, TOLERANCE * Math.max(...size));
  const chosen = bestPoint(rows);
  if (chosen === undefined) return start.slice();
  const rough = chosen.map((c, i) => at(at(rows, i).prices, c));
  const polished = polish(chain, cuts, chosen, low, high);
  return [rough, polished].reduce(
    (best, next) => (sumAt(chain, next) > sumAt(chain, best) ? next : best),
    start.slice(),
  );
}

/**
 * The initial cuts: a geometric grid, the peak, inflection point and range ends of every term, and the prices
 * at which a link switches between its gap and its offset.
 */
function firstCuts(chain: Chain, rows: readonly Row[]): number[] {
  const least = at(rows, rows.length - 1).from;
  const most = at(rows, 0).to;
  const cuts = new Set<number>(rows.flatMap((row) => [row.from, row.to]));
  const add = (i: number, price: number) => {
    const v = price > 0 && price < Number.POSITIVE_INFINITY ? headAt(chain, 0, i, price) : 0;
    if (v > least && v < most) cuts.add(v);
  };
  rows.forEach((row, i) => {
    add(i, row.term.peak);
    add(i, row.term.concaveUpTo);
    const link = chain.links[i];
    if (link && link.keep < 1) add(i, link.offset / (1 - link.keep));
  });
  for (let k = 1; k < FIRST_CELLS; k++) add(0, least * (most / least) ** (k / FIRST_CELLS));
  return [...cuts].sort((a, b) => a - b);
}

/**
 * Evaluates the rows from low to high v, and halves each cell in which
 * a group could still gain. Returns all cuts.
 */
function cutLine(chain: Chain, rows: readonly Row[], first: readonly number[], tolerance: number): number[] {
  const cuts: number[] = [];
  for (const row of rows) for (const column of [row.prices, row.values, row.slopes]) column.length = 0;
  const pending = first.slice().reverse();
  while (pending.length > 0) {
    const v = at(pending, pending.length - 1);
    rows.forEach((row, i) => {
      const price = clip(toTier(chain, i, v), at(chain.low, i), at(chain.high, i));
      const inside = v >= row.from && v <= row.to;
      row.prices.push(price);
      row.values.push(inside ? row.term.value(price) : Number.NEGATIVE_INFINITY);
      row.slopes.push(inside ? row.term.slope(price) : Number.NaN);
    });
    cuts.push(v);
    const left = cuts.at(-2) ?? v;
    const splits = v - left > LEAST_WIDTH * v && cuts.length + pending.length < MOST_CUTS;
    if (splits && hidesGain(chain, rows, left, v, tolerance)) {
      // Remove the cell's right end again and evaluate its left half first.
      for (const row of rows) for (const column of [row.prices, row.values, row.slopes]) column.pop();
      cuts.pop();
      pending.push(Math.sqrt(left * v));
    } else {
      pending.pop();
    }
  }
  return cuts;
}

/**
 * Whether a group of two or more neighbours could gain more than the
 * tolerance inside the last cell over its ends.
 */
function hidesGain(
  chain: Chain,
  rows: readonly Row[],
  left: number,
  right: number,
  tolerance: number,
): boolean {
  const middle = 0.5 * (left + right);
  const least: number[] = [];
  const most: number[] = [];
  rows.forEach((row, i) => {
    const rate = rateTo(chain, i, middle);
    const a = at(row.slopes, row.slopes.length - 2) * rate;
    const b = at(row.slopes, row.slopes.length - 1) * rate;
    least.push(Math.min(a, b));
    most.push(Math.max(a, b));
  });
  for (let first = 0; first < rows.length; first++) {
    let down = at(least, first);
    let up = at(most, first);
    for (let last = first + 1; last < rows.length; last++) {
      down += at(least, last);
      up += at(most, last);
      // A tier whose range does not cover the cell has slope NaN,
      // so the comparison is false for every group with it.
      if (Math.min(-down, up) * (right - left) > tolerance) return true;
    }
  }
  return false;
}

/**
 * The best nonincreasing choice of cuts, one for each tier, by dynamic programming;
 * undefined if none is feasible.
 */
function bestPoint(rows: readonly Row[]): number[] | undefined {
  const width = rows[0]?.values.length ?? 0;
  const choice: number[][] = [];
  const reach = new Array<number>(width).fill(0);
  for (let i = rows.length - 1; i >= 0; i--) {
    const values = at(rows, i).values;
    const pick: number[] = [];
    let best = Number.NEGATIVE_INFINITY;
    let bestAt = 0;
    for (let c = 0; c < width; c++) {
      const value = at(values, c) + at(reach, c);
      if (value > best) {
        best = value;
        bestAt = c;
      }
      reach[c] = best;
      pick.push(bestAt);
    }
    choice[i] = pick;
  }
  if (reach[width - 1] === Number.NEGATIVE_INFINITY) return undefined;
  const chosen: number[] = [];
  let limit = width - 1;
  for (let i = 0; i < rows.length; i++) {
    limit = at(at(choice, i), limit);
    chosen.push(limit);
  }
  return chosen;
}

/** Moves each group of tiers at the same cut to the root of its slope between the neighbouring cuts. */
function polish(
  chain: Chain,
  cuts: readonly number[],
  chosen: readonly number[],
  low: readonly number[],
  high: readonly number[],
): number[] {
  const moved = chosen.map((c) => at(cuts, c));
  for (let first = 0, last = 0; first < chosen.length; first = last + 1) {
    last = first;
    while (chosen[last + 1] === chosen[first]) last++;
    const c = at(chosen, first);
    // Move at most half-way to the neighbouring groups, so that the groups keep their order.
    const below = last + 1 < chosen.length ? midway(cuts, c, at(chosen, last + 1)) : 0;
    const above = first > 0 ? midway(cuts, c, at(chosen, first - 1)) : Number.POSITIVE_INFINITY;
    const least = Math.max(below, cuts[c - 1] ?? 0, headAt(chain, 0, first, at(low, first)));
    const most = Math.min(above, cuts[c + 1] ?? 0, headAt(chain, 0, last, at(high, last)));
    const a = toTier(chain, first, least);
    const b = toTier(chain, first, most);
    if (!(a < b) || blockSlope(chain, first, last, a) <= 0 || blockSlope(chain, first, last, b) >= 0)
      continue;
    moved.fill(headAt(chain, 0, first, blockRoot(chain, first, last, a, b)), first, last + 1);
  }
  return moved.map((v, i) => clip(toTier(chain, i, v), at(chain.low, i), at(chain.high, i)));
}

function midway(cuts: readonly number[], a: number, b: number): number {
  return 0.5 * (at(cuts, a) + at(cuts, b));
}

function toTier(chain: Chain, i: number, v: number): number {
  let price = v;
  for (let j = 0; j < i; j++) price = down(at(chain.links, j), price);
  return price;
}

/** d price of tier i / d v. */
function rateTo(chain: Chain, i: number, v: number): number {
  let price = v;
  let rate = 1;
  for (let j = 0; j < i; j++) {
    const link = at(chain.links, j);
    if (price * link.keep < price - link.offset) rate *= link.keep;
    price = down(link, price);
  }
  return rate;
}

function sumAt(chain: Chain, prices: readonly number[]): number {
  return prices.reduce((sum, price, i) => sum + at(chain.terms, i).value(price), 0);
}

function clip(price: number, low: number, high: number): number {
  return Math.min(Math.max(price, low), high);
}
