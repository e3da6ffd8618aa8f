import type { Chain } from "./chain.ts";
import { blockRoot, blockSlope, headAt, narrow } from "./pooling.ts";
import { down, type Link } from "./problem.ts";
import type { Term } from "./terms.ts";

/** Stop when no price can beat the best one found by more than this share of the objective's size. */
const TOLERANCE = 5e-6;
const FIRST_CELLS = 24;
const MOST_CELLS = 50_000;

/**
 * The largest Σ terms over a chain, for terms that are only unimodal (sums of such terms have several local maxima).
 *
 * In the coordinate v = "price of the first tier at which a tight chain gives this price" the links read v[i+1] ≤ v[i].
 * The line of v is cut into cells with every tier's peak and range end at a cut, so that a term's largest value on a cell
 * is at one of the cell's ends. One dynamic programme over cells bounds the optimum from above, another over the cuts gives a
 * feasible point below it; cells through which no bound reaches the best point are dropped, the others halved, until the two
 * agree (branch and bound). The answer is then polished inside its cells.
 * @returns prices from high to low; within 5e-6 relative of the global optimum, as a rule exact to rounding.
 */
export function certifiedSearch(chain: Chain, start: readonly number[]): number[] {
  const count = chain.terms.length;
  const low = chain.terms.map((term, i) => clip(term.peak, chain.low[i] as number, chain.high[i] as number));
  const high = low.slice();
  narrow(chain, low, high);
  const from = low.map((price, i) => headAt(chain, 0, i, price));
  const to = high.map((price, i) => headAt(chain, 0, i, price));
  for (let i = 1; i < count; i++) {
    // Ranges fall along the chain; the way there and back may have cost them a last bit.
    from[i] = Math.min(from[i] as number, from[i - 1] as number);
    to[i] = Math.min(to[i] as number, to[i - 1] as number);
  }
  if (!((to[0] as number) > (from[count - 1] as number))) return start.slice();
  const valueAt = (i: number, v: number): number => {
    if (v < (from[i] as number) || v > (to[i] as number)) return Number.NEGATIVE_INFINITY;
    const price = toTier(chain, i, v);
    return (chain.terms[i] as Term).value(clip(price, chain.low[i] as number, chain.high[i] as number));
  };

  let cuts = firstCuts(chain, from, to);
  let values = chain.terms.map((_, i) => cuts.map((v) => valueAt(i, v)));
  let live = chain.terms.map(() => cuts.slice(1).map(() => true));
  let best = start.slice();
  let bestValue = sum(chain.terms.map((term, i) => term.value(start[i] as number)));
  for (;;) {
    const point = bestPoint(values);
    if (point.value > bestValue) {
      const polished = polish(
        chain,
        point.at.map((c) => cuts[c] as number),
        cuts,
        point.at,
        low,
        high,
      );
      const value = sum(chain.terms.map((term, i) => term.value(polished[i] as number)));
      bestValue = Math.max(point.value, value);
      best =
        value >= point.value
          ? polished
          : pricesAt(
              chain,
              point.at.map((c) => cuts[c] as number),
            );
    }
    const size = sum(chain.terms.map((term, i) => Math.abs(term.value(best[i] as number))));
    const needed = bestValue + TOLERANCE * size;
    const { bound, alive } = boundCells(values, live, needed);
    if (bound <= needed || cuts.length > MOST_CELLS) return best;

    // Halve every cell that is alive for some tier; the others stay whole and dead.
    const nextCuts: number[] = [];
    const nextValues: number[][] = chain.terms.map(() => []);
    const nextLive: boolean[][] = chain.terms.map(() => []);
    let halved = false;
    for (let c = 0; c < cuts.length; c++) {
      nextCuts.push(cuts[c] as number);
      for (let i = 0; i < count; i++) nextValues[i]?.push(values[i]?.[c] as number);
      if (c + 1 === cuts.length) break;
      const middle = Math.sqrt((cuts[c] as number) * (cuts[c + 1] as number));
      const split =
        alive.some((cells) => cells[c]) &&
        middle > (cuts[c] as number) * (1 + 1e-13) &&
        middle < (cuts[c + 1] as number);
      if (split) {
        halved = true;
        nextCuts.push(middle);
      }
      for (let i = 0; i < count; i++) {
        const cellAlive = alive[i]?.[c] === true;
        nextLive[i]?.push(cellAlive);
        if (!split) continue;
        nextLive[i]?.push(cellAlive);
        nextValues[i]?.push(cellAlive ? valueAt(i, middle) : Number.NEGATIVE_INFINITY);
      }
    }
    if (!halved) return best;
    cuts = nextCuts;
    values = nextValues;
    live = nextLive;
  }
}

/** Cuts in proportion, and at every end and peak. */
function firstCuts(chain: Chain, from: readonly number[], to: readonly number[]): number[] {
  const least = Math.min(...from);
  const most = Math.max(...to);
  const cuts = new Set<number>([...from, ...to]);
  for (let i = 0; i < chain.terms.length; i++) {
    const peak = (chain.terms[i] as Term).peak;
    if (Number.isFinite(peak) && peak > 0) {
      const v = headAt(chain, 0, i, peak);
      if (v > least && v < most) cuts.add(v);
    }
  }
  for (let k = 1; k < FIRST_CELLS; k++) cuts.add(least * (most / least) ** (k / FIRST_CELLS));
  return [...cuts].sort((a, b) => a - b);
}

/** The best nonincreasing choice of cuts, one for each tier. */
function bestPoint(values: readonly (readonly number[])[]): { value: number; at: number[] } {
  const count = values.length;
  const width = values[0]?.length ?? 0;
  const choice: Int32Array[] = [];
  let below = new Float64Array(width);
  for (let i = count - 1; i >= 0; i--) {
    const reach = new Float64Array(width);
    const pick = new Int32Array(width);
    let best = Number.NEGATIVE_INFINITY;
    let bestAt = 0;
    for (let c = 0; c < width; c++) {
      const value = (values[i]?.[c] as number) + (below[c] as number);
      if (value > best) {
        best = value;
        bestAt = c;
      }
      reach[c] = best;
      pick[c] = bestAt;
    }
    below = reach;
    choice[i] = pick;
  }
  const at: number[] = [];
  let limit = width - 1;
  for (let i = 0; i < count; i++) {
    limit = choice[i]?.[limit] as number;
    at.push(limit);
  }
  return { value: below[width - 1] as number, at };
}

/** An upper bound of the optimum, and the cells through which some choice could still reach `needed`. */
function boundCells(
  values: readonly (readonly number[])[],
  live: readonly (readonly boolean[])[],
  needed: number,
): { bound: number; alive: boolean[][] } {
  const count = values.length;
  const width = (values[0]?.length ?? 1) - 1;
  const top = values.map((row, i) =>
    Float64Array.from({ length: width }, (_, c) =>
      live[i]?.[c] ? Math.max(row[c] as number, row[c + 1] as number) : Number.NEGATIVE_INFINITY,
    ),
  );
  const below: Float64Array[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const reach = new Float64Array(width);
    let best = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < width; c++) {
      best = Math.max(best, (top[i]?.[c] as number) + (below[i + 1]?.[c] ?? 0));
      reach[c] = best;
    }
    below[i] = reach;
  }
  const alive: boolean[][] = [];
  let above = new Float64Array(width);
  for (let i = 0; i < count; i++) {
    const reach = new Float64Array(width);
    let best = Number.NEGATIVE_INFINITY;
    const cells = new Array<boolean>(width).fill(false);
    for (let c = width - 1; c >= 0; c--) {
      const here = (top[i]?.[c] as number) + (above[c] as number);
      cells[c] = here + (below[i + 1]?.[c] ?? 0) > needed;
      best = Math.max(best, here);
      reach[c] = best;
    }
    above = reach;
    alive.push(cells);
  }
  return { bound: below[0]?.[width - 1] ?? Number.NEGATIVE_INFINITY, alive };
}

/** Moves each group of tiers that share a cut to the root of its slope between the neighbouring cuts. */
function polish(
  chain: Chain,
  point: readonly number[],
  cuts: readonly number[],
  at: readonly number[],
  low: readonly number[],
  high: readonly number[],
): number[] {
  const moved = point.slice();
  for (let first = 0, last = 0; first < point.length; first = last + 1) {
    last = first;
    while (at[last + 1] === at[first]) last++;
    const v = point[first] as number;
    // Half-way to the neighbouring groups' cuts, so that polished groups keep their order.
    const least = Math.max(
      midway(v, cuts[(at[first] as number) - 1]),
      headAt(chain, 0, first, low[first] as number),
    );
    const most = Math.min(
      midway(v, cuts[(at[first] as number) + 1]),
      headAt(chain, 0, last, high[last] as number),
    );
    const [a, b] = [toTier(chain, first, least), toTier(chain, first, most)];
    if (!(a < b) || blockSlope(chain, first, last, a) <= 0 || blockSlope(chain, first, last, b) >= 0)
      continue;
    const head = headAt(chain, 0, first, blockRoot(chain, first, last, a, b));
    for (let i = first; i <= last; i++) moved[i] = head;
  }
  return pricesAt(chain, moved);
}

function midway(v: number, neighbour: number | undefined): number {
  return neighbour === undefined ? v : 0.5 * (v + neighbour);
}

function toTier(chain: Chain, i: number, v: number): number {
  let price = v;
  for (let j = 0; j < i; j++) price = down(chain.links[j] as Link, price);
  return price;
}

function pricesAt(chain: Chain, heads: readonly number[]): number[] {
  return heads.map((v, i) => clip(toTier(chain, i, v), chain.low[i] as number, chain.high[i] as number));
}

function clip(price: number, low: number, high: number): number {
  return Math.min(Math.max(price, low), high);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
