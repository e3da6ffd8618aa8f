import type { ConstantElasticity, Logit, Objective } from "./types.ts";

/**
 * One tier's summand of a separable objective, as a function of the tier's price p > 0.
 * Every term is unimodal: nondecreasing for p ≤ `peak`, nonincreasing for p ≥ `peak`.
 */
export interface Term {
  /** The maximiser. 0 or Infinity: the term has no maximum and rises towards that end. */
  readonly peak: number;
  /** The term is concave in p up to here. */
  readonly concaveUpTo: number;
  /** The term is concave in ln p up to here. */
  readonly logConcaveUpTo: number;
  /** The largest a for which the term can be concave in −p^−a; 0: none is known. */
  readonly mostPower: number;
  /** The term is concave in −p^−a up to here, for 0 < a ≤ `mostPower`. */
  powerConcaveUpTo(power: number): number;
  value(price: number): number;
  /** d value / d p. */
  slope(price: number): number;
  /** Adds `slope` and `curvature` at the price, times the weight and its square. Cheaper than the two apart. */
  addDerivatives(price: number, weight: number, into: Derivatives): void;
}

/** d / d p and d² / d p² of a sum of terms. */
export type Derivatives = { slope: number; curvature: number };

/**
 * A peak above this price (money) counts as none:
 * the elasticity is so close to −1 that the term has no practical maximum.
 */
const HIGHEST_PRICE = 1e12;

/**
 * (p − c)·q(p) with q(p) = Q·(p/P)^E (revenue is the case c = 0), in money per period.
 *
 * Its slope is q·(1 + E − E·c/p). For E < −1 the peak is c·E/(1 + E), the Lerner rule; for E ≥ −1 the term
 * has no maximum. In x = −p^−a it is, up to a factor, z^((e−1)/a) − c·z^(e/a) with z = −x and e = −E: for
 * e > 1 both summands are concave if e − 1 ≤ a ≤ e; for a smaller a the sum is, up to
 * p = c·e(e − a) / ((e − 1)(e − 1 − a)). With c = 0 the term is the power Q·P^−E·p^(1+E); at E = −1 that is constant, so the current
 * price is taken as the peak.
 */
export class ConstantElasticityTerm implements Term {
  peak = 0;
  mostPower = 0;
  quantity = 0;
  elasticity = 0;
  cost = 0;
  readonly reference: number;
  readonly #current: number;

  constructor(model: ConstantElasticity, cost: number, currentPrice: number) {
    this.reference = model.reference_price;
    this.#current = currentPrice;
    this.change(model.elasticity, model.reference_quantity, cost);
  }

  /** Turns it into the term of other demand and cost: a simulation needs millions, one after the other. */
  change(e: number, quantity: number, cost: number): void {
    this.quantity = quantity;
    this.elasticity = e;
    this.cost = cost;
    this.mostPower = e < -1 ? -e : 0;
    const peak = e < -1 ? (cost * e) / (1 + e) : Number.POSITIVE_INFINITY;
    if (peak < HIGHEST_PRICE) this.peak = peak;
    else this.peak = e === -1 && cost === 0 ? this.#current : Number.POSITIVE_INFINITY;
  }

  get concaveUpTo(): number {
    const e = this.elasticity;
    return e < -1 ? (this.cost * (e - 1)) / (1 + e) : Number.POSITIVE_INFINITY;
  }

  get logConcaveUpTo(): number {
    const e = this.elasticity;
    return e === -1 ? Number.POSITIVE_INFINITY : this.cost * (e / (1 + e)) ** 2;
  }

  powerConcaveUpTo(power: number): number {
    const e = -this.elasticity;
    if (e - 1 <= power) return Number.POSITIVE_INFINITY;
    return (this.cost * e * (e - power)) / ((e - 1) * (e - 1 - power));
  }

  value(price: number): number {
    return this.quantity * (price / this.reference) ** this.elasticity * (price - this.cost);
  }

  slope(price: number): number {
    const e = this.elasticity;
    return this.quantity * (price / this.reference) ** e * (1 + e - (e * this.cost) / price);
  }

  addDerivatives(price: number, weight: number, into: Derivatives): void {
    const e = this.elasticity;
    const quantity = this.quantity * Math.exp(e * Math.log(price / this.reference)) * weight;
    const share = this.cost / price;
    into.slope += quantity * (1 + e - e * share);
    into.curvature += ((quantity * weight) / price) * e * (1 + e - (e - 1) * share);
  }
}

/**
 * (p − m)·exp(a − b·p): a logit tier's summand of Σ (p_i − c_i − θ)·w_i, with m = c + θ. Its peak is m + 1/b,
 * and it is concave up to m + 2/b. Concavity in ln p is not used: `logConcaveUpTo` is 0.
 */
export class LogitTerm implements Term {
  readonly peak: number;
  readonly concaveUpTo: number;
  readonly logConcaveUpTo = 0;
  readonly mostPower = 0;
  readonly intercept: number;
  readonly coefficient: number;
  readonly margin: number;

  constructor(model: Logit, intercept: number, margin: number) {
    this.intercept = intercept;
    this.coefficient = model.price_coefficient;
    this.margin = margin;
    this.peak = margin + 1 / this.coefficient;
    this.concaveUpTo = margin + 2 / this.coefficient;
  }

  powerConcaveUpTo(): number {
    return 0;
  }

  value(price: number): number {
    return (price - this.margin) * Math.exp(this.intercept - this.coefficient * price);
  }

  slope(price: number): number {
    const b = this.coefficient;
    return Math.exp(this.intercept - b * price) * (1 - b * (price - this.margin));
  }

  addDerivatives(price: number, weight: number, into: Derivatives): void {
    const b = this.coefficient;
    const share = Math.exp(this.intercept - b * price) * weight;
    into.slope += share * (1 - b * (price - this.margin));
    into.curvature += share * weight * b * (b * (price - this.margin) - 2);
  }
}

/** The unit cost in the objective: revenue is profit at zero cost. */
export function costFor(objective: Objective, unitCost: number): number {
  return objective === "profit" ? unitCost : 0;
}
