import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { findMembers as looked } from "./json-members.ts";
import { atOnce } from "./turns.ts";

const findMembers = (json: string) => atOnce(looked(json));

test("the members of an object are found in its text, however it is written", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("outputs", 'a"b', "\\", "{", '\\"'));
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), fc.constantFrom(undefined, 2), (members, indent) => {
      const json = JSON.stringify(members, null, indent);
      const found = [...findMembers(json).spans].map(([key, span]) => [key, JSON.parse(json.slice(...span))]);
      expect(found).toEqual(Object.entries(JSON.parse(json)).toSorted(byOrderIn(found)));
    }),
  );
});

test("of members with the same name the last counts, as for JSON.parse", () => {
  const json = '{"outputs":{"n":1}, "out\\u0070uts" : [2] ,"x":"}"}';
  expect([...findMembers(json).spans].map(([name, span]) => [name, json.slice(...span)])).toEqual([
    ["outputs", "[2]"],
    ["x", '"}"'],
  ]);
});

test("the depth of an object is that of its deepest value", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
      const json = JSON.stringify(members);
      expect(findMembers(json).depth).toBe(depthOf(JSON.parse(json)));
    }),
  );
});

/** Objects have members with numbers for names first, whatever their text says. */
function byOrderIn(found: readonly (readonly unknown[])[]) {
  const names = found.map(([name]) => name);
  return ([a]: [string, unknown], [b]: [string, unknown]) => names.indexOf(a) - names.indexOf(b);
}
