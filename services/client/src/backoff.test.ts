import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { RetryBudget, retryAfterMs } from "./backoff.ts";

const POLICY = { maxAttempts: 6, maxElapsedMs: 100_000, minDelayMs: 100, maxDelayMs: 1_000 };

function clock(random: () => number, now: () => number = () => 0) {
  return { now, random };
}

function delays(budget: RetryBudget, atLeastMs = 0) {
  const all: number[] = [];
  for (let delay = budget.next(atLeastMs); delay !== undefined; delay = budget.next(atLeastMs))
    all.push(delay);
  return all;
}

describe("a retry budget", () => {
  test("doubles the delay up to its maximum, and draws each delay from the upper half", () => {
    expect(
      delays(
        new RetryBudget(
          POLICY,
          clock(() => 0),
        ),
      ),
    ).toEqual([50, 100, 200, 400, 500, 500]);
    expect(
      delays(
        new RetryBudget(
          POLICY,
          clock(() => 1),
        ),
      ),
    ).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  test("never waits less than the server asked for, and adds jitter to it", () => {
    const wait = (random: number) =>
      new RetryBudget(
        POLICY,
        clock(() => random),
      ).next(3_000);
    expect([wait(0), wait(0.5), wait(1)]).toEqual([3_000, 3_050, 3_100]);
  });

  test("gives up rather than start a delay that would exceed the time limit", () => {
    let now = 0;
    const budget = new RetryBudget(
      { ...POLICY, maxElapsedMs: 1_000 },
      clock(
        () => 0,
        () => now,
      ),
    );
    expect(budget.next()).toBe(50);
    now = 900;
    expect(budget.next()).toBe(100);
    now = 1_000;
    expect(budget.next()).toBeUndefined();
    expect(
      new RetryBudget(
        POLICY,
        clock(() => 0),
      ).next(200_000),
    ).toBeUndefined();
  });

  test("starts over after progress", () => {
    let now = 0;
    const budget = new RetryBudget(
      { ...POLICY, maxAttempts: 1 },
      clock(
        () => 0,
        () => now,
      ),
    );
    expect(budget.next()).toBe(50);
    expect(budget.next()).toBeUndefined();
    now = 1e9;
    budget.reset();
    expect([budget.next(), budget.attempts]).toEqual([50, 1]);
  });

  test("always ends, within its limits of attempts, time and delay", () => {
    const policies = fc.record({
      maxAttempts: fc.integer({ min: 0, max: 50 }),
      maxElapsedMs: fc.integer({ min: 0, max: 1e6 }),
      minDelayMs: fc.integer({ min: 0, max: 1e4 }),
      maxDelayMs: fc.integer({ min: 0, max: 1e5 }),
    });
    const draws = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(policies, fc.integer({ min: 0, max: 1e6 }), draws, (policy, atLeastMs, random) => {
        let now = 0;
        let drawn = 0;
        const budget = new RetryBudget(policy, {
          now: () => now,
          random: () => random[drawn++ % random.length] ?? 0,
        });
        let attempts = 0;
        for (let delay = budget.next(atLeastMs); delay !== undefined; delay = budget.next(atLeastMs)) {
          expect(delay).toBeGreaterThanOrEqual(atLeastMs);
          expect(delay).toBeLessThanOrEqual(Math.max(policy.maxDelayMs, atLeastMs + policy.minDelayMs));
          now += delay;
          attempts++;
        }
        expect(attempts).toBeLessThanOrEqual(policy.maxAttempts);
        expect(now).toBeLessThanOrEqual(policy.maxElapsedMs);
      }),
    );
  });
});

test.each([
  [null, undefined],
  ["", undefined],
  ["soon", undefined],
  ["-1", undefined],
  ["0", 0],
  ["120", 120_000],
  ["Fri, 02 Jan 2026 03:04:10 GMT", 5_000],
  ["Fri, 02 Jan 2026 03:04:00 GMT", 0],
])("Retry-After %p is %p", (header, ms) => {
  expect(retryAfterMs(header, Date.parse("2026-01-02T03:04:05Z"))).toBe(ms);
});
