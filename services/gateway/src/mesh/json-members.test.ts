import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { memberSpans } from "./json-members.ts";

test("the members of an object are found in its text, however it is written", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("outputs", 'a"b', "\\", "{", '\\"'));
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), fc.constantFrom(undefined, 2), (members, indent) => {
      const json = JSON.stringify(members, null, indent);
      const found = [...memberSpans(json)].map(([key, span]) => [key, JSON.parse(json.slice(...span))]);
      expect(found).toEqual(Object.entries(JSON.parse(json)).toSorted(byOrderIn(found)));
    }),
  );
});

test("of members with the same name the last counts, as for JSON.parse", () => {
  const json = '{"outputs":{"n":1}, "out\\u0070uts" : [2] ,"x":"}"}';
  expect([...memberSpans(json)].map(([name, span]) => [name, json.slice(...span).trim()])).toEqual([
    ["outputs", "[2]"],
    ["x", '"}"'],
  ]);
});

/** Objects have members with numbers for names first, whatever their text says. */
function byOrderIn(found: readonly (readonly unknown[])[]) {
  const names = found.map(([name]) => name);
  return ([a]: [string, unknown], [b]: [string, unknown]) => names.indexOf(a) - names.indexOf(b);
}
