import { expect, test } from "@jest/globals";
import { GOALS, judge } from "./goals.ts";
import { MEASURES, measuresNamed } from "./measures/index.ts";
import { slopeOf } from "./soak.ts";

test("measures are chosen by name, and without a name it is all of them", () => {
  expect(measuresNamed(["paced", "burst"])).toMatchObject([{ name: "paced" }, { name: "burst" }]);
  expect(measuresNamed()).toEqual(MEASURES);
  expect(() => measuresNamed(["nothing"])).toThrow('no measure "nothing"');
});

test("every goal names a measure that exists", () => {
  const names = MEASURES.map(({ name }) => name);
  for (const { measure } of GOALS) expect(names).toContain(measure);
});

test.each([
  ["more", 10, 20, ["missed", "reached", "superb"]],
  ["less", 10, 5, ["superb", "reached", "missed"]],
] as const)("%s is better", (better, must, superb, verdicts) => {
  expect([4, 10, 20].map((value) => judge({ better, must, superb }, value))).toEqual(verdicts);
});

test("a leak shows over the second half of a soak, a single spike does not", () => {
  const minutes = Array.from({ length: 40 }, (_, index) => index / 4);
  expect(slopeOf(minutes.map((minute) => [minute, 100 + 2 * minute]))).toBe(2);
  expect(slopeOf(minutes.map((minute, index) => [minute, index === 30 ? 200 : 100]))).toBe(0);
});
