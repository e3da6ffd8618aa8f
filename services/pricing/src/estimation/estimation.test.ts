import { describe, expect, test } from "@jest/globals";
import { normalQuantile } from "../normal.ts";
import { leastSquares, type Regression } from "../regression.ts";
import { makeRng } from "../rng.ts";
import { type Grouping, groupBy } from "./absorb.ts";
import { poissonRegression, withSales } from "./poisson.ts";
import { clusterRobust, clusterVariance, serialRobust } from "./variance.ts";

/** An unbalanced panel of 6 stores and 20 weeks, with counts among which are zeros. */
const rng = makeRng(5, "panel");
const normal = () => normalQuantile(rng());
const cells = Array.from({ length: 6 }, (_, store) =>
  Array.from({ length: 20 }, (_, week) => ({ store, week })),
)
  .flat()
  .filter(() => rng() > 0.1)
  .map(({ store, week }) => {
    const price = 0.3 * normal() + 0.1 * store + 0.02 * week;
    const promo = normal();
    const mean = Math.exp(0.3 + 0.2 * store - 1.5 * price + 0.3 * promo);
    return { store, week, price, promo, quantity: Math.max(0, Math.round(mean + normal())) };
  });
const column = (name: "price" | "promo" | "quantity") => Float64Array.from(cells, (cell) => cell[name]);
const stores = groupBy(cells.map(({ store }) => String(store)));
const weeks = groupBy(cells.map(({ week }) => String(week)));
const regressors = [column("price"), column("promo")];
const logs = column("quantity").map((quantity) => Math.log(quantity + 1));

const EFFECTS: [string, Grouping[]][] = [
  ["an intercept", []],
  ["effects of stores", [stores]],
  ["effects of stores and weeks", [stores, weeks]],
];

/** The design with one dummy per level, less one level of each grouping after the first. */
function dummies(groupings: readonly Grouping[]): number[][] {
  return cells.map(({ price, promo }, r) => [
    price,
    promo,
    ...(groupings.length === 0 ? [1] : []),
    ...groupings.flatMap(({ codes, levels }, g) =>
      Array.from({ length: levels }, (_, level) => (codes[r] === level ? 1 : 0)).slice(g === 0 ? 0 : 1),
    ),
  ]);
}

describe("least squares with absorbed effects", () => {
  test.each(EFFECTS)("%s: equals the regression on dummies, with its HC1 and CR1 errors", (_, groupings) => {
    const fit = leastSquares(logs, regressors, { groupings });
    const design = dummies(groupings);
    const ones = design.map(() => 1);
    const direct = weighted(design, logs, ones);
    fit.coefficients.forEach((value, j) => {
      expect(value).toBeCloseTo(direct.beta[j] ?? 0, 11);
    });
    const scores = design.map((row, r) => row.map((value) => value * (direct.errors[r] ?? 0)));
    const n = cells.length;
    const k = design[0]?.length ?? 0;
    const hc1 = (n / (n - k)) * sandwich(direct.inverse, scores);
    expect(fit.standardErrors[0]).toBeCloseTo(Math.sqrt(hc1), 11);
    const sums = sumsBy(scores, stores);
    const cr1 = (6 / 5) * ((n - 1) / (n - k)) * sandwich(direct.inverse, sums);
    expect(Math.sqrt(clusterVariance(fit, 0, stores))).toBeCloseTo(Math.sqrt(cr1), 11);
  });

  test.each(EFFECTS.slice(0, 2))(
    "%s: the jackknife over clusters equals refits without each",
    (_, groupings) => {
      const design = dummies(groupings);
      const slope = (left: number) => {
        const rows = design.map((_, r) => r).filter((r) => stores.codes[r] !== left);
        const used = rows.map((r) => design[r] ?? []);
        // Without its store, a dummy has no rows left.
        const kept = (used[0] ?? []).map((_, c) => c).filter((c) => used.some((row) => row[c] !== 0));
        return weighted(
          used.map((row) => kept.map((c) => row[c] ?? 0)),
          rows.map((r) => logs[r] ?? 0),
          used.map(() => 1),
        ).beta[0];
      };
      const whole = slope(-1) ?? 0;
      const squares = Array.from({ length: 6 }, (_, g) => ((slope(g) ?? 0) - whole) ** 2);
      const jackknife = Math.sqrt((5 / 6) * squares.reduce((sum, one) => sum + one, 0));
      const fit = leastSquares(logs, regressors, { groupings });
      const { standardError, degreesOfFreedom } = clusterRobust(fit, 0, stores);
      expect(standardError).toBeCloseTo(jackknife, 11);
      expect(degreesOfFreedom).toBe(5);
    },
  );
});

describe("Poisson pseudo-maximum likelihood", () => {
  test.each(EFFECTS)("%s: solves the first-order conditions, with sandwich errors", (_, groupings) => {
    const sold = column("quantity");
    const { regression, linear, converged } = poissonRegression(sold, regressors, groupings);
    expect(converged).toBe(true);
    const means = linear.map(Math.exp);
    const design = dummies(groupings);
    for (let c = 0; c < (design[0]?.length ?? 0); c++) {
      const score = design.reduce(
        (sum, row, r) => sum + (row[c] ?? 0) * ((sold[r] ?? 0) - (means[r] ?? 0)),
        0,
      );
      expect(Math.abs(score)).toBeLessThan(1e-7);
    }
    // The linear predictor is that of the coefficients: the rest is constant within the effects.
    const { inverse } = weighted(design, linear, [...means]);
    const scores = design.map((row, r) => row.map((value) => value * ((sold[r] ?? 0) - (means[r] ?? 0))));
    const n = cells.length;
    const robust = (n / (n - (design[0]?.length ?? 0))) * sandwich(inverse, scores);
    expect(regression.standardErrors[0]).toBeCloseTo(Math.sqrt(robust), 7);
  });

  test("in two groups the coefficient is the log of the ratio of their means", () => {
    const y = Float64Array.from([0, 3, 1, 4, 0, 0, 1, 1]);
    const group = Float64Array.from([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(poissonRegression(y, [group]).regression.coefficients[0]).toBeCloseTo(Math.log(2 / 8), 10);
  });

  test("sales only where a regressor is 0 have no estimate", () => {
    const y = Float64Array.from([1, 3, 2, 4, 0, 0, 0, 0]);
    const group = Float64Array.from([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(poissonRegression(y, [group]).converged).toBe(false);
  });

  test("levels without any sale are left out, also those that this empties", () => {
    const y = Float64Array.from([0, 0, 2, 0, 1]);
    const a = groupBy(["x", "x", "y", "y", "z"]);
    const b = groupBy(["1", "2", "1", "2", "1"]);
    expect([...withSales(y, [a, b])]).toEqual([0, 0, 1, 0, 1]);
  });
});

describe("errors that depend on each other along time", () => {
  const length = 40;
  const x = Float64Array.from({ length }, (_, t) => Math.sin(t));
  const y = x.map((value, t) => 2 * value + Math.cos(t / 5));
  const periods: Grouping = { codes: Int32Array.from(x, (_, t) => t), levels: length };

  test("the cosine estimate is the mean of squared projections of the influence values", () => {
    const fit = leastSquares(y, [x]);
    const [cosine] = serialRobust(fit, 0, periods);
    const influence = influenceOf(fit);
    const count = Math.round(0.4 * length ** (2 / 3));
    let variance = 0;
    for (let b = 1; b <= count; b++) {
      const projection = influence.reduce(
        (sum, value, t) => sum + value * Math.cos((Math.PI * b * (t + 0.5)) / length),
        0,
      );
      variance += (2 * projection ** 2) / count;
    }
    expect(cosine?.standardError).toBeCloseTo(Math.sqrt((variance * length) / (length - 2)), 12);
    expect(cosine?.degreesOfFreedom).toBe(count);
  });

  test("persistent errors widen the interval, and the order of the rows does not matter", () => {
    const fit = leastSquares(y, [x.map((_, t) => Math.cos(t / 6))]);
    const errors = serialRobust(fit, 0, periods).map(({ standardError }) => standardError);
    expect(Math.max(...errors)).toBeGreaterThan(1.5 * (fit.standardErrors[0] ?? 0));
    const order = Array.from({ length }, (_, r) => (r * 17) % length);
    const shuffled = leastSquares(
      Float64Array.from(order, (t) => y[t] ?? 0),
      [Float64Array.from(order, (t) => Math.cos(t / 6))],
    );
    const again = serialRobust(shuffled, 0, { codes: Int32Array.from(order), levels: length });
    again.forEach(({ standardError }, k) => {
      expect(standardError).toBeCloseTo(errors[k] ?? 0, 10);
    });
  });
});

function influenceOf({ directions, scaledResiduals }: Regression): number[] {
  return [...scaledResiduals].map((error, r) => error * (directions[0]?.[r] ?? 0));
}

/** Weighted least squares by the normal equations. */
function weighted(design: readonly (readonly number[])[], y: ArrayLike<number>, weights: readonly number[]) {
  const size = design[0]?.length ?? 0;
  const product = (a: number, of: (row: readonly number[], r: number) => number) =>
    design.reduce((sum, row, r) => sum + (weights[r] ?? 0) * (row[a] ?? 0) * of(row, r), 0);
  const inverse = invert(
    Array.from({ length: size }, (_, a) =>
      Array.from({ length: size }, (_, b) => product(a, (row) => row[b] ?? 0)),
    ),
  );
  const side = Array.from({ length: size }, (_, a) => product(a, (_, r) => y[r] ?? 0));
  const beta = inverse.map((row) => row.reduce((sum, value, k) => sum + value * (side[k] ?? 0), 0));
  const errors = design.map(
    (row, r) => (y[r] ?? 0) - row.reduce((sum, value, k) => sum + value * (beta[k] ?? 0), 0),
  );
  return { inverse, beta, errors };
}

/** The first diagonal entry of A⁻¹ (Σ s·s') A⁻¹. */
function sandwich(inverse: readonly (readonly number[])[], scores: readonly (readonly number[])[]): number {
  const row = inverse[0] ?? [];
  return scores.reduce(
    (sum, score) => sum + score.reduce((inner, value, k) => inner + value * (row[k] ?? 0), 0) ** 2,
    0,
  );
}

function sumsBy(scores: readonly (readonly number[])[], { codes, levels }: Grouping): number[][] {
  return Array.from({ length: levels }, (_, level) =>
    (scores[0] ?? []).map((_, k) =>
      scores.reduce((sum, score, r) => sum + (codes[r] === level ? (score[k] ?? 0) : 0), 0),
    ),
  );
}

/** The inverse of a matrix, by Gauss-Jordan elimination without pivoting. */
function invert(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < size; i++) {
    const pivot = (rows[i] ?? []).map((value) => value / (rows[i]?.[i] ?? 1));
    rows[i] = pivot;
    for (let k = 0; k < size; k++) {
      const factor = rows[k]?.[i] ?? 0;
      if (k !== i) rows[k] = (rows[k] ?? []).map((value, j) => value - factor * (pivot[j] ?? 0));
    }
  }
  return rows.map((row) => row.slice(size));
}
