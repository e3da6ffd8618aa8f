import { describe, expect, test } from "@jest/globals";
import { checks } from "../src/checks/index.ts";
import { rules } from "../src/rules.ts";

/**
 * The frozen rules of contract version 1. Rules may be added, but never renamed, removed or moved to another level,
 * because agents, baselines and reports refer to them.
 */
const FROZEN = {
  MUST: [
    ...numbered("HTTP", 1, 2),
    "AC1-RUN-001",
    ...numbered("SYNC", 1, 9),
    ...numbered("STREAM", 1, 16),
    ...numbered("REFUSE", 1, 9),
    ...numbered("LEAK", 1, 2),
  ],
  SHOULD: [
    ...numbered("RUN", 2, 7),
    ...numbered("STREAM", 17, 20),
    ...numbered("REFUSE", 10, 16),
    ...numbered("HEALTH", 1, 2),
    ...numbered("CARD", 1, 2),
  ],
} as const;

function numbered(group: string, from: number, to: number): string[] {
  return Array.from(
    { length: to - from + 1 },
    (_, at) => `AC1-${group}-${String(from + at).padStart(3, "0")}`,
  );
}

test.each(["MUST", "SHOULD"] as const)("the %s rules of version 1 are the frozen ones", (level) => {
  const ids = rules.filter((rule) => rule.level === level).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(FROZEN[level].toSorted());
});

describe("rules and checks", () => {
  test("every rule has exactly one check, and every check a rule", () => {
    expect(checks.map(({ rule }) => rule).toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  });

  test("every rule says what it is, in a few words and in a sentence, and how to mend it", () => {
    for (const { title, text, hint } of rules) {
      expect(title.length).toBeLessThan(60);
      expect(text).toMatch(/[.}]$/);
      expect(hint.length).toBeGreaterThan(20);
    }
  });
});
