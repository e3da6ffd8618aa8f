import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { shapley, shapleyVector } from "./shapley.ts";

function has(coalition: number, player: number) {
  return (coalition & (1 << player)) !== 0;
}

function members(coalition: number, players: number) {
  return Array.from({ length: players }, (_, i) => i).filter((i) => has(coalition, i));
}

function close(actual: readonly number[], expected: readonly number[]) {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 10);
  });
}

describe("Shapley values with a closed form", () => {
  test("an additive game gives each player its own worth", () => {
    const worth = [3, -1, 0, 7.5];
    close(
      shapley((s) => members(s, 4).reduce((sum, i) => sum + (worth[i] ?? 0), 0), 4),
      worth,
    );
  });

  test("a unanimity game is split evenly among the necessary players", () => {
    const needed = 0b1101;
    close(
      shapley((s) => ((s & needed) === needed ? 1 : 0), 5),
      [1 / 3, 0, 1 / 3, 1 / 3, 0],
    );
  });

  test("the glove game pays the scarce left glove 2/3 and each right one 1/6", () => {
    close(
      shapley((s) => (has(s, 0) && (has(s, 1) || has(s, 2)) ? 1 : 0), 3),
      [2 / 3, 1 / 6, 1 / 6],
    );
  });

  test("the airport game charges each runway segment to those who use it (Littlechild & Owen 1973)", () => {
    const costs = [1, 3, 4, 10, 12, 12, 15, 20];
    const cost = (s: number) => Math.max(0, ...members(s, 8).map((i) => costs[i] ?? 0));
    const expected = costs.map((_, i) =>
      costs.slice(0, i + 1).reduce((sum, c, k) => sum + (c - (costs[k - 1] ?? 0)) / (costs.length - k), 0),
    );
    close(shapley(cost, 8), expected);
  });

  test("a weighted vote [3; 2, 1, 1] gives the pivot 2/3", () => {
    const votes = [2, 1, 1];
    const wins = (s: number) => (members(s, 3).reduce((sum, i) => sum + (votes[i] ?? 0), 0) >= 3 ? 1 : 0);
    close(shapley(wins, 3), [2 / 3, 1 / 6, 1 / 6]);
  });

  test("no players get no values, one player gets all, more than twelve are refused", () => {
    expect(shapley(() => 4, 0)).toEqual([]);
    expect(shapley((s) => (s === 1 ? 9 : 4), 1)).toEqual([5]);
    for (const players of [13, -1, 1.5, Number.NaN])
      expect(() => shapley(() => 0, players)).toThrow(RangeError);
  });
});

describe("the axioms", () => {
  const game = fc
    .integer({ min: 1, max: 6 })
    .chain((n) =>
      fc.tuple(
        fc.constant(n),
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 64, maxLength: 64 }),
      ),
    );
  const worthIn = (table: readonly number[]) => (s: number) => table[s] ?? 0;

  test("efficiency: the values sum to v(all) − v(∅), to 1e-9 relative", () => {
    fc.assert(
      fc.property(game, ([n, table]) => {
        const total = shapley(worthIn(table), n).reduce((sum, share) => sum + share, 0);
        const whole = worthIn(table)(2 ** n - 1) - worthIn(table)(0);
        expect(Math.abs(total - whole)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(whole)));
      }),
    );
  });

  test("definition: the mean marginal contribution over all orders of arrival", () => {
    fc.assert(
      fc.property(game, ([n, table]) => {
        fc.pre(n <= 4);
        const sums: number[] = new Array(n).fill(0);
        const orders = permutations(Array.from({ length: n }, (_, i) => i));
        for (const order of orders) {
          let present = 0;
          for (const player of order) {
            const joined = present | (1 << player);
            sums[player] = (sums[player] ?? 0) + worthIn(table)(joined) - worthIn(table)(present);
            present = joined;
          }
        }
        const means = sums.map((sum) => sum / orders.length);
        shapley(worthIn(table), n).forEach((share, i) => {
          expect(Math.abs(share - (means[i] ?? 0))).toBeLessThan(1e-6);
        });
      }),
    );
  });

  test("symmetry and dummy: equal players get equal values, a player that changes nothing gets 0", () => {
    fc.assert(
      fc.property(game, ([n, table]) => {
        // v depends on players n and n+1 only through how many of them are in, and not on player n+2.
        const v = (s: number) => worthIn(table)(s % 2 ** n) * (1 + members(s >> n, 2).length);
        const shares = shapley(v, n + 3);
        expect(Math.abs((shares[n] ?? 0) - (shares[n + 1] ?? 1))).toBeLessThan(1e-6);
        expect(shares[n + 2]).toBe(0);
      }),
    );
  });

  test("linearity: the values of a linear combination of games are that combination of their values", () => {
    fc.assert(
      fc.property(game, game, fc.integer({ min: -3, max: 3 }), ([n, one], [, two], factor) => {
        const sum = shapley((s) => worthIn(one)(s) + factor * worthIn(two)(s), n);
        const both = shapleyVector((s) => [worthIn(one)(s), worthIn(two)(s)], n);
        both.forEach(([a, b], i) => {
          expect(Math.abs((sum[i] ?? 0) - (a ?? 0) - factor * (b ?? 0))).toBeLessThan(1e-6);
        });
      }),
    );
  });
});

function permutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((first) =>
    permutations(values.filter((v) => v !== first)).map((rest) => [first, ...rest]),
  );
}
