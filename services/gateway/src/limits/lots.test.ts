import { expect, test } from "@jest/globals";
import { Lots } from "./lots.ts";

const given = (lots: Lots): number => {
  let count = 0;
  while (lots.take("key")) count += 1;
  return count;
};

test("lots of one window add up", () => {
  const lots = new Lots();
  lots.add("key", { left: 3, shared: 10, ms: 60_000 });
  lots.add("key", { left: 4, shared: 6, ms: 60_000 });
  expect(given(lots)).toBe(7);
  expect(lots.has("key")).toBe(false);
});

test("what is left of a window is not given out in the next one", () => {
  const lots = new Lots();
  lots.add("key", { left: 3, shared: 10, ms: 5_000 });
  lots.add("key", { left: 4, shared: 96, ms: 65_000 });
  expect(given(lots)).toBe(4);
});
