import { at } from "./at.ts";
import { type Chain, chainsOf } from "./chain.ts";
import { PricingError } from "./errors.ts";
import {
  countable,
  type Grid,
  gridOf,
  gridPriceAt,
  leastAbove,
  leastSteps,
  linkHolds,
  mostBelow,
  mostSteps,
} from "./grid.ts";
import { independentTerms, logitRatio, logitTerms, type Optimum, objectiveAt } from "./optimum.ts";
import { narrow } from "./pooling.ts";
import { isFixed, type Problem } from "./problem.ts";
import type { Term } from "./terms.ts";

/**
 * The feasible range of each tier in whole increments.
 * A held or frozen tier has its price instead, which may be off the grid.
 */
type Steps = { readonly least: number[]; readonly most: number[]; readonly held: (number | undefined)[] };

/**
 * If rounding to near multiples loses more than this share of the objective's magnitude,
 * search the whole range.
 */
const NEGLIGIBLE_LOSS = 1e-4;
/**
 * The whole range is searched only if no tier has more multiples in it;
 * with more, near multiples lose next to nothing.
 */
const MOST_OPTIONS = 4096;

/**
 * The best prices that are multiples of the increment and satisfy every rule, by dynamic programming along
 * each chain. Searches the multiples next to the optimum first; if rounding to those loses too much (coarse
 * increments), all multiples that can be optimal. Held tiers keep their price.
 * @throws PricingError INFEASIBLE if no multiples satisfy the rules
 */
export function roundOptimum(problem: Problem, optimum: Optimum): number[] {
  if (problem.increment === 0) return optimum.prices;
  const grid = gridOf(problem.increment);
  const beyond = optimum.prices.findIndex((exact) => !countable(exact / problem.increment));
  if (beyond >= 0) throw noMultiple(problem, beyond);
  const steps = feasibleSteps(problem, grid);
  if (problem.system === "independent") {
    return roundSeparable(problem, optimum, grid, steps, optimum.terms ?? independentTerms(problem));
  }
  // Dinkelbach's iteration on the grid:
  // the ratio at each solution is the next θ, until the objective stops rising.
  let prices = roundSeparable(
    problem,
    optimum,
    grid,
    steps,
    logitTerms(problem, logitRatio(problem, optimum.prices)),
  );
  for (let round = 0; round < 20; round++) {
    const again = roundSeparable(
      problem,
      optimum,
      grid,
      steps,
      logitTerms(problem, logitRatio(problem, prices)),
    );
    if (objectiveAt(problem, again) <= objectiveAt(problem, prices)) break;
    prices = again;
  }
  return prices;
}

/** Ranges in whole increments in which every multiple extends to a feasible point of the whole chain. */
function feasibleSteps(problem: Problem, grid: Grid): Steps {
  const held = problem.tiers.map((tier) => (isFixed(tier) ? tier.current_price : undefined));
  const least = problem.low.map((limit) => leastSteps(grid, limit));
  const most = problem.high.map((limit) => mostSteps(grid, limit));
  const count = problem.names.length;
  for (let i = 0; i + 1 < count; i++) {
    const link = problem.links[i];
    if (link) most[i + 1] = Math.min(at(most, i + 1), mostBelow(grid, link, held[i] ?? price(grid, most[i])));
  }
  for (let i = count - 2; i >= 0; i--) {
    const link = problem.links[i];
    if (link)
      least[i] = Math.max(at(least, i), leastAbove(grid, link, held[i + 1] ?? price(grid, least[i + 1])));
  }
  for (let i = 0; i < count; i++) {
    const own = held[i];
    const link = problem.links[i];
    const below = held[i + 1];
    const blocked =
      own === undefined
        ? at(least, i) > at(most, i)
        : link !== undefined && below !== undefined && !linkHolds(link, own, below);
    if (blocked) throw noMultiple(problem, i);
  }
  return { least, most, held };
}

function roundSeparable(
  problem: Problem,
  optimum: Optimum,
  grid: Grid,
  steps: Steps,
  terms: readonly Term[],
): number[] {
  const prices: number[] = [];
  for (const { from, to, ...part } of chainsOf(problem, optimum.ranges)) {
    const chain = { ...part, terms: terms.slice(from, to) };
    const own = {
      least: steps.least.slice(from, to),
      most: steps.most.slice(from, to),
      held: steps.held.slice(from, to),
    };
    const rounded = roundChain(chain, optimum.prices.slice(from, to), grid, own);
    if (rounded === undefined) throw noMultiple(problem, from);
    prices.push(...rounded);
  }
  return prices;
}

function roundChain(chain: Chain, exact: readonly number[], grid: Grid, steps: Steps): number[] | undefined {
  let goal = 0;
  let size = 0;
  for (let i = 0; i < exact.length; i++) {
    const value = at(chain.terms, i).value(at(exact, i));
    goal += value;
    size += Math.abs(value);
  }
  let near: { value: number; prices: number[] } | undefined;
  // Start with the nearest multiples. Widen only if none is feasible:
  // rounding errors may exceed a very fine increment.
  for (
    let pad = isSlack(chain, exact, grid) ? 0 : chain.terms.length;
    near === undefined;
    pad = 4 * pad + 4
  ) {
    if (pad > MOST_OPTIONS) break;
    near = bestSteps(chain, grid, steps, nearSteps(exact, grid, pad));
  }
  if (near !== undefined && near.value >= goal - NEGLIGIBLE_LOSS * size) return near.prices;
  const window = wideSteps(chain, grid, steps);
  const spans = chain.terms.map((_, i) => spanOf(steps, window, i));
  if (spans.some(([first, last]) => last - first > MOST_OPTIONS)) return near?.prices;
  return bestSteps(chain, grid, steps, window)?.prices ?? near?.prices;
}

type Window = { readonly least: readonly number[]; readonly most: readonly number[] };

function isSlack(chain: Chain, exact: readonly number[], grid: Grid): boolean {
  return chain.links.every((link, i) => {
    const higher = at(exact, i) - grid.increment;
    return at(exact, i + 1) + grid.increment <= Math.min(higher - link.offset, higher * link.keep);
  });
}

function nearSteps(exact: readonly number[], grid: Grid, pad: number): Window {
  return {
    least: exact.map((value) => Math.floor(value / grid.increment) - pad),
    most: exact.map((value) => Math.ceil(value / grid.increment) + pad),
  };
}

/**
 * The multiples that can be optimal: `narrow` gives the interval of each tier, and its ends are moved
 * outwards until the upper ends and the lower ends satisfy the links themselves. Moving a price from outside
 * to the interval's end never lowers the objective.
 */
function wideSteps(chain: Chain, grid: Grid, steps: Steps): Window {
  const low = chain.terms.map((term, i) =>
    Math.min(Math.max(term.peak, at(chain.low, i)), at(chain.high, i)),
  );
  const high = low.slice();
  narrow(chain, low, high);
  const least = low.map((value) => Math.max(1, Math.floor(value / grid.increment)));
  const most = high.map((value) => Math.ceil(value / grid.increment));
  for (let i = chain.terms.length - 2; i >= 0; i--) {
    const link = at(chain.links, i);
    most[i] = Math.max(at(most, i), leastAbove(grid, link, steps.held[i + 1] ?? price(grid, most[i + 1])));
  }
  for (let i = 1; i < chain.terms.length; i++) {
    const link = at(chain.links, i - 1);
    least[i] = Math.min(at(least, i), mostBelow(grid, link, steps.held[i - 1] ?? price(grid, least[i - 1])));
  }
  return { least, most };
}

/**
 * The best feasible combination in the window, by dynamic programming from the lowest tier up;
 * undefined if none exists.
 */
function bestSteps(
  chain: Chain,
  grid: Grid,
  steps: Steps,
  window: Window,
): { value: number; prices: number[] } | undefined {
  const count = chain.terms.length;
  const options: number[][] = [];
  const picks: number[][] = [];
  let reachBelow: number[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const own = optionsOf(grid, steps, window, i);
    const term = at(chain.terms, i);
    const below = options[i + 1];
    const link = chain.links[i];
    const reach: number[] = [];
    const pick: number[] = [];
    let best = Number.NEGATIVE_INFINITY;
    let bestAt = -1;
    let limit = -1;
    for (let c = 0; c < own.length; c++) {
      const here = at(own, c);
      let value = term.value(here);
      if (below !== undefined && link !== undefined) {
        while (limit + 1 < below.length && linkHolds(link, here, at(below, limit + 1))) limit++;
        value = limit < 0 ? Number.NEGATIVE_INFINITY : value + at(reachBelow, limit);
      }
      if (value > best) {
        best = value;
        bestAt = c;
      }
      reach.push(best);
      pick.push(bestAt);
    }
    if (bestAt < 0) return undefined;
    options[i] = own;
    picks[i] = pick;
    reachBelow = reach;
  }
  const prices: number[] = [];
  let limit = at(options, 0).length - 1;
  for (let i = 0; i < count; i++) {
    const own = at(options, i);
    if (i > 0) {
      const link = at(chain.links, i - 1);
      limit = own.length - 1;
      while (limit > 0 && !linkHolds(link, at(prices, i - 1), at(own, limit))) limit--;
    }
    prices.push(at(own, at(at(picks, i), limit)));
  }
  return { value: at(reachBelow, reachBelow.length - 1), prices };
}

function optionsOf(grid: Grid, steps: Steps, window: Window, i: number): number[] {
  const held = steps.held[i];
  if (held !== undefined) return [held];
  const [first, last] = spanOf(steps, window, i);
  const options: number[] = [];
  for (let k = first; k <= last; k++) options.push(gridPriceAt(grid, k));
  return options;
}

/** The first and last multiple of a tier in the window, clipped to the tier's feasible range. */
function spanOf(steps: Steps, window: Window, i: number): [number, number] {
  const [least, most] = [at(steps.least, i), at(steps.most, i)];
  return [
    Math.max(least, Math.min(at(window.least, i), most)),
    Math.min(most, Math.max(at(window.most, i), least)),
  ];
}

function price(grid: Grid, steps: number | undefined): number {
  return steps === Number.POSITIVE_INFINITY ? steps : gridPriceAt(grid, steps ?? 0);
}

function noMultiple(problem: Problem, where: number): PricingError {
  const tier = at(problem.names, where);
  return new PricingError(
    "INFEASIBLE",
    `Item ${problem.itemId}: no multiple of the price increment lets tier ${tier} keep its rules.`,
    { item_id: problem.itemId, tiers: [tier], constraint: "price_increment" },
  );
}
