import { at } from "./at.ts";
import { beliefQuantile, type SignedBelief, signedBelief } from "./distribution.ts";
import { normalQuantile } from "./normal.ts";
import type { Rng } from "./rng.ts";
import type { JointDemand, Logit } from "./types.ts";

/**
 * Belief about the parameters of a logit that was fitted to an item's tiers together: a_i in the order of `names`, the
 * price coefficient b, ln M. They are normal with the fit's mean and covariance, b truncated at 0.
 */
export type JointBelief = {
  readonly names: readonly string[];
  readonly mean: readonly number[];
  readonly slope: SignedBelief;
  /** How the means of all parameters move with b: their covariances with b over its variance. */
  readonly along: readonly number[];
  /** A lower triangular factor of the covariance that is left at a given b. */
  readonly rest: readonly (readonly number[])[];
};

export function jointBelief({ logit, names }: Extract<JointDemand, { model: "logit" }>): JointBelief {
  const { parameters, covariance } = logit;
  const own = at(covariance, names.length);
  const variance = at(own, names.length);
  const along = own.map((value, k) => (k === names.length ? 1 : variance > 0 ? value / variance : 0));
  const left = covariance.map((row, i) =>
    row.map((value, j) => value - variance * at(along, i) * at(along, j)),
  );
  const slope = {
    distribution: "normal",
    mean: at(parameters, names.length),
    sd: Math.sqrt(Math.max(0, variance)),
  } as const;
  return { names, mean: parameters, slope: signedBelief(slope, 1), along, rest: factorOf(left) };
}

/** The parameters at a price coefficient: what the others are then on average. */
export function parametersAt({ mean, along, names }: JointBelief, slope: number): number[] {
  const moved = slope - at(mean, names.length);
  return mean.map((value, k) => value + moved * at(along, k));
}

/** Draws all parameters into an array, from a position on. */
export function drawParameters(belief: JointBelief, rng: Rng, into: Float64Array, from: number): void {
  const { mean, along, rest, names } = belief;
  const moved = beliefQuantile(belief.slope, rng()) - at(mean, names.length);
  for (let k = 0; k < mean.length; k++) into[from + k] = at(mean, k) + moved * at(along, k);
  for (let j = 0; j < mean.length; j++) {
    if (j === names.length) continue;
    const score = normalQuantile(rng());
    for (let k = j; k < mean.length; k++) into[from + k] = (into[from + k] ?? 0) + score * at(at(rest, k), j);
  }
}

/** The logit of the i-th of the names at these parameters. */
export function logitAt(parameters: ArrayLike<number>, i: number): Logit {
  return {
    model: "logit",
    market_size: Math.exp(at(parameters, parameters.length - 1)),
    intercept: at(parameters, i),
    price_coefficient: at(parameters, parameters.length - 2),
  };
}

/** Variances below this share of what they were are rounding errors. */
const NOTHING = 1e-10;

/** Cholesky's factor; directions without variance have a column of zeros. */
function factorOf(matrix: readonly (readonly number[])[]): number[][] {
  const factor = matrix.map((row) => row.map(() => 0));
  const largest = Math.max(...matrix.map((row, i) => at(row, i)), 0);
  for (let j = 0; j < matrix.length; j++) {
    let pivot = at(at(matrix, j), j);
    for (let k = 0; k < j; k++) pivot -= at(at(factor, j), k) ** 2;
    if (!(pivot > NOTHING * largest)) continue;
    const root = Math.sqrt(pivot);
    for (let i = j; i < matrix.length; i++) {
      let value = at(at(matrix, i), j);
      for (let k = 0; k < j; k++) value -= at(at(factor, i), k) * at(at(factor, j), k);
      at(factor, i)[j] = value / root;
    }
  }
  return factor;
}
