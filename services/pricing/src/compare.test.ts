import { describe, expect, test } from "@jest/globals";
import { atLeast, atMost, gapHolds, orderHolds, same } from "./compare.ts";

describe("comparing decimal prices", () => {
  test("a gap exactly at the minimum passes, one cent less fails, at every cent price", () => {
    for (const percent of [1, 2, 3, 4, 5, 7.5, 10]) {
      for (let euros = 1; euros <= 2000; euros++) {
        const lower = (euros * (1000 - percent * 10)) / 1000;
        const written = Number(lower.toFixed(4));
        expect(gapHolds(euros, written, percent / 100)).toBe(true);
        expect(gapHolds(euros, Number((written + 0.0001).toFixed(4)), percent / 100)).toBe(false);
      }
    }
  });

  test("strict ordering is one increment apart; with increment 0 equal prices are in order", () => {
    expect(orderHolds(0.3, 0.2, 0.1)).toBe(true);
    expect(orderHolds(10, 9.995, 0.01)).toBe(false);
    expect(orderHolds(10, 10, 0.01)).toBe(false);
    expect(orderHolds(1e10, 1e10, 0.01)).toBe(false);
    expect(orderHolds(19.99, 19.98, 0.01)).toBe(true);
    expect(orderHolds(10, 10, 0)).toBe(true);
    expect(orderHolds(10, 10.01, 0)).toBe(false);
  });

  test("infinities compare as the largest and the smallest price", () => {
    const far = Number.POSITIVE_INFINITY;
    expect([atMost(5, far), atMost(far, far), atMost(-far, 5), atMost(5, -far), atMost(far, 5)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("comparisons with NaN are false", () => {
    expect([atMost(Number.NaN, 1), atLeast(1, Number.NaN), same(Number.NaN, Number.NaN)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
