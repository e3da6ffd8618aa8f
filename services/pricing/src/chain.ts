import { at } from "./at.ts";
import { PricingError } from "./errors.ts";
import { down, type Link, type Problem, up } from "./problem.ts";
import type { Term } from "./terms.ts";

/**
 * A run of linked tiers, from high to low:
 * maximise Σ terms over low ≤ x ≤ high and x[i+1] ≤ down(links[i], x[i]).
 */
export type Chain = {
  readonly terms: readonly Term[];
  readonly links: readonly Link[];
  /** Ranges in which every price extends to a feasible point of the whole chain. */
  readonly low: readonly number[];
  readonly high: readonly number[];
};

/**
 * The projection of the feasible set on each tier: its range after the neighbours' limits were propagated.
 */
export type Ranges = { readonly low: number[]; readonly high: number[] };

/**
 * Default lower limit as a share of the current price.
 * Prices must stay above 0, because the methods use ln p.
 */
const LEAST_SHARE = 1e-6;

/**
 * Propagates upper limits down and lower limits up the links.
 * @throws PricingError INFEASIBLE with the tiers and rules that contradict each other
 */
export function feasibleRanges(problem: Problem): Ranges {
  const count = problem.names.length;
  const low = problem.low.slice();
  const high = problem.high.slice();
  for (let i = 0; i < count; i++) {
    const least =
      problem.increment > 0 ? problem.increment : LEAST_SHARE * (problem.tiers[i]?.current_price ?? 1);
    if ((low[i] ?? 0) < least) low[i] = Math.min(least, high[i] ?? least);
  }
  for (let i = 0; i + 1 < count; i++) {
    const link = problem.links[i];
    if (link) high[i + 1] = Math.min(high[i + 1] ?? 0, down(link, high[i] ?? 0));
  }
  for (let i = count - 2; i >= 0; i--) {
    const link = problem.links[i];
    if (link) low[i] = Math.max(low[i] ?? 0, up(link, low[i + 1] ?? 0));
  }
  for (let i = 0; i < count; i++) {
    const least = low[i] ?? 0;
    const most = high[i] ?? 0;
    if (least <= most) continue;
    // Limits that are equal on paper may cross by rounding errors.
    if (least - most <= 1e-12 * least) {
      low[i] = most;
      continue;
    }
    throw infeasible(problem, i);
  }
  return { low, high };
}

/**
 * Checks that the objective has a maximum.
 * @throws PricingError UNBOUNDED with the tier and the missing limit
 */
export function assertBounded(problem: Problem, terms: readonly Term[]): void {
  for (let i = 0; i < terms.length; i++) {
    const peak = terms[i]?.peak;
    if (peak === Number.POSITIVE_INFINITY && (problem.high[i] ?? 0) === Number.POSITIVE_INFINITY) {
      let j = i;
      while (j > 0 && problem.links[j - 1] && problem.high[j - 1] === Number.POSITIVE_INFINITY) j--;
      if (j === 0 || problem.links[j - 1] === undefined) throw unbounded(problem, i, "upper_bound");
    }
    if (peak === 0 && problem.low[i] === 0) {
      let j = i;
      while (problem.links[j] && problem.low[j + 1] === 0) j++;
      if (problem.links[j] === undefined) throw unbounded(problem, i, "lower_bound");
    }
  }
}

/** The part of an item from one tier up to another, in which all neighbours have links. */
export type Part = Omit<Chain, "terms"> & { readonly from: number; readonly to: number };

/** Splits the item where neighbours have no link, so that each part can be solved on its own. */
export function chainsOf(problem: Problem, ranges: Ranges): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let i = 0; i < problem.names.length; i++) {
    if (problem.links[i] !== undefined) continue;
    const to = i + 1;
    const links = problem.links.slice(from, i).filter((link) => link !== undefined);
    parts.push({ from, to, links, low: ranges.low.slice(from, to), high: ranges.high.slice(from, to) });
    from = to;
  }
  return parts;
}

function infeasible(problem: Problem, where: number): PricingError {
  // Name all tiers from the one whose upper limit propagates here to the one whose lower limit does.
  let first = where;
  let last = where;
  let high = at(problem.high, where);
  for (let i = where - 1; i >= 0 && problem.links[i]; i--) {
    const passed = passDown(problem, i, where);
    if (passed < high) {
      high = passed;
      first = i;
    }
  }
  let low = at(problem.low, where);
  for (let i = where + 1; i < problem.names.length && problem.links[i - 1]; i++) {
    const passed = passUp(problem, i, where);
    if (passed > low) {
      low = passed;
      last = i;
    }
  }
  const tiers = problem.names.slice(first, last + 1);
  const between = problem.links.slice(first, last).filter((link) => link !== undefined);
  const families = [
    ...(between.some((link) => link.ordered) ? ["ordering"] : []),
    ...(between.some((link) => link.gapped && (link.keep < 1 || link.amount > 0)) ? ["gaps"] : []),
  ];
  const fixed = problem.tiers.slice(first, last + 1);
  const constraint = [
    ...families,
    "bounds",
    ...(problem.observed ? ["observed_range"] : []),
    ...(fixed.some((tier) => tier.held) ? ["held"] : []),
    ...(fixed.some((tier) => tier.frozen) ? ["frozen"] : []),
  ].join(", ");
  return new PricingError(
    "INFEASIBLE",
    `Item ${problem.itemId}: no prices of ${tiers.join(" > ")} satisfy ${constraint} together.`,
    { item_id: problem.itemId, tiers, constraint },
  );
}

function passDown(problem: Problem, from: number, to: number): number {
  return problem.links
    .slice(from, to)
    .reduce((limit, link) => (link ? down(link, limit) : limit), at(problem.high, from));
}

function passUp(problem: Problem, from: number, to: number): number {
  return problem.links
    .slice(to, from)
    .reduceRight((limit, link) => (link ? up(link, limit) : limit), at(problem.low, from));
}

function unbounded(problem: Problem, where: number, constraint: string): PricingError {
  const tier = at(problem.names, where);
  const missing = constraint === "upper_bound" ? "an upper" : "a lower";
  return new PricingError(
    "UNBOUNDED",
    `Item ${problem.itemId}: the ${problem.objective} of tier ${tier} has no largest value without ${missing} bound.`,
    { item_id: problem.itemId, tiers: [tier], constraint },
  );
}
