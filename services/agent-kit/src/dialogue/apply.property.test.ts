import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type ApplyParts, apply, missingOf } from "./apply.ts";
import { freshState, MAX_QUEUE, settled, stateReader } from "./state.ts";
import type { Operation, Slot, SlotValues } from "./types.ts";

const label = { en: "x", ko: "x" };
const text: Slot<SlotValues> = {
  label,
  ask: label,
  check: (raw) =>
    typeof raw === "string" && raw !== "" ? { value: raw.trim().slice(0, 50) } : { problem: "no" },
};
const number: Slot<SlotValues> = {
  ...text,
  optional: true,
  check: (raw) =>
    Number.isInteger(raw) ? { value: Number(raw) } : { question: "which?", choices: ["1", "2"] },
};
const parts: ApplyParts = { slots: { name: text, count: number }, locale: "en", now: new Date(0) };
const readState = stateReader(["name", "count"]);

const slot = fc.constantFrom("name", "count", "unknown", "__proto__");
const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant({}));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ op: fc.constant("set" as const), slot, value }),
  fc.record({ op: fc.constant("clear" as const), slot }),
  fc.record({ op: fc.constant("clear" as const), queued: fc.integer({ min: -1, max: 25 }) }),
  fc.record({ op: fc.constant("add" as const), values: fc.dictionary(slot, value) }),
  fc.constant({ op: "next" as const }),
);
const operations = fc.array(operation, { maxLength: 60 });

test("whatever operations come, the state stays one that can be read back, and its queue bounded", () => {
  fc.assert(
    fc.property(operations, (all) => {
      const { state } = apply(parts, freshState("en", ["name"]), all);
      const next = settled(state, missingOf(parts.slots, state.slots));
      expect(readState(JSON.parse(JSON.stringify(next)))).toEqual(next);
      expect(state.queue.length).toBeLessThanOrEqual(MAX_QUEUE);
      expect(next.stage === "READY").toBe(state.slots.name !== undefined);
    }),
  );
});

test("operations one by one come to what they come to together, and change nothing of the state before", () => {
  fc.assert(
    fc.property(operations, (all) => {
      const before = freshState("en", ["name"]);
      const copy = structuredClone(before);
      let state = before;
      for (const one of all) state = apply(parts, state, [one]).state;
      expect(apply(parts, before, all).state).toEqual(state);
      expect(before).toEqual(copy);
    }),
  );
});

test("no task gets lost: each is the current one, waits, was left behind by next, or was dropped", () => {
  fc.assert(
    fc.property(operations, (all) => {
      const { state } = apply(parts, freshState("en", ["name"]), all);
      expect(state.index + state.queue.length).toBe(state.total);
    }),
  );
});

test("saying the same again changes nothing", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ op: fc.constant("set" as const), slot, value }), { maxLength: 5 }),
      (sets) => {
        const last = [...new Map(sets.map((one) => [one.slot, one])).values()];
        const { state } = apply(parts, freshState("en", ["name"]), last);
        expect(apply(parts, state, last).changed).toBe(false);
      },
    ),
  );
});
