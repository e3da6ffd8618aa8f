import type { Ranges } from "./chain.ts";
import type { JointObjective } from "./joint-objective.ts";
import { down, type Link } from "./problem.ts";

/** Newton's method needs three to five steps from a near start. */
const MOST_STEPS = 20;
/** Newton steps of this relative size leave an error of about its square. */
const LAST_STEP = 1e-4;
const LONGEST_STEP = 0.5;
const UPHILL_STEP = 0.1;
const MOST_CHANGES = 20;
/** Prices this close, relatively, to a limit are at it. */
const CLOSE = 1e-9;

/** How the link below a tier holds: not at all, as a share of the higher price, or as an amount. */
const FREE = 0;
const BY_SHARE = 1;
const BY_AMOUNT = 2;

const NO_LINK: Link = { offset: 0, increment: 0, amount: 0, keep: 1, ordered: false, gapped: false };

/** The rules that hold with equality, or are taken to. */
type Active = {
  /** By tier: the link to the next lower one. */
  readonly tied: Uint8Array;
  /** By tier: 1 at the upper limit, −1 at the lower one. */
  readonly pinned: Int8Array;
};

/**
 * Maximises the objective of linked tiers that take sales from each other, from a point near the maximum: the
 * scenarios of a simulation differ little, and mostly in the same rules hold with equality.
 *
 * Primal active-set method (Nocedal and Wright 2006, 16.5): tied tiers move as one group, whose first price is its
 * variable; Newton steps in the logarithms of these lead to a stationary point; then violated rules become
 * active, or the one with the most negative multiplier is released, until neither is left.
 */
export type Ascent = {
  /** Adds prices, from high to low and feasible within the ranges, as a place where climbs begin. */
  beginAt(prices: ArrayLike<number>, ranges: Ranges): void;
  /**
   * The best prices within the ranges that satisfy the first- and second-order conditions, of one climb from each
   * place; undefined if none finds any. The array is the same at every call.
   */
  climb(ranges: Ranges): Float64Array | undefined;
};

export function ascentOf(
  objective: JointObjective,
  links: readonly (Link | undefined)[],
  count: number,
): Ascent {
  let low: readonly number[] = [];
  let high: readonly number[] = [];
  const starts: (Active & { readonly prices: Float64Array })[] = [];
  const best = new Float64Array(count);
  const active: Active = { tied: new Uint8Array(count), pinned: new Int8Array(count) };
  const prices = new Float64Array(count);
  const gradient = new Float64Array(count);
  const hessian = new Float64Array(count * count);
  /** d price / d price of the group's first tier. */
  const rates = new Float64Array(count);
  /** The group of each tier; −1 if one of its members is pinned, as all its prices are known then. */
  const groups = new Int32Array(count);
  const heads = new Int32Array(count);
  const step = new Float64Array(count);
  const matrix = new Float64Array(count * count);
  let groupCount = 0;

  const limit = (i: number, side: number) => (side > 0 ? high[i] : low[i]) ?? 0;
  const linkBelow = (i: number): Link => links[i] ?? NO_LINK;

  /** Finds the groups and puts their members on their links. Of two pinned members of a group, neither stays pinned. */
  const layOut = () => {
    groupCount = 0;
    for (let from = 0; from < count; ) {
      let to = from;
      while (active.tied[to] !== FREE) to++;
      let pin = -1;
      rates[from] = 1;
      for (let i = from; i <= to; i++) {
        if (i > from)
          rates[i] = (rates[i - 1] ?? 1) * (active.tied[i - 1] === BY_SHARE ? linkBelow(i - 1).keep : 1);
        if (active.pinned[i] === 0) continue;
        if (pin >= 0) active.pinned[pin] = active.pinned[i] = 0;
        pin = pin < 0 ? i : -1;
      }
      if (pin >= 0) prices[pin] = limit(pin, active.pinned[pin] ?? 0);
      for (let i = pin - 1; i >= from; i--) {
        const link = linkBelow(i);
        const lower = prices[i + 1] ?? 0;
        prices[i] = active.tied[i] === BY_SHARE ? lower / link.keep : lower + link.offset;
      }
      follow(Math.max(pin, from), to);
      for (let i = from; i <= to; i++) groups[i] = pin >= 0 ? -1 : groupCount;
      if (pin < 0) heads[groupCount++] = from;
      from = to + 1;
    }
  };
  /** Moves tied tiers to their links with the tier above. */
  const follow = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const link = linkBelow(i);
      const price = prices[i] ?? 0;
      prices[i + 1] = active.tied[i] === BY_SHARE ? price * link.keep : price - link.offset;
    }
  };
  /** Fills in slopes and minus the curvature of the objective by the logarithms of the groups' first prices. */
  const build = () => {
    for (let g = 0; g < groupCount; g++) {
      step[g] = 0;
      for (let h = 0; h <= g; h++) matrix[g * count + h] = 0;
    }
    for (let i = 0; i < count; i++) {
      const g = groups[i] ?? -1;
      if (g < 0) continue;
      const reach = (rates[i] ?? 0) * (prices[heads[g] ?? 0] ?? 0);
      const slope = (gradient[i] ?? 0) * reach;
      step[g] = (step[g] ?? 0) + slope;
      matrix[g * count + g] = (matrix[g * count + g] ?? 0) - slope;
      for (let j = 0; j < count; j++) {
        const h = groups[j] ?? -1;
        if (h < 0 || h > g) continue;
        const other = (rates[j] ?? 0) * (prices[heads[h] ?? 0] ?? 0);
        const place = g * count + h;
        matrix[place] = (matrix[place] ?? 0) - (hessian[i * count + j] ?? 0) * reach * other;
      }
    }
  };
  /** One step of the groups' first prices; its length, or infinity if it was none of Newton's. */
  const move = (): number => {
    objective.derive(prices, gradient, hessian);
    build();
    const curved = factorise(matrix, groupCount, count);
    if (curved) {
      solveFactored(matrix, step, groupCount, count);
    } else {
      // Where the objective does not curve down, only the way up is known.
      let steepest = 0;
      for (let g = 0; g < groupCount; g++) steepest = Math.max(steepest, Math.abs(step[g] ?? 0));
      for (let g = 0; g < groupCount; g++) step[g] = (UPHILL_STEP * (step[g] ?? 0)) / steepest;
    }
    let longest = curved ? 0 : Number.POSITIVE_INFINITY;
    for (let g = 0; g < groupCount; g++) {
      const by = Math.min(Math.max(step[g] ?? 0, -LONGEST_STEP), LONGEST_STEP);
      longest = Math.max(longest, Math.abs(by));
      const head = heads[g] ?? 0;
      prices[head] = (prices[head] ?? 0) * Math.exp(by);
      let to = head;
      while (active.tied[to] !== FREE) to++;
      follow(head, to);
    }
    return longest;
  };
  /** Makes violated rules active; whether there were any. */
  const activate = (): boolean => {
    let changed = false;
    for (let i = 0; i < count; i++) {
      const price = prices[i] ?? 0;
      if (active.pinned[i] === 0) {
        const side = price > limit(i, 1) * (1 + CLOSE) ? 1 : price < limit(i, -1) * (1 - CLOSE) ? -1 : 0;
        if (side !== 0) {
          active.pinned[i] = side;
          changed = true;
        }
      }
      const link = links[i];
      if (link === undefined || i + 1 === count) continue;
      if ((prices[i + 1] ?? 0) <= down(link, price) * (1 + CLOSE)) continue;
      const tie = tieAt(link, price);
      if (active.tied[i] === tie) continue;
      active.tied[i] = tie;
      changed = true;
    }
    return changed;
  };
  /**
   * Releases the active rule whose multiplier is most negative; whether there was one. The multiplier of a pinned
   * price is the slope of its group towards the limit; that of a link, how much the part of the group beyond it, seen
   * from the pinned tier, would gain by moving away from it.
   */
  const release = (): boolean => {
    let worst = 0;
    let place = -1;
    let isPin = false;
    for (let from = 0; from < count; ) {
      let to = from;
      while (to + 1 < count && active.tied[to] !== FREE) to++;
      let total = 0;
      let scale = 0;
      let pin = -1;
      for (let i = from; i <= to; i++) {
        const slope = (gradient[i] ?? 0) * (rates[i] ?? 0);
        total += slope;
        scale += Math.abs(slope);
        if (active.pinned[i] !== 0) pin = i;
      }
      const slack = CLOSE * scale;
      if (pin >= 0 && (low[pin] ?? 0) < (high[pin] ?? 0)) {
        const multiplier = total * (active.pinned[pin] ?? 0);
        if (multiplier < worst - slack) {
          worst = multiplier;
          place = pin;
          isPin = true;
        }
      }
      let sum = 0;
      for (let i = from; i < to; i++) {
        sum += (gradient[i] ?? 0) * (rates[i] ?? 0);
        const multiplier = pin >= 0 && i >= pin ? total - sum : -sum;
        if (multiplier >= worst - slack) continue;
        worst = multiplier;
        place = i;
        isPin = false;
      }
      from = to + 1;
    }
    if (place < 0) return false;
    if (isPin) active.pinned[place] = 0;
    else active.tied[place] = FREE;
    return true;
  };

  const climbFrom = (start: Active & { readonly prices: Float64Array }): boolean => {
    for (let i = 0; i < count; i++) {
      prices[i] = start.prices[i] ?? 0;
      active.tied[i] = start.tied[i] ?? FREE;
      active.pinned[i] = start.pinned[i] ?? 0;
    }
    for (let change = 0; change < MOST_CHANGES; change++) {
      layOut();
      let length = Number.POSITIVE_INFINITY;
      let stopped = false;
      for (let k = 0; k < MOST_STEPS && length > LAST_STEP && !stopped; k++) {
        length = move();
        stopped = activate();
      }
      if (stopped) continue;
      if (!(length <= LAST_STEP)) return false;
      if (!release()) return objective.certifies(prices, active.tied);
    }
    return false;
  };

  return {
    beginAt(given, ranges) {
      ({ low, high } = ranges);
      const tied = new Uint8Array(count);
      const pinned = new Int8Array(count);
      let pinnedAbove = false;
      for (let i = 0; i < count; i++) {
        const price = given[i] ?? 0;
        if (price >= limit(i, 1) * (1 - CLOSE)) pinned[i] = 1;
        else if (price <= limit(i, -1) * (1 + CLOSE)) pinned[i] = -1;
      }
      for (let i = 0; i + 1 < count; i++) {
        const link = links[i];
        const price = given[i] ?? 0;
        pinnedAbove ||= pinned[i] !== 0;
        const tight = link !== undefined && (given[i + 1] ?? 0) >= down(link, price) * (1 - CLOSE);
        // Of two pinned tiers, neither needs the link to the other.
        if (tight && !(pinnedAbove && pinned[i + 1] !== 0)) tied[i] = tieAt(link, price);
        else pinnedAbove = false;
      }
      starts.push({ prices: Float64Array.from(given), tied, pinned });
    },
    climb(ranges) {
      ({ low, high } = ranges);
      let most = Number.NEGATIVE_INFINITY;
      for (const start of starts) {
        if (!climbFrom(start)) continue;
        if (starts.length === 1) return prices;
        const reached = objective.valueAt(prices).objective;
        if (reached <= most) continue;
        most = reached;
        best.set(prices);
      }
      return most === Number.NEGATIVE_INFINITY ? undefined : best;
    },
  };
}

function tieAt(link: Link, higher: number): number {
  return higher * link.keep < higher - link.offset ? BY_SHARE : BY_AMOUNT;
}

/** Cholesky's factor, in place of the lower triangle; false if the matrix is not positive definite. */
function factorise(matrix: Float64Array, size: number, width: number): boolean {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (matrix[i * width + k] ?? 0) * (matrix[j * width + k] ?? 0);
      if (i !== j) matrix[i * width + j] = sum / (matrix[j * width + j] ?? 1);
      else if (sum > 0) matrix[i * width + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

function solveFactored(factor: Float64Array, vector: Float64Array, size: number, width: number): void {
  for (let i = 0; i < size; i++) {
    let value = vector[i] ?? 0;
    for (let k = 0; k < i; k++) value -= (factor[i * width + k] ?? 0) * (vector[k] ?? 0);
    vector[i] = value / (factor[i * width + i] ?? 1);
  }
  for (let i = size - 1; i >= 0; i--) {
    let value = vector[i] ?? 0;
    for (let k = i + 1; k < size; k++) value -= (factor[k * width + i] ?? 0) * (vector[k] ?? 0);
    vector[i] = value / (factor[i * width + i] ?? 1);
  }
}
