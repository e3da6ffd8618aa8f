import { expect, test } from "@jest/globals";
import { Breaker, type BreakerOptions } from "./breaker.ts";

const opened = (recovery: BreakerOptions["recovery"], restMs = 0): Breaker => {
  const breaker = new Breaker({ failures: 2, restMs, recovery });
  const permit = breaker.enter();
  permit?.end("failed");
  permit?.end("unknown");
  permit?.end("failed");
  expect(breaker.state).toBe("open");
  return breaker;
};

test("without a health check, a single request goes through after the rest", () => {
  const breaker = opened("request");
  const trial = breaker.enter();
  expect([breaker.enter(), breaker.refuses]).toEqual([undefined, true]);
  trial?.end("ok");
  expect(breaker.state).toBe("closed");
  expect(opened("request", 600_000).enter()).toBeUndefined();
});

test("a single request that says nothing leaves the decision to the next one", () => {
  const breaker = opened("request");
  breaker.enter()?.end("unknown");
  expect(breaker.state).toBe("open");
  breaker.enter()?.end("failed");
  expect(breaker.state).toBe("open");
  breaker.enter()?.end("ok");
  expect(breaker.state).toBe("closed");
});

test("with a health check, no request goes through before it, and every one after it", () => {
  const breaker = opened("health_check");
  expect(breaker.enter()).toBeUndefined();
  breaker.ready();
  expect([breaker.enter(), breaker.enter()]).not.toContain(undefined);
  breaker.enter()?.end("unknown");
  expect(breaker.state).toBe("half_open");
  breaker.enter()?.alive();
  expect(breaker.state).toBe("closed");
});

test("a request that was sent before it opened says nothing when it ends", () => {
  const breaker = new Breaker({ failures: 1, restMs: 0, recovery: "request" });
  const [late, first] = [breaker.enter(), breaker.enter()];
  first?.end("failed");
  const trial = breaker.enter();
  late?.end("failed");
  late?.end("ok");
  expect(breaker.state).toBe("half_open");
  trial?.end("ok");
  expect(breaker.state).toBe("closed");
});
