import { describe, expect, test } from "@jest/globals";
import { normal } from "../../test/families.ts";
import { makeRng } from "../stats/index.ts";
import { chanceAbove, halfWidth, independentCount } from "./bands.ts";

const DRAWS = 1500;

describe("the half width", () => {
  test("is the order statistic that a new error stays within with the probability", () => {
    const errors = Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? 10 + i : 0.1));
    // 80 % of 21 errors: the seventeenth in size.
    expect(halfWidth(errors, 0.8, 20)).toBe(14);
  });

  test("is wider where a few errors were much larger than the rest", () => {
    const errors = Array.from({ length: 20 }, (_, i) => (i === 0 ? 100 : 1));
    expect(halfWidth(errors, 0.8, 20)).toBeGreaterThan(20);
  });

  test("is Student's t where few errors have no such quantile", () => {
    expect(halfWidth([1, -1, 1], 0.95, 3)).toBeCloseTo(4.3027 * Math.sqrt(4 / 3), 3);
  });

  test("covers new errors as often as it says, few or many", () => {
    const random = makeRng(11);
    for (const n of [3, 8, 25]) {
      for (const level of [0.8, 0.95]) {
        const within = Array.from({ length: DRAWS }, () => {
          const errors = Array.from({ length: n }, () => normal(random));
          return Math.abs(normal(random)) <= halfWidth(errors, level, n) ? 1 : 0;
        }).reduce((sum: number, one) => sum + one, 0);
        expect(within / DRAWS).toBeGreaterThan(level - 0.03);
      }
    }
  });
});

test("only forecasts that lie side by side are independent", () => {
  expect(independentCount(60, 1, 1)).toBe(60);
  expect(independentCount(61, 1, 30)).toBe(3);
  expect(independentCount(10, 5, 1)).toBe(10);
  expect(independentCount(1, 1, 30)).toBe(1);
});

test("a chance falls with the slack, is never certain, and is one half for none", () => {
  const chances = [-50, -1, 0, 1, 50].map((slack) => chanceAbove(slack, [-2, -1, 1, 2], 4));
  expect(chances).toEqual(chances.toSorted((a, b) => b - a));
  expect(chances[2]).toBeCloseTo(0.5, 6);
  expect([chanceAbove(-1, [0, 0], 2), chanceAbove(1, [0, 0], 2)]).toEqual([1, 0]);
});
