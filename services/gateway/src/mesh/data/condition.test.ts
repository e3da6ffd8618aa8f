import { expect, test } from "@jest/globals";
import { JsonText } from "../../json-text.ts";
import { ConditionError, compileCondition, tellCondition } from "./condition.ts";
import type { LargeReader } from "./large-reader.ts";

const ROOTS = ["outputs", "steps"];

/** As the process for large values does, in this one. */
const large: Pick<LargeReader, "holds"> = {
  holds: async (source, roots, data) =>
    tellCondition(
      source,
      roots,
      JSON.parse(JSON.stringify(data, (_, value) => (value instanceof JsonText ? value.value : value))),
    ),
};

const tell = (source: string, context: Record<string, unknown>) =>
  compileCondition(source, ROOTS, large).holds(context);

const OUTPUTS = {
  passed: false,
  count: 3,
  share: 0.07,
  kind: "fix",
  items: [
    { id: "a", change: 0.02, tiers: [{ price: 5 }] },
    { id: "b", change: -0.09, tiers: [{ price: 7 }, { price: 9 }] },
  ],
};

test.each([
  ["outputs.passed == false && size(outputs.items) > 0", true],
  ["!outputs.passed && outputs.count >= 3", true],
  ["outputs.share * 100.0 > 7.5", false],
  ['outputs.kind in ["fix", "none"]', true],
  ["has(outputs.gone) && outputs.gone > 1", false],
  ["outputs.items.exists(i, i.change > 0.05 || i.change < -0.05)", true],
  ["outputs.items.all(i, i.tiers.exists(t, t.price > 6))", false],
  ["outputs.items.all(i, i.id != outputs.kind)", true],
  ["outputs.items[0].id == 'a'", true],
  ["has(steps.check) ? outputs.passed : true", true],
  ["has(steps.check) && steps.check.outputs.passed", false],
  ["outputs.count == 3 && outputs.count > 2.5", true],
  ["size(outputs.items) - 1 > 0", true],
])("%s is %s", async (source, is) => {
  expect(await tell(source, { outputs: OUTPUTS, steps: {} })).toBe(is);
  // The same of text that was not parsed.
  const text = new JsonText(JSON.stringify(OUTPUTS));
  expect(await tell(source, { outputs: text, steps: {} })).toBe(is);
});

test("a member that is missing, or that is of another kind, is told as what it is, and never as false", async () => {
  for (const source of ["outputs.gone", "outputs.gone == 1", "outputs.kind > 3", "outputs.kind"])
    await expect(tell(source, { outputs: OUTPUTS, steps: {} })).rejects.toThrow(ConditionError);
  await expect(tell("outputs.kind > 3", { outputs: { kind: "a secret" } })).rejects.not.toThrow(/secret/);
});

test.each([
  ["outputs.passed.matches('a+')", "`.matches()`"],
  ["outputs.items.map(i, i.id) == []", "`.map()`"],
  ["outputs.items.filter(i, i.id == 'a').size() > 0", "size()"],
  ["outputs.kind in outputs.items", "`in`"],
  ["outputs.items.all(i, outputs.items.exists(j, j.id == i.id))", "for each element of another one"],
  ["outputs.items.all(i, i.tiers.all(t, t.x.all(u, u > 1)))", "a list within a list within a list"],
  ["outputs.items[outputs.count].id == 'a'", "an index that is not written out"],
  ["request.message == 'x'", "request"],
  ["{'a': 1}.size() > 0", ""],
  ["timestamp('2026-01-01T00:00:00Z') < timestamp('2027-01-01T00:00:00Z')", "`timestamp()`"],
  ["'text'", "true or false"],
  ["outputs.count * 100 > 7", "write 100.0 for 100"],
  ["outputs.count % 2 == 0", "`%`"],
  ["outputs.passed ==", ""],
  [`outputs.kind == '${"x".repeat(1_000)}'`, "1000 characters"],
  [Array.from({ length: 120 }, () => "outputs.passed").join(" && "), ""],
  [`${"(".repeat(30)}outputs.passed${")".repeat(30)}`, ""],
])("%s is refused", (source, why) => {
  expect(() => compileCondition(source, ROOTS, large)).toThrow(SyntaxError);
  expect(() => compileCondition(source, ROOTS, large)).toThrow(why);
});

test("a list of more elements than a condition goes through is refused, and so is a large value beside each element", async () => {
  const items = Array.from({ length: 10_001 }, (_, n) => n);
  await expect(tell("outputs.items.exists(i, i == -1)", { outputs: { items } })).rejects.toThrow(
    "10000 elements",
  );
  const own = { items: [1], other: items };
  await expect(
    tell("outputs.items.exists(i, outputs.other == outputs.other)", { outputs: own }),
  ).rejects.toThrow(ConditionError);
});

test("what is asked for within something that is missing cannot be told; the outer one is asked for first", async () => {
  const context = { outputs: OUTPUTS, steps: {} };
  await expect(tell("has(steps.check.outputs.passed)", context)).rejects.toThrow(ConditionError);
  expect(await tell("has(steps.check) && has(steps.check.outputs.passed)", context)).toBe(false);
  const steps = { "re-check": { outputs: { passed: true } } };
  expect(await tell('steps["re-check"].outputs.passed', { outputs: OUTPUTS, steps })).toBe(true);
});
