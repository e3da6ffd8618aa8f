import { normalCdf, normalQuantile } from "./normal.ts";
import { studentTAt, studentTCdf } from "./student-t.ts";

/**
 * A belief about a number (wire shape). Normal: mean and standard deviation. Uniform: bounds. Lognormal: median and
 * the standard deviation of the logarithm (Johnson, Kotz and Balakrishnan 1994, chapters 13, 14 and 26).
 */
export type Distribution =
  | { distribution: "normal"; mean: number; sd: number }
  | { distribution: "uniform"; low: number; high: number }
  | { distribution: "lognormal"; median: number; log_sd: number };

/** An estimate with its standard error: mean + scale·t. Of fits alone; requests cannot give it. */
export type StudentT = {
  readonly distribution: "student_t";
  readonly mean: number;
  readonly scale: number;
  readonly degrees_of_freedom: number;
};

/** Truncated mass below this does not show in double precision. */
const NO_MASS = 1e-16;

/**
 * A distribution on one side of 0: positive factors (`sign` 1), or elasticities, which are negative (`sign` −1). A
 * normal or t distribution is truncated at 0; a lognormal one has the sign of its median.
 */
export type SignedBelief = {
  readonly distribution: Distribution | StudentT;
  readonly sign: 1 | -1;
  /** The probability mass beyond 0 that truncation removes. */
  readonly truncated: number;
};

export function signedBelief(distribution: Distribution | StudentT, sign: 1 | -1): SignedBelief {
  const beyond = massBeyond(distribution, sign);
  return { distribution, sign, truncated: beyond < NO_MASS ? 0 : beyond };
}

/** The probability on the other side of 0. */
function massBeyond(d: Distribution | StudentT, sign: 1 | -1): number {
  if (d.distribution === "normal") return d.sd > 0 ? normalCdf((-sign * d.mean) / d.sd) : 0;
  if (d.distribution !== "student_t" || !(d.scale > 0)) return 0;
  return studentTCdf((-sign * d.mean) / d.scale, d.degrees_of_freedom);
}

/** The p-quantile, 0 < p < 1. */
export function beliefQuantile(belief: SignedBelief, p: number): number {
  const d = belief.distribution;
  if (d.distribution === "uniform") return d.low + p * (d.high - d.low);
  const score = normalQuantile(belief.truncated === 0 ? p : keptMass(belief, p));
  return valueAt(d, belief.sign, score);
}

/**
 * The quantile at the probability Φ(z): the image of a standard normal number z, as a Gaussian copula needs it
 * (Nelsen 2006, 2.5).
 */
export function beliefAt(belief: SignedBelief, z: number): number {
  const d = belief.distribution;
  if (d.distribution === "uniform") return d.low + normalCdf(z) * (d.high - d.low);
  const score = belief.truncated === 0 ? z : normalQuantile(keptMass(belief, normalCdf(z)));
  return valueAt(d, belief.sign, score);
}

/** The probability before truncation of the p-quantile after it. */
function keptMass({ sign, truncated }: SignedBelief, p: number): number {
  return (sign === 1 ? truncated : 0) + p * (1 - truncated);
}

function valueAt(
  d: Exclude<Distribution, { distribution: "uniform" }> | StudentT,
  sign: 1 | -1,
  z: number,
): number {
  if (d.distribution === "lognormal") return d.median * Math.exp(sign * d.log_sd * z);
  const scale = d.distribution === "normal" ? d.sd : d.scale;
  if (scale === 0) return d.mean;
  const score = d.distribution === "normal" ? z : studentTAt(z, d.degrees_of_freedom);
  // The inverse may round to 0, but the value has a sign.
  return sign * Math.max(sign * (d.mean + scale * score), 1e-9);
}

/** What stands for the belief when nothing is drawn: the mean of a normal, t or uniform one, the median of a lognormal one. */
export function beliefCentre({ distribution: d }: SignedBelief): number {
  if (d.distribution === "normal" || d.distribution === "student_t") return d.mean;
  return d.distribution === "uniform" ? 0.5 * (d.low + d.high) : d.median;
}
