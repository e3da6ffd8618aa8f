import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { TurnEntry } from "../../store/index.ts";
import { cutOf, turnsOf } from "./turns.ts";

const AT = "2026-01-15T09:30:00.000Z";

/** `u1` is what the user says in the first turn, `a1` an answer to it. */
function entries(...names: string[]): TurnEntry[] {
  return names.map((name) => {
    const common = { run_id: name.slice(1), text: name, at: AT };
    return name.startsWith("u")
      ? { role: "user", ...common }
      : { role: "assistant", status: "ok", ...common };
  });
}

const cut = (names: string[], keep: number, active?: string) =>
  cutOf(turnsOf(entries(...names)), keep, active);

test("a turn is what its run has said, wherever its entries stand", () => {
  expect(turnsOf(entries("u1", "u2", "a1", "a2", "a1"))).toEqual([
    { runId: "1", user: "u1", answers: ["a1", "a1"], first: 0, last: 4 },
    { runId: "2", user: "u2", answers: ["a2"], first: 1, last: 3 },
  ]);
});

describe("the cut", () => {
  test("keeps the latest turns", () => {
    expect(cut(["u1", "a1", "u2", "a2", "u3", "a3"], 2)).toBe(2);
    expect(cut(["u1", "a1", "u2", "a2"], 2)).toBe(0);
    expect(cut([], 2)).toBe(0);
  });

  test("keeps a turn that is under way, and all behind it", () => {
    expect(cut(["u1", "a1", "u2", "u3", "u4"], 1, "2")).toBe(2);
  });

  test("does not wait for a turn that nobody carries on", () => {
    expect(cut(["u1", "u2", "a2", "u3", "a3"], 1)).toBe(3);
  });

  test("parts no turn whose entries are mixed with others", () => {
    expect(cut(["u1", "u2", "a1", "a2", "u3", "a3"], 2)).toBe(0);
    expect(cut(["u1", "a1", "u2", "u3", "a2", "a3"], 1)).toBe(2);
  });

  test("has whole turns alone on either side, and as few of the kept ones as asked for before it", () => {
    const order = fc.array(fc.tuple(fc.constantFrom("u", "a"), fc.integer({ min: 1, max: 6 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 4 }), (said, keep) => {
        const turns = turnsOf(entries(...said.map(([side, run]) => `${side}${run}`)));
        const at = cutOf(turns, keep, undefined);
        for (const { first, last } of turns) expect(first < at && last >= at).toBe(false);
        expect(turns.slice(Math.max(0, turns.length - keep)).every(({ first }) => first >= at)).toBe(true);
      }),
    );
  });
});
