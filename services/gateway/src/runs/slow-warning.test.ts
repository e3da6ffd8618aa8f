import { mock } from "node:test";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { emptyJournal, type Journal } from "../store/index.ts";
import { warnWhenSlow } from "./slow-warning.ts";

beforeEach(() => mock.timers.enable());
afterEach(() => mock.timers.reset());

const AFTER = 10_000;

/** Waits for a warning. @returns how many there were, and what stops the wait */
function waiting(held: { journal?: Partial<Journal>; waitedMs?: number } = {}) {
  let warnings = 0;
  const run = {
    warn() {
      warnings += 1;
      return undefined;
    },
  };
  const journal = { ...emptyJournal(), ...held.journal };
  const stop = warnWhenSlow({ run, journal, waitedMs: held.waitedMs }, AFTER);
  return { stop, warnings: () => warnings };
}

test("a turn that takes too long is warned of once", () => {
  const { warnings } = waiting();
  mock.timers.tick(AFTER - 1);
  expect(warnings()).toBe(0);
  mock.timers.tick(10 * AFTER);
  expect(warnings()).toBe(1);
});

test("one that ends before is not", () => {
  const { stop, warnings } = waiting();
  stop();
  mock.timers.tick(2 * AFTER);
  expect(warnings()).toBe(0);
});

test("the time under an earlier holder, or in the queue, counts", () => {
  const { warnings } = waiting({ waitedMs: AFTER - 5 });
  mock.timers.tick(5);
  expect(warnings()).toBe(1);
});

test("an earlier holder's warning is not repeated", () => {
  const { warnings } = waiting({ waitedMs: AFTER, journal: { warned: true } });
  mock.timers.tick(2 * AFTER);
  expect(warnings()).toBe(0);
});

test("the time for which the run waited for a decision does not count", () => {
  const decided = { approval_id: "a", decision: "approved", by: "lee" } as const;
  const { warnings } = waiting({ waitedMs: 100 * AFTER, journal: { decisions: { publish: decided } } });
  mock.timers.tick(AFTER - 1);
  expect(warnings()).toBe(0);
  mock.timers.tick(1);
  expect(warnings()).toBe(1);
});
