import { describe, expect, test } from "@jest/globals";
import { JsonScan } from "./index.ts";

const LIMITS = {
  maxDepth: 4,
  maxValues: 10,
  maxMembers: 3,
  maxNameBytes: 5,
  maxTextBytes: 8,
  maxGapBytes: 6,
};

/** Looks at a text at once, and in steps of one byte: both find the same. */
function excessOf(text: string): string {
  const bytes = Buffer.from(text);
  const whole = new JsonScan(LIMITS).advance(bytes, bytes.length);
  const scan = new JsonScan(LIMITS);
  let inSteps: string | undefined;
  for (let to = 1; to <= bytes.length && inSteps === undefined; to++) inSteps = scan.advance(bytes, to);
  expect(inSteps).toBe(whole);
  return whole ?? "none";
}

describe("a JSON text is judged before it is parsed", () => {
  test.each([
    ["[[[[1]]]]", "none"],
    ["[[[[[", "too_deep"],
    ["[1,2,3,4,5,6,7,8,9,10]", "none"],
    ["[1,2,3,4,5,6,7,8,9,10,11]", "too_many_values"],
    ['{"a":1,"b":2,"c":3}', "none"],
    ['{"a":1,"b":2,"c":3,"d":4}', "too_many_members"],
    // Each object has its own, and an array has no members.
    ['{"a":{"a":1,"b":2},"b":[1,2,3],"c":3}', "none"],
    ['[{"a":1},{"a":1}]', "none"],
    ['{"a":{"b":1},"c":2,"d":3,"e":4}', "too_many_members"],
    ['{"abcde":"abcdefgh"}', "none"],
    ['{"abcdef":1}', "long_name"],
    ['{"abcdef" : 1}', "long_name"],
    ['{"a":"abcdefghi"}', "long_text"],
    ['["\\"\\"\\"\\"\\""]', "long_text"],
    ['["a,b:[{", "]"]', "none"],
    ["[123456]", "none"],
    ["[12345678]", "long_gap"],
    ["[       1]", "long_gap"],
  ])("%s: %s", (text, excess) => {
    expect(excessOf(text)).toBe(excess);
  });

  test("what is no JSON is left to the parser", () => {
    for (const text of ["", "}", "]]]]]]", ":", '"', '{"a"', ",,,"]) expect(excessOf(text)).toBe("none");
  });
});
