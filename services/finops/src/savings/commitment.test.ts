import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  commitmentOutcome,
  type Layer,
  optimalCommitment,
  optimalMultiple,
  uncovered,
} from "./commitment.ts";

function layer(onDemand: readonly number[], discount: number): Layer {
  return { onDemand: Float64Array.from(onDemand), discount };
}

/** Up to three layers over the same few periods. */
const layersArbitrary = fc
  .integer({ min: 1, max: 6 })
  .chain((periods) =>
    fc.array(
      fc.record({
        onDemand: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: periods, maxLength: periods }),
        discount: fc.constantFrom(0, 0.1, 0.25, 0.4, 0.5, 0.75),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map((all) => all.map(({ onDemand, discount }) => layer(onDemand, discount)));

/** Mean cost per period, by the definition: layers are covered by discount, and the rest is paid on demand. */
function costOf(layers: readonly Layer[], level: number): number {
  const periods = layers[0]?.onDemand.length ?? 0;
  const order = [...layers].sort((a, b) => b.discount - a.discount);
  let total = 0;
  for (let t = 0; t < periods; t++) {
    let left = level;
    total += level;
    for (const { onDemand, discount } of order) {
      const price = (onDemand[t] ?? 0) * (1 - discount);
      const share = price === 0 ? 0 : Math.min(1, left / price);
      left -= share * price;
      total += (1 - share) * (onDemand[t] ?? 0);
    }
  }
  return total / periods;
}

/** Every level at which the cost can have its least value, and a grid between them. */
function candidates(layers: readonly Layer[]): number[] {
  const periods = layers[0]?.onDemand.length ?? 0;
  const order = [...layers].sort((a, b) => b.discount - a.discount);
  const levels = Array.from({ length: 121 }, (_, i) => i / 4);
  for (let t = 0; t < periods; t++) {
    let level = 0;
    for (const { onDemand, discount } of order) {
      level += (onDemand[t] ?? 0) * (1 - discount);
      levels.push(level);
    }
  }
  return levels;
}

describe("the optimal commitment", () => {
  test("of one layer is used to the last in a share 1 − d of the periods", () => {
    const hours = Array.from({ length: 100 }, (_, i) => i + 1);
    // At 40 % off, the 60 best hours have the last unit in use: all of those with at least 41 of usage.
    expect(optimalCommitment([layer(hours, 0.4)])).toBeCloseTo(0.6 * 40, 9);
  });

  test("of steady usage is all of it", () => {
    expect(optimalCommitment([layer([10, 10, 10], 0.3)])).toBeCloseTo(7, 9);
  });

  test("is nothing without usage, without a discount, or where usage is too rare to break even", () => {
    expect(optimalCommitment([layer([0, 0], 0.5)])).toBe(0);
    expect(optimalCommitment([layer([3, 3], 0)])).toBe(0);
    expect(optimalCommitment([layer([9, 0, 0], 0.5)])).toBe(0);
    expect(optimalCommitment([])).toBe(0);
  });

  test("costs as little as brute force over all levels", () => {
    fc.assert(
      fc.property(layersArbitrary, (layers) => {
        const least = Math.min(...candidates(layers).map((level) => costOf(layers, level)));
        expect(costOf(layers, optimalCommitment(layers))).toBeCloseTo(least, 9);
      }),
      { numRuns: 500 },
    );
  });

  test("in multiples of a step costs as little as brute force over all multiples", () => {
    fc.assert(
      fc.property(layersArbitrary, fc.constantFrom(0.5, 1, 3), (layers, step) => {
        const least = Math.min(...Array.from({ length: 60 }, (_, k) => costOf(layers, k * step)));
        expect(costOf(layers, optimalMultiple(layers, step))).toBeCloseTo(least, 9);
      }),
      { numRuns: 300 },
    );
  });
});

test("an outcome is what its parts come to", () => {
  fc.assert(
    fc.property(layersArbitrary, fc.double({ min: 0, max: 20, noNaN: true }), (layers, level) => {
      const { cost, saving, committed, coverage, utilisation } = commitmentOutcome(layers, level);
      expect(committed).toBe(level);
      expect(cost).toBeCloseTo(costOf(layers, level), 9);
      expect(cost + saving).toBeCloseTo(costOf(layers, 0), 9);
      for (const share of [coverage, utilisation])
        if (!Number.isNaN(share)) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1 + 1e-9);
        }
    }),
  );
});

test("a second commitment covers what the first leaves", () => {
  fc.assert(
    fc.property(
      layersArbitrary,
      fc.double({ min: 0, max: 9, noNaN: true }),
      fc.double({ min: 0, max: 9, noNaN: true }),
      (layers, first, second) => {
        const both = commitmentOutcome(uncovered(layers, first), second).cost + first;
        expect(both).toBeCloseTo(costOf(layers, first + second), 9);
      },
    ),
  );
});
