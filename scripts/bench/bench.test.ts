import { expect, test } from "@jest/globals";
import { GOALS, judge } from "./goals.ts";
import { MEASURES } from "./measures/index.ts";
import { readOptions } from "./options.ts";
import { readRows } from "./peers/peers.ts";
import { slopeOf } from "./soak/soak.ts";

test("no arguments mean every measure, three times", () => {
  expect(readOptions([])).toMatchObject({
    measures: MEASURES,
    repetitions: 3,
    peers: false,
    soak: undefined,
  });
});

test("some measures, or something else in their place", () => {
  const some = readOptions(["--measure", "paced,burst", "--reps", "5"]);
  expect(some).toMatchObject({ measures: [{ name: "paced" }, { name: "burst" }], repetitions: 5 });
  expect(readOptions(["--soak", "10"])).toMatchObject({ measures: [], soak: 10 });
  expect(() => readOptions(["--measure", "nothing"])).toThrow('no measure "nothing"');
  expect(() => readOptions(["--reps", "0"])).toThrow("--reps");
});

test("every goal names a measure that there is, and more is judged the other way round than less", () => {
  const names = MEASURES.map(({ name }) => name);
  for (const { measure } of GOALS) expect(names).toContain(measure);
  const goal = { measure: "x", value: "x", title: "x", unit: "", must: 10, superb: 20 } as const;
  expect([5, 10, 20].map((value) => judge({ ...goal, better: "more" }, value))).toEqual([
    "missed",
    "reached",
    "superb",
  ]);
  expect(
    [25, 20, 10].map((value) => judge({ ...goal, must: 20, superb: 10, better: "less" }, value)),
  ).toEqual(["missed", "reached", "superb"]);
});

test("of each repetition the calmest try counts, and failures never", () => {
  const row = (rep: number, foreign: number, rps: number, bad = 0) =>
    JSON.stringify({ target: "direct", measure: "sync", rep, foreign, rps, bad });
  const text = [row(1, 0.5, 1), row(1, 0.1, 100), row(2, 0, 200), row(3, 0, 9, 4)].join("\n");
  expect(readRows(text, ["direct"])).toMatchObject([{ target: "direct", measures: { sync: { rps: 150 } } }]);
});

test("a leak shows over the second half, a single spike does not", () => {
  const minutes = Array.from({ length: 40 }, (_, index) => index / 4);
  expect(slopeOf(minutes.map((minute) => [minute, 100 + 2 * minute]))).toBe(2);
  expect(slopeOf(minutes.map((minute, index) => [minute, index === 30 ? 200 : 100]))).toBe(0);
});
