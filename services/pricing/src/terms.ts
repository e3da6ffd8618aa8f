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
  value(price: number): number;
  /** d value / d p. */
  slope(price: number): number;
  /** d² value / d p². */
  curvature(price: number): number;
}

/**
 * A peak above this price (money) counts as none:
 * the elasticity is so close to −1 that the term has no practical maximum.
 */
const HIGHEST_PRICE = 1e12;

/**
 * (p − c)·q(p) with q(p) = Q·(p/P)^E (revenue is the case c = 0), in money per period.
 *
 * Its slope is q·(1 + E − E·c/p). For E < −1 the peak is c·E/(1 + E), the Lerner rule; for E ≥ −1 the term
 * has no maximum. With c = 0 the term is the power Q·P^−E·p^(1+E); at E = −1 that is constant, so the current
 * price is taken as the peak.
 */
export class ConstantElasticityTerm implements Term {
  readonly peak: number;
  readonly concaveUpTo: number;
  readonly logConcaveUpTo: number;
  readonly quantity: number;
  readonly reference: number;
  readonly elasticity: number;
  readonly cost: number;

  constructor(model: ConstantElasticity, cost: number, currentPrice: number) {
    const e = model.elasticity;
    this.quantity = model.reference_quantity;
    this.reference = model.reference_price;
    this.elasticity = e;
    this.cost = cost;
    if (e < -1) {
      const markup = e / (1 + e);
      this.peak = cost * markup < HIGHEST_PRICE ? cost * markup : Number.POSITIVE_INFINITY;
      this.concaveUpTo = (cost * (e - 1)) / (1 + e);
      this.logConcaveUpTo = cost * markup * markup;
    } else {
      this.peak = e === -1 && cost === 0 ? currentPrice : Number.POSITIVE_INFINITY;
      this.concaveUpTo = Number.POSITIVE_INFINITY;
      this.logConcaveUpTo = e === -1 ? Number.POSITIVE_INFINITY : cost * (e / (1 + e)) ** 2;
    }
  }

  value(price: number): number {
    return this.quantity * (price / this.reference) ** this.elasticity * (price - this.cost);
  }

  slope(price: number): number {
    const e = this.elasticity;
    return this.quantity * (price / this.reference) ** e * (1 + e - (e * this.cost) / price);
  }

  curvature(price: number): number {
    const e = this.elasticity;
    const quantity = this.quantity * (price / this.reference) ** e;
    return (quantity / price) * e * (1 + e - ((e - 1) * this.cost) / price);
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

  value(price: number): number {
    return (price - this.margin) * Math.exp(this.intercept - this.coefficient * price);
  }

  slope(price: number): number {
    const b = this.coefficient;
    return Math.exp(this.intercept - b * price) * (1 - b * (price - this.margin));
  }

  curvature(price: number): number {
    const b = this.coefficient;
    return Math.exp(this.intercept - b * price) * b * (b * (price - this.margin) - 2);
  }
}

/** The unit cost in the objective: revenue is profit at zero cost. */
export function costFor(objective: Objective, unitCost: number): number {
  return objective === "profit" ? unitCost : 0;
}
