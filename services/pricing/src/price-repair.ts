import { projectWithAmounts } from "./amount-projection.ts";
import { at } from "./at.ts";
import { atLeast, atMost, gapHolds, orderHolds } from "./compare.ts";
import { gapOf, leastOver, type MinGap, mostUnder } from "./gap.ts";
import { type Grid, gridOf, gridPriceAt, leastSteps, mostSteps } from "./grid.ts";
import { type Projection, projectOnChain } from "./isotonic.ts";

/**
 * The prices of one item, from its highest tier to its lowest, and the rules that they must satisfy jointly.
 */
export type RepairProblem = {
  /** The prices to repair; money, > 0. */
  readonly prices: readonly number[];
  /** Weight of a relative change of each tier; > 0. */
  readonly weights: readonly number[];
  /** Minimum gap between neighbours; 0 requires ordering alone. One fewer than prices. */
  readonly gaps: readonly MinGap[];
  /**
   * Lower and upper limit of each tier; 0 and Infinity if there is none.
   * Both equal to the price: the tier is fixed.
   */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /**
   * Money; 0 for no rounding. Changed prices become multiples of it,
   * and neighbours are at least one increment apart.
   */
  readonly increment: number;
};

export type Repair =
  /** `cost` is the loss Σ w·ln²(price / start). */
  | { readonly ok: true; readonly prices: number[]; readonly cost: number }
  /**
   * Infeasible: no prices satisfy both the lower limit of `lowerOf` and the upper limit of `upperOf`. With
   * `onGrid`, unrounded prices would, but no multiples of the increment do.
   */
  | { readonly ok: false; readonly lowerOf: number; readonly upperOf: number; readonly onGrid: boolean };

/** Half-width of the first search window, in increments. */
const FIRST_STEPS = 24;
/**
 * The search stops at this half-width, in increments: the best prices found are then optimal up to rounding.
 */
const MOST_CANDIDATES = 10_000;
/** Above this many increments, doubles do not reliably distinguish a price from the next multiple. */
const MOST_STEPS = 1e11;

/**
 * The least weighted relative change that satisfies all rules: argmin Σ w·ln²(p / start).
 *
 * In log prices x, the rule p_low ≤ p_high·(1 − g) reads x_low + d ≤ x_high with d = −ln(1 − g), and limits
 * are bounds. That is weighted isotonic regression, solved exactly by `projectOnChain`. A gap of an amount reads
 * x_low ≤ ln(exp(x_high) − amount), which is concave: the problem stays convex, and `projectWithAmounts` solves it.
 *
 * Prices that change become multiples of the increment; unchanged prices are not rounded. The best
 * combination of both is exact too: the loss is quadratic in x with its minimum C* at the unrounded solution
 * x*, so every combination that is no worse than a known one of loss C lies within √((C − C*) / w) of x* in
 * every tier. Dynamic programming along the chain searches that window.
 */
export function repairPrices(problem: RepairProblem): Repair {
  const room = findRoom(problem);
  if (!room.ok) return room;
  const prices =
    problem.increment === 0
      ? room.ideal.map((x, i) => unrounded(problem, x, i))
      : roundedPrices({ ...problem, grid: gridOf(problem.increment) }, room.ideal, room.least);
  return { ok: true, prices, cost: costOf(problem, prices) };
}

/**
 * The minimal loss Σ w·ln²(price / start) before rounding, without the grid search;
 * undefined if the problem is infeasible.
 */
export function repairCost(problem: RepairProblem): number | undefined {
  const room = findRoom(problem);
  return room.ok ? costOf(problem, room.ideal.map(Math.exp)) : undefined;
}

type GridProblem = RepairProblem & { readonly grid: Grid };

type NoRoom = Extract<Repair, { ok: false }>;

/** Checks feasibility: the unrounded solution in log prices, and the lowest feasible prices on the grid. */
function findRoom(problem: RepairProblem): { ok: true; ideal: number[]; least: number[] } | NoRoom {
  const relaxed = relax(problem);
  if (!relaxed.ok) return { ...relaxed, onGrid: false };
  const ideal = relaxed.values;
  if (problem.increment === 0) return { ok: true, ideal, least: [] };
  const least = leastPrices({ ...problem, grid: gridOf(problem.increment) });
  const blocked = least.findIndex(
    (price, i) =>
      !atMost(price, at(problem.high, i)) ||
      Math.max(price, Math.exp(at(ideal, i))) > MOST_STEPS * problem.increment,
  );
  return blocked < 0
    ? { ok: true, ideal, least }
    : { ok: false, lowerOf: blocked, upperOf: blocked, onGrid: true };
}

function relax(problem: RepairProblem): Projection {
  const nothing = problem.high.findIndex((high) => !(high > 0));
  if (nothing >= 0) return { ok: false, lowerOf: nothing, upperOf: nothing };
  const gaps = problem.gaps.map((gap) => gapOf(gap));
  if (gaps.some(({ amount }) => amount > 0)) return projectWithAmounts({ ...problem, gaps });
  return projectOnChain({
    targets: problem.prices.map(Math.log),
    weights: problem.weights,
    steps: gaps.map(({ share }) => -Math.log(1 - share)),
    lower: problem.low.map((low) => Math.log(Math.max(0, low))),
    upper: problem.high.map(Math.log),
  });
}

/**
 * The price of an unrounded solution. A price that did not move is returned unchanged. Others are cut to 14
 * digits, which removes the rounding errors of ln and exp and stays within the tolerance of comparisons.
 */
function unrounded(problem: RepairProblem, x: number, i: number): number {
  const start = at(problem.prices, i);
  if (Math.abs(x - Math.log(start)) <= 1e-12) return start;
  const price = Number(Math.exp(x).toPrecision(14));
  return Math.min(Math.max(price, at(problem.low, i)), at(problem.high, i));
}

/** Whether neighbours satisfy both ordering and their gap. */
function pairHolds(problem: RepairProblem, i: number, higher: number, lower: number): boolean {
  return orderHolds(higher, lower, problem.increment) && gapHolds(higher, lower, at(problem.gaps, i));
}

/**
 * The lowest candidate of tier i at or above a price. Candidates are the multiples of the increment and the
 * tier's start price.
 */
function candidateAbove(problem: GridProblem, i: number, price: number): number {
  const multiple = gridPriceAt(problem.grid, leastSteps(problem.grid, price));
  const start = at(problem.prices, i);
  return start < multiple && atLeast(start, price) ? start : multiple;
}

function candidateBelow(problem: GridProblem, i: number, price: number): number {
  const multiple = gridPriceAt(problem.grid, mostSteps(problem.grid, price));
  const start = at(problem.prices, i);
  return start > multiple && atMost(start, price) ? start : multiple;
}

/** The lowest prices that satisfy all rules except upper limits. Every solution is at or above them. */
function leastPrices(problem: GridProblem): number[] {
  const least = problem.prices.map(() => 0);
  for (let i = least.length - 1; i >= 0; i--) {
    const below = least[i + 1];
    let price = candidateAbove(problem, i, at(problem.low, i));
    if (below !== undefined) {
      const needed = Math.max(below + problem.increment, leastOver(gapOf(at(problem.gaps, i)), below));
      price = candidateAbove(problem, i, Math.max(at(problem.low, i), needed));
      // `pairHolds` compares with a tolerance of its own,
      // so it decides whether a candidate at the limit is feasible.
      if (!pairHolds(problem, i, price, below)) {
        price = gridPriceAt(problem.grid, mostSteps(problem.grid, price) + 1);
      }
    }
    least[i] = price;
  }
  return least;
}

/**
 * A feasible solution near the unrounded one:
 * greedily from the top, each tier takes the nearest feasible candidate.
 */
function nearbyPrices(problem: GridProblem, ideal: readonly number[], least: readonly number[]): number[] {
  const prices: number[] = [];
  for (let i = 0; i < ideal.length; i++) {
    const floor = at(least, i);
    let ceiling = at(problem.high, i);
    const above = prices[i - 1];
    if (above !== undefined) {
      ceiling = Math.min(
        ceiling,
        above - problem.increment,
        mostUnder(gapOf(at(problem.gaps, i - 1)), above),
      );
    }
    const target = Math.min(Math.exp(at(ideal, i)), ceiling);
    const options = [candidateAbove(problem, i, target), candidateBelow(problem, i, target)].filter(
      (price) =>
        price >= floor &&
        atMost(price, at(problem.high, i)) &&
        (above === undefined || pairHolds(problem, i - 1, above, price)),
    );
    prices.push(
      options.reduce(
        (best, price) => (nearer(price, best, at(ideal, i)) ? price : best),
        options[0] ?? floor,
      ),
    );
  }
  return prices;
}

function nearer(price: number, other: number, x: number): boolean {
  return Math.abs(Math.log(price) - x) < Math.abs(Math.log(other) - x);
}

/**
 * The combination of candidates with the least loss. Searches a narrow window around the unrounded solution
 * first. Its result bounds the window that must be searched to prove optimality.
 */
function roundedPrices(problem: GridProblem, ideal: readonly number[], least: readonly number[]): number[] {
  const bound = costOf(problem, ideal.map(Math.exp));
  let best = nearbyPrices(problem, ideal, least);
  for (let steps = FIRST_STEPS; ; steps *= 8) {
    const slack = Math.max(0, costOf(problem, best) - bound);
    let complete = true;
    const options = ideal.map((x, i) => {
      const reach = Math.sqrt(slack / at(problem.weights, i)) + 1e-9;
      const width = steps * problem.increment;
      const from = Math.max(at(least, i), Math.exp(x - reach));
      const to = Math.min(at(problem.high, i), Math.exp(x + reach));
      const narrowed = Math.min(to, Math.exp(x) + width);
      if (from < Math.exp(x) - width || to > narrowed) complete = false;
      return candidates(problem, i, Math.max(from, Math.exp(x) - width), narrowed, at(best, i));
    });
    best = cheapest(problem, options);
    if (complete || steps > MOST_CANDIDATES) return best;
  }
}

/** Dynamic programming from the highest tier down. The candidates must contain a feasible combination. */
function cheapest(problem: RepairProblem, options: readonly (readonly number[])[]): number[] {
  // totals[i][k]: least loss of tiers 0..i if tier i takes its candidate k. origins[i][k]: the candidate of
  // tier i−1 then.
  const totals: number[][] = [];
  const origins: number[][] = [];
  for (let i = 0; i < options.length; i++) {
    const own = (price: number) => at(problem.weights, i) * Math.log(price / at(problem.prices, i)) ** 2;
    const { total, origin } = extend(problem, i, options[i] ?? [], own, options[i - 1], totals[i - 1]);
    totals.push(total);
    origins.push(origin);
  }

  const prices: number[] = [];
  let pick = indexOfLeast(totals.at(-1) ?? []);
  for (let i = options.length - 1; i >= 0; i--) {
    prices.unshift(at(options[i] ?? [], pick));
    pick = at(origins[i] ?? [], pick);
  }
  return prices;
}

/** The candidates in [from, to] and the price of the known solution, in ascending order. */
function candidates(problem: GridProblem, i: number, from: number, to: number, known: number): number[] {
  const start = at(problem.prices, i);
  const extra = atLeast(start, from) && atMost(start, to) && start !== known ? [known, start] : [known];
  const found: number[] = [];
  const last = mostSteps(problem.grid, to);
  for (let steps = leastSteps(problem.grid, from); steps <= last; steps++) {
    found.push(gridPriceAt(problem.grid, steps));
  }
  for (const price of extra) {
    const place = found.findIndex((other) => other >= price);
    if (place < 0) found.push(price);
    else if (found[place] !== price) found.splice(place, 0, price);
  }
  return found;
}

function extend(
  problem: RepairProblem,
  i: number,
  prices: readonly number[],
  own: (price: number) => number,
  above: readonly number[] | undefined,
  aboveTotals: readonly number[] | undefined,
): { total: number[]; origin: number[] } {
  if (above === undefined || aboveTotals === undefined)
    return { total: prices.map(own), origin: prices.map(() => -1) };
  const total: number[] = new Array(prices.length).fill(Number.POSITIVE_INFINITY);
  const origin: number[] = new Array(prices.length).fill(-1);
  // A lower price of this tier allows more prices of the tier above,
  // so one downward pass over both lists is enough.
  let best = -1;
  let next = above.length - 1;
  for (let k = prices.length - 1; k >= 0; k--) {
    const price = at(prices, k);
    for (; next >= 0 && pairHolds(problem, i - 1, at(above, next), price); next--) {
      if (best < 0 || at(aboveTotals, next) < at(aboveTotals, best)) best = next;
    }
    if (best < 0) continue;
    total[k] = own(price) + at(aboveTotals, best);
    origin[k] = best;
  }
  return { total, origin };
}

function costOf(problem: RepairProblem, prices: readonly number[]): number {
  return prices.reduce(
    (sum, price, i) => sum + at(problem.weights, i) * Math.log(price / at(problem.prices, i)) ** 2,
    0,
  );
}

function indexOfLeast(values: readonly number[]): number {
  return values.reduce((best, value, i) => (value < at(values, best) ? i : best), 0);
}
