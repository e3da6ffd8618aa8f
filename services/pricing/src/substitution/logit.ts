import { at } from "../at.ts";
import { solveAll } from "./linear.ts";
import type { Panel } from "./panel.ts";

/**
 * A multinomial logit with an outside option, fitted to quantities: E[q_i] = M·exp(u_i) / (1 + Σ exp(u_j)) with
 * u_i = a_i − b·p_i + Σ c_ik·control_ik (McFadden 1974; Berry 1994).
 */
export type LogitFit = {
  /** a_i, then c_ik tier by tier, then b, then ln M. */
  readonly parameters: readonly number[];
  /** Of the parameters, robust to autocorrelation. */
  readonly covariance: readonly (readonly number[])[];
  readonly degreesOfFreedom: number;
};

const MOST_STEPS = 60;
/** From a start near the maximum. */
const MOST_STEPS_FROM_START = 10;
/** The market is at most this many times the largest total sold: beyond, the data cannot tell sizes apart. */
const LARGEST_MARKET = 50;
/** Relative gain of the likelihood at which the steps end. */
const SETTLED = 1e-10;

/**
 * Quasi-maximum likelihood with Poisson weights, by Levenberg–Marquardt: consistent if the means are right,
 * whatever the distribution. Zeros need no treatment. The market size M is estimated, since sales alone do not
 * show who bought nothing. `start` gives parameters to begin with. Undefined if there is no maximum, or demand does not fall with the price. Yields
 * between steps.
 */
export function* logitSteps(panel: Panel, start?: readonly number[]): Generator<void, LogitFit | undefined> {
  const tiers = panel.series.length;
  const totals = Float64Array.from({ length: panel.occasions }, (_, t) =>
    panel.series.reduce((sum, { quantities }) => sum + at(quantities, t), 0),
  );
  const largest = totals.reduce((most, total) => Math.max(most, total), 0);
  if (!(largest > 0)) return undefined;
  const size = countOf(panel);
  let parameters = start?.slice() ?? startOf(panel, largest);
  let loss = lossOf(panel, parameters);
  let damping = 1e-3;
  const most = start === undefined ? MOST_STEPS : MOST_STEPS_FROM_START;
  for (let step = 0; step < most; step++) {
    yield;
    const { gradient, curvature } = scoreOf(panel, parameters);
    const damped = curvature.map((row, i) =>
      row.map((value, j) => (i === j ? value * (1 + damping) : value)),
    );
    const [move] = solveAll(damped, [gradient]) ?? [];
    if (move === undefined) return undefined;
    const next = parameters.map((value, i) => value + at(move, i));
    next[size - 1] = Math.min(
      Math.max(at(next, size - 1), Math.log(largest)),
      Math.log(LARGEST_MARKET * largest),
    );
    const reached = lossOf(panel, next);
    if (!(reached < loss)) {
      damping *= 10;
      if (damping > 1e8) break;
      continue;
    }
    const settled = loss - reached <= SETTLED * Math.abs(loss);
    parameters = next;
    loss = reached;
    damping = Math.max(damping / 10, 1e-9);
    if (settled) break;
  }
  if (!(at(parameters, size - 2) > 0)) return undefined;
  const { curvature, scores } = scoreOf(panel, parameters);
  // A market at its limit is not estimated; the other parameters are, given it.
  const fixed = at(parameters, size - 1) >= Math.log(LARGEST_MARKET * largest) - 1e-9 ? 1 : 0;
  const covariance = sandwich(curvature, scores, size - fixed, size);
  const cosines = cosinesFor(panel.occasions);
  return covariance && { parameters, covariance, degreesOfFreedom: Math.max(1, cosines - tiers) };
}

/** The expected quantities of an occasion at given prices; without controls they are at the occasion's values. */
export function logitMeans(panel: Panel, parameters: readonly number[], t: number): number[] {
  const size = parameters.length;
  const tiers = panel.series.length;
  const market = Math.exp(at(parameters, size - 1));
  const slope = at(parameters, size - 2);
  let next = tiers;
  const utilities = panel.series.map(({ prices, controls }, i) => {
    let utility = at(parameters, i) - slope * at(prices, t);
    for (const control of controls) utility += at(parameters, next++) * at(control, t);
    return utility;
  });
  const top = Math.max(0, ...utilities);
  const weights = utilities.map((utility) => Math.exp(utility - top));
  const total = weights.reduce((sum, weight) => sum + weight, Math.exp(-top));
  return weights.map((weight) => (market * weight) / total);
}

function countOf({ series }: Panel): number {
  return series.reduce((count, { controls }) => count + 1 + controls.length, 2);
}

/** Berry's inversion at twice the largest total, with one slope for all tiers. */
function startOf(panel: Panel, largest: number): number[] {
  const market = 2 * largest;
  const { occasions, series } = panel;
  const points = series.map(({ prices, quantities }) => {
    const logs = Float64Array.from({ length: occasions }, (_, t) => {
      const sold = series.reduce((sum, one) => sum + at(one.quantities, t), 0);
      return Math.log((at(quantities, t) + 0.5) / (market - sold));
    });
    return { prices, logs, price: mean(prices), log: mean(logs) };
  });
  let cross = 0;
  let square = 0;
  for (const { prices, logs, price, log } of points) {
    prices.forEach((value, t) => {
      cross += (value - price) * (at(logs, t) - log);
      square += (value - price) ** 2;
    });
  }
  const slope =
    square > 0
      ? Math.max(-cross / square, 1e-3 / Math.max(mean(points[0]?.prices ?? new Float64Array(1)), 1e-9))
      : 1;
  const controls = series.reduce((count, one) => count + one.controls.length, 0);
  return [
    ...points.map(({ price, log }) => log + slope * price),
    ...new Array<number>(controls).fill(0),
    slope,
    Math.log(market),
  ];
}

function lossOf(panel: Panel, parameters: readonly number[]): number {
  let loss = 0;
  for (let t = 0; t < panel.occasions; t++) {
    const means = logitMeans(panel, parameters, t);
    panel.series.forEach(({ quantities }, i) => {
      const sold = at(quantities, t);
      loss += at(means, i) - (sold > 0 ? sold * Math.log(at(means, i)) : 0);
    });
  }
  return Number.isFinite(loss) ? loss : Number.POSITIVE_INFINITY;
}

function scoreOf(panel: Panel, parameters: readonly number[]) {
  const { series } = panel;
  const size = parameters.length;
  const market = Math.exp(at(parameters, size - 1));
  const curvature = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const gradient = new Array<number>(size).fill(0);
  const scores: Float64Array[] = [];
  const owners = ownersOf(panel);
  // features[k]: d u / d parameter k at this occasion, of the tier that owns it (of each tier for the slope).
  const features = new Float64Array(size);
  const slopes = new Float64Array(size);
  for (let t = 0; t < panel.occasions; t++) {
    const means = logitMeans(panel, parameters, t);
    let next = series.length;
    let price = 0;
    series.forEach(({ prices, controls }, j) => {
      features[j] = 1;
      for (const control of controls) features[next++] = at(control, t);
      price += (at(means, j) / market) * at(prices, t);
    });
    const score = new Float64Array(size);
    for (let i = 0; i < series.length; i++) {
      const { prices, quantities } = at(series, i);
      const own = at(means, i);
      const error = at(quantities, t) - own;
      // d ln µ_i / d parameter: through the own utility, less through each utility by its share.
      for (let k = 0; k < size - 2; k++) {
        const owner = at(owners, k);
        slopes[k] = ((owner === i ? 1 : 0) - at(means, owner) / market) * at(features, k);
      }
      slopes[size - 2] = price - at(prices, t);
      slopes[size - 1] = 1;
      for (let a = 0; a < size; a++) {
        const left = at(slopes, a);
        score[a] = at(score, a) + left * error;
        const row = at(curvature, a);
        for (let b = 0; b <= a; b++) row[b] = at(row, b) + own * left * at(slopes, b);
      }
    }
    for (let a = 0; a < size; a++) gradient[a] = at(gradient, a) + at(score, a);
    scores.push(score);
  }
  for (let a = 0; a < size; a++) for (let b = 0; b < a; b++) at(curvature, b)[a] = at(at(curvature, a), b);
  return { gradient, curvature, scores };
}

/** The tier whose utility each parameter but b and ln M belongs to. */
function ownersOf({ series }: Panel): number[] {
  return [...series.map((_, i) => i), ...series.flatMap(({ controls }, i) => controls.map(() => i))];
}

function cosinesFor(occasions: number): number {
  return Math.max(2, Math.round(0.4 * occasions ** (2 / 3)));
}

/**
 * The covariance of the first `free` parameters, 0 for the others: the inverse curvature around the long-run
 * variance of the scores, the larger in trace of the independent and the equal-weighted cosine estimate.
 */
function sandwich(
  curvature: readonly (readonly number[])[],
  scores: readonly Float64Array[],
  free: number,
  size: number,
): number[][] | undefined {
  const top = curvature.slice(0, free).map((row) => row.slice(0, free));
  const moves = solveAll(
    top,
    scores.map((score) => [...score.subarray(0, free)]),
  );
  if (moves === undefined) return undefined;
  const n = moves.length;
  const count = cosinesFor(n);
  const covariance = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const scale = n / Math.max(1, n - free);
  for (let b = 1; b <= count; b++) {
    const projection = new Array<number>(free).fill(0);
    moves.forEach((move, t) => {
      const weight = Math.cos((Math.PI * b * (t + 0.5)) / n);
      move.forEach((value, a) => {
        projection[a] = at(projection, a) + weight * value;
      });
    });
    for (let a = 0; a < free; a++) {
      const row = at(covariance, a);
      for (let c = 0; c < free; c++)
        row[c] = at(row, c) + (2 * scale * at(projection, a) * at(projection, c)) / count;
    }
  }
  return covariance;
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
