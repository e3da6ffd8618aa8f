import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { constraintsOfSlots } from "../constraint.ts";
import { compileSlots } from "../language/index.ts";
import { declareSlots } from "./compile-slots.ts";
import { constraintsOf, slotsOf } from "./constraints.ts";

const label = { en: "slot", ko: "슬롯" };
const slots = compileSlots(
  declareSlots({
    steps: {},
    goals: {},
    slots: {
      items: { kind: "entity", from: ["items"], label },
      region: { kind: "enum", from: ["items.region"], label },
      limit: { kind: "percent", reads: "most", label },
      floor: { kind: "money", reads: "least", label },
      move: { kind: "percent", reads: "change", label },
      goal: { kind: "choice", values: { profit: [], revenue: [] }, label },
      broken: { kind: "flag", label },
      top: { kind: "count", label },
      period: { kind: "date", label },
    },
  }),
);

test("what was said is data: names select, amounts have a unit and a direction", () => {
  const said = {
    items: ["A", "B"],
    region: "EMEA",
    limit: 0.05,
    floor: 50,
    move: -0.1,
    goal: "profit",
    top: 3,
  };
  expect(constraintsOf({ slots }, said)).toEqual([
    { slot: "items", op: "only", value: ["A", "B"] },
    { slot: "region", op: "only", value: "EMEA" },
    { slot: "limit", op: "set", value: 0.05, unit: "share", direction: "most" },
    { slot: "floor", op: "set", value: 50, unit: "money", direction: "least" },
    { slot: "move", op: "set", value: 0.1, unit: "share", direction: "down" },
    { slot: "goal", op: "set", value: "profit" },
    { slot: "top", op: "set", value: 3 },
  ]);
});

const anySlots = fc.record(
  {
    items: fc.array(fc.string(), { minLength: 1 }),
    region: fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 1 })),
    limit: fc.double({ min: 0, max: 1, noNaN: true }),
    move: fc.double({ min: -1, max: 1, noNaN: true }).filter((value) => !Object.is(value, -0)),
    broken: fc.boolean(),
    period: fc.string(),
    stranger: fc.integer(),
  },
  { requiredKeys: [] },
);

test("nothing of what was said is lost on the way to what is bound, also in orders of before", () => {
  fc.assert(
    fc.property(anySlots, (said) => {
      const plain = JSON.parse(JSON.stringify(said));
      expect(slotsOf({ slots }, constraintsOf({ slots }, plain))).toEqual(plain);
      expect(slotsOf({ slots }, constraintsOfSlots(plain))).toEqual(plain);
    }),
  );
});

test("limits of a part and in one direction are a constraint each, and come back as they were said", () => {
  const said = {
    limit: {
      limits: [
        { value: 0.05, scope: { region: ["EMEA"] } },
        { value: 0, way: "down" as const },
      ],
    },
    floor: { limits: [{ value: 50, scope: { items: ["A", "B"] } }] },
  };
  const constraints = constraintsOf({ slots }, said);
  expect(constraints).toEqual([
    { slot: "limit", op: "set", value: 0.05, unit: "share", direction: "most", scope: { region: ["EMEA"] } },
    { slot: "limit", op: "set", value: 0, unit: "share", direction: "down" },
    { slot: "floor", op: "set", value: 50, unit: "money", direction: "least", scope: { items: ["A", "B"] } },
  ]);
  expect(slotsOf({ slots }, constraints)).toEqual(said);
});

test.each([
  [[{ value: 0.07 }, { value: 0, way: "down" as const }]],
  [[{ value: 0, way: "down" as const }, { value: 0.07 }]],
])("a limit of everything beside one in a direction comes back, too", (limits) => {
  const said = { limit: { limits } };
  expect(slotsOf({ slots }, constraintsOf({ slots }, said))).toEqual(said);
});
