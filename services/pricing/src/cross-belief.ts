import { at } from "./at.ts";
import { type SignedBelief, signedBelief } from "./distribution.ts";
import { normalQuantile } from "./normal.ts";
import type { Rng } from "./rng.ts";
import type { JointDemand } from "./types.ts";

/**
 * Belief about the elasticities of tiers with cross-price effects: multivariate t with the fit's estimates,
 * covariance and degrees of freedom, own elasticities truncated at 0. Numbers are row by row: of tier i's demand by
 * the price of tier j at i·n + j.
 */
export type CrossBelief = {
  readonly names: readonly string[];
  readonly mean: readonly number[];
  /** The covariance is Σ_k factors[k]·factors[k]ᵀ. */
  readonly factors: readonly (readonly number[])[];
  readonly degreesOfFreedom: number;
  /** Own elasticities, each by itself. */
  readonly own: readonly SignedBelief[];
};

/** From this many degrees of freedom on, t is normal for all that is drawn here. */
const NORMAL_FROM = 400;
/** A draw with a positive own elasticity is drawn anew, at most so often. */
const MOST_TRIES = 50;
const LEAST_ELASTIC = -1e-9;

export function crossBelief({ cross, names }: Extract<JointDemand, { model: "cross_price" }>): CrossBelief {
  const mean = cross.elasticities.flat();
  return {
    names,
    mean,
    factors: cross.factors,
    degreesOfFreedom: cross.degreesOfFreedom,
    own: names.map((_, i) => {
      const position = i * names.length + i;
      const sd = Math.sqrt(cross.factors.reduce((sum, factor) => sum + at(factor, position) ** 2, 0));
      return signedBelief(
        {
          distribution: "student_t",
          mean: at(mean, position),
          scale: sd,
          degrees_of_freedom: cross.degreesOfFreedom,
        },
        -1,
      );
    }),
  };
}

/** The elasticities where that of tier i by its own price has a value: what the others are then on average. */
export function elasticitiesAt({ names, mean, factors }: CrossBelief, i: number, value: number): number[] {
  const position = i * names.length + i;
  const variance = factors.reduce((sum, factor) => sum + at(factor, position) ** 2, 0);
  const moved = value - at(mean, position);
  return mean.map((one, k) => {
    if (k === position) return value;
    const shared = factors.reduce((sum, factor) => sum + at(factor, k) * at(factor, position), 0);
    const next = variance > 0 ? one + (moved * shared) / variance : one;
    return isOwn(k, names.length) ? Math.min(next, LEAST_ELASTIC) : next;
  });
}

/** Draws all elasticities into an array, from a position on. */
export function drawElasticities(belief: CrossBelief, rng: Rng, into: Float64Array, from: number): void {
  const { mean, factors, names, degreesOfFreedom } = belief;
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    for (let k = 0; k < mean.length; k++) into[from + k] = at(mean, k);
    const spread = spreadOf(degreesOfFreedom, rng);
    for (const factor of factors) {
      const score = spread * normalQuantile(rng());
      for (let k = 0; k < mean.length; k++) into[from + k] = (into[from + k] ?? 0) + score * at(factor, k);
    }
    if (names.every((_, i) => (into[from + i * names.length + i] ?? 0) < 0)) return;
  }
  for (let i = 0; i < names.length; i++) {
    const own = from + i * names.length + i;
    into[own] = Math.min(into[own] ?? 0, LEAST_ELASTIC);
  }
}

/** √(ν/χ²_ν), which makes a normal number one of Student's t. */
function spreadOf(degreesOfFreedom: number, rng: Rng): number {
  if (degreesOfFreedom >= NORMAL_FROM) return 1;
  let squares = 0;
  for (let k = 0; k < degreesOfFreedom; k++) squares += normalQuantile(rng()) ** 2;
  return Math.sqrt(degreesOfFreedom / squares);
}

function isOwn(position: number, names: number): boolean {
  return position % (names + 1) === 0;
}
