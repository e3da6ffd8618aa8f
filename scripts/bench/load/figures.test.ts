import { expect, test } from "@jest/globals";
import { median, spreadOf } from "./figures.ts";

test("percentiles of values in any order", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(spreadOf(values)).toEqual({ p50: 51, p95: 96, p99: 100 });
  expect(spreadOf([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
});

test("the median of an even number of values lies between the two in the middle", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});
