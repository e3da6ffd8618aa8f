import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type OrderedTargets, projectOnChain } from "./isotonic.ts";

function free(
  targets: number[],
  steps = targets.slice(1).map(() => 0),
  weights = targets.map(() => 1),
): OrderedTargets {
  return {
    targets,
    weights,
    steps,
    lower: targets.map(() => Number.NEGATIVE_INFINITY),
    upper: targets.map(() => Number.POSITIVE_INFINITY),
  };
}

function valuesOf(chain: OrderedTargets) {
  const projection = projectOnChain(chain);
  if (!projection.ok) throw new Error("no room");
  return projection.values;
}

function loss(chain: OrderedTargets, values: readonly number[]) {
  return values.reduce((sum, x, i) => sum + (chain.weights[i] ?? 0) * (x - (chain.targets[i] ?? 0)) ** 2, 0);
}

describe("projection on a descending chain", () => {
  test("leaves a feasible point unchanged", () => {
    expect(valuesOf(free([5, 3, 1], [1, 2]))).toEqual([5, 3, 1]);
  });

  test("pools violators to their weighted mean", () => {
    expect(valuesOf(free([1, 2, 0]))).toEqual([1.5, 1.5, 0]);
    expect(valuesOf(free([0, 4], [0], [3, 1]))).toEqual([1, 1]);
    expect(valuesOf(free([1, 1], [2]))).toEqual([2, 0]);
  });

  test("clips a block to its bounds while pooling", () => {
    const chain = { ...free([1, 5]), upper: [2, 2] };
    expect(valuesOf(chain)).toEqual([2, 2]);
    // The upper bound of the first member holds for the second one too, although its target is 1.
    expect(valuesOf({ ...free([4, 1]), upper: [0.5, Number.POSITIVE_INFINITY] })).toEqual([0.5, 0.5]);
  });

  test("does not move a fixed member, whatever its neighbours' weights", () => {
    expect(
      valuesOf({ ...free([1, 3, 2], [1, 1], [1, 1e6, 1]), lower: [1, -9, -9], upper: [1, 9, 9] }),
    ).toEqual([1, 0, -1]);
  });

  test("returns the two contradictory bounds of an infeasible chain", () => {
    const chain = { ...free([3, 2, 1], [1, 1]), lower: [-9, -9, 4], upper: [5, 9, 9] };
    expect(projectOnChain(chain)).toEqual({ ok: false, lowerOf: 2, upperOf: 0 });
  });

  test("is feasible and optimal: no feasible point of a lattice is nearer", () => {
    const member = fc.record({
      target: fc.integer({ min: -4, max: 4 }),
      weight: fc.integer({ min: 1, max: 5 }),
      step: fc.integer({ min: 0, max: 2 }),
      low: fc.option(fc.integer({ min: -4, max: 1 }), { nil: -5 }),
      high: fc.option(fc.integer({ min: -1, max: 4 }), { nil: 5 }),
    });
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 3 }), (members) => {
        const chain: OrderedTargets = {
          targets: members.map((m) => m.target),
          weights: members.map((m) => m.weight),
          steps: members.slice(1).map((m) => m.step),
          lower: members.map((m) => Math.min(m.low, m.high)),
          upper: members.map((m) => Math.max(m.low, m.high)),
        };
        const best = bruteForce(chain);
        const projection = projectOnChain(chain);
        expect(projection.ok).toBe(best !== undefined);
        if (!projection.ok || best === undefined) return;
        expect(feasible(chain, projection.values)).toBe(true);
        expect(loss(chain, projection.values)).toBeLessThanOrEqual(best + 1e-9);
        expect(stationary(chain, projection.values)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

function feasible(chain: OrderedTargets, x: readonly number[], slack = 1e-9): boolean {
  return x.every((value, i) => {
    const next = x[i + 1];
    return (
      value >= (chain.lower[i] ?? 0) - slack &&
      value <= (chain.upper[i] ?? 0) + slack &&
      (next === undefined || value + slack >= next + (chain.steps[i] ?? 0))
    );
  });
}

/**
 * Least loss on the lattice of multiples of ½;
 * undefined if no point is feasible (bounds and steps are integers).
 */
function bruteForce(chain: OrderedTargets): number | undefined {
  const grid = Array.from({ length: 37 }, (_, i) => -9 + i / 2);
  let best: number | undefined;
  const visit = (x: number[]) => {
    if (x.length === chain.targets.length) {
      if (feasible(chain, x)) best = Math.min(best ?? Number.POSITIVE_INFINITY, loss(chain, x));
      return;
    }
    for (const value of grid) visit([...x, value]);
  };
  visit([]);
  return best;
}

/**
 * The first-order condition: no feasible shift of a run of members lowers the loss.
 * Such shifts span all directions.
 */
function stationary(chain: OrderedTargets, x: readonly number[]): boolean {
  for (let from = 0; from < x.length; from++) {
    for (let to = from; to < x.length; to++) {
      for (const move of [1e-4, -1e-4]) {
        const moved = x.map((value, i) => (i >= from && i <= to ? value + move : value));
        if (feasible(chain, moved, 0) && loss(chain, moved) < loss(chain, x) - 1e-10) return false;
      }
    }
  }
  return true;
}
