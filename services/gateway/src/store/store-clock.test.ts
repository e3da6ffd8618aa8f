import { expect, test } from "@jest/globals";
import { StoreClock } from "./store-clock.ts";

test("a deadline is that of the sample that took the least time, and never later than it is here", () => {
  const clock = new StoreClock();
  const storeTime = 1_000_000 - performance.now();
  // Replies that were 40, 5 and 20 ms old when they arrived.
  for (const age of [40, 5, 20]) clock.observe(performance.now() + storeTime - age);
  const local = performance.now() + 2_500;
  expect(clock.at(local)).toBeLessThanOrEqual(local + storeTime);
  expect(clock.at(local)).toBeGreaterThan(local + storeTime - 15);
});

test("a sample that contradicts the others takes their place", () => {
  const clock = new StoreClock();
  clock.observe(performance.now() + 9_000_000);
  clock.reset(performance.now() + 1_000);
  const local = performance.now();
  expect(clock.at(local)).toBeLessThanOrEqual(local + 1_000);
});
