import { expect, test } from "@jest/globals";
import { maxAgeOf } from "./max-age.ts";

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ["no-cache", 0],
  ["No-Store", 0],
  ["max-age=60", 60_000],
  ["private, max-age=0", 0],
  ["max-age=60, no-cache", 0],
  ["max-stale=60", undefined],
  ["max-age=-1", undefined],
])("Cache-Control: %s", (header, expected) => {
  const headers = header === undefined ? {} : { "cache-control": header };
  expect(maxAgeOf({ headers })).toBe(expected);
});
