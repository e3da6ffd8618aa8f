import { describe, expect, test } from "@jest/globals";
import { normal } from "../../test/families.ts";
import { makeRng } from "../stats/index.ts";
import { chanceAbove, effectiveCount, halfWidth } from "./bands.ts";

const DRAWS = 1500;

describe("the half width", () => {
  test("is the order statistic that a new error stays within with the probability", () => {
    const errors = Array.from({ length: 19 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (i + 1));
    expect(halfWidth(errors, 0.95, 19)).toBe(19);
    expect(halfWidth(errors, 0.8, 19)).toBe(16);
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

test("errors that go together count for few, those that do not for all", () => {
  const random = makeRng(5);
  const noise = Array.from({ length: 60 }, () => normal(random));
  const overlapping = noise.slice(9).map((_, i) => noise.slice(i, i + 10).reduce((sum, x) => sum + x, 0));
  expect(effectiveCount(noise, 1)).toBe(60);
  expect(effectiveCount(noise, 10)).toBeGreaterThan(30);
  expect(effectiveCount(overlapping, 10)).toBeLessThan(15);
  expect(effectiveCount([0, 0, 0], 3)).toBe(3);
});

test("a chance falls with the slack, is never certain, and is one half for none", () => {
  const chances = [-50, -1, 0, 1, 50].map((slack) => chanceAbove(slack, [-2, -1, 1, 2], 4));
  expect(chances).toEqual(chances.toSorted((a, b) => b - a));
  expect(chances[2]).toBeCloseTo(0.5, 6);
  expect([chanceAbove(-1, [0, 0], 2), chanceAbove(1, [0, 0], 2)]).toEqual([1, 0]);
});
