import { describe, expect, test } from "@jest/globals";
import { failure } from "./outcome.ts";
import { parseRetryAfter, refusal } from "./refusal.ts";
import { retryPause } from "./retry.ts";

const failed = failure("worker", "upstream_unavailable", "http_500", "always");

describe("the pause before a retry", () => {
  const rules = { retries: 20, backoffMs: 100, keyed: true, random: () => 0.5 };

  test("is drawn below a bound that doubles, up to 30 s", () => {
    const pauses = [1, 2, 3, 20].map((attempts) => retryPause(failed, attempts, 60_000, rules));
    expect(pauses).toEqual([50, 100, 200, 15_000]);
    expect(retryPause(failed, 1, 60_000, { ...rules, random: () => 0 })).toBe(0);
  });

  test("comes on top of what the agent asks for", () => {
    const busy = refusal("worker", 503, "2", undefined);
    expect(retryPause(busy, 1, 60_000, rules)).toBe(2_050);
  });

  test("is not begun when it would outlast the time left or the attempts allowed", () => {
    expect(retryPause(failed, 1, 50, rules)).toBeUndefined();
    expect(retryPause(failed, 21, 60_000, rules)).toBeUndefined();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2030-01-01T00:00:00Z");
  test.each([
    ["7", 7_000],
    ["0", 0],
    ["Tue, 01 Jan 2030 00:00:09 GMT", 9_000],
    ["Tue, 01 Jan 2019 00:00:09 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("%s is %s ms", (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});
