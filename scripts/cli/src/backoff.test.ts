import { expect, test } from "@jest/globals";
import { Backoff } from "./backoff.ts";

test("rests twice as long after each end, half a minute at most, and shortly again after a long run", () => {
  const backoff = new Backoff();
  const rests = Array.from({ length: 8 }, () => backoff.rest(10));
  expect(rests).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect([backoff.rest(60_000), backoff.rest(10)]).toEqual([500, 1_000]);
});
