import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { depthOf } from "./json.ts";

const depth = (json: string, limit = 1_000) => depthOf(Buffer.from(json), limit);

describe("the depth of a JSON text", () => {
  test.each([
    ["1", 0],
    ["[]", 1],
    ['{"a":[{"b":1}],"c":[]}', 3],
    ['"[[[["', 0],
    ['["\\"[[", "\\\\", []]', 2],
    ["[[[", 3],
    ["]]]", 0],
    ['"[', 0],
    ["", 0],
  ])("%s: %i", (json, expected) => expect(depth(json)).toBe(expected));

  test("is counted no further than it has to be", () => {
    expect(depth("[".repeat(1_000_000), 32)).toBe(33);
  });

  test("is that of the value, whatever its texts hold", () => {
    const deepness = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(deepness))
        : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(depth(JSON.stringify(value))).toBe(deepness(value));
      }),
      { numRuns: 300 },
    );
  });
});
