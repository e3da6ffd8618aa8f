import { expect, test } from "@jest/globals";
import { knownWords, spellerOf } from "./spelling.ts";

const spelled = spellerOf(knownWords(["next quarter", "harbour"]), knownWords(["turbine", "crates"]));

test.each([
  ["next qurater", "next quarter"],
  ["the harbuor", "the harbour"],
  ["two turbins", "two turbine"],
])("a word that is near to one of the domain alone is meant to be that: %s", (said, meant) => {
  expect(spelled(said)).toBe(meant);
});

test.each(["create the crater", "TURB-1", "turbine7", "harbour", "xyzzy"])(
  "words that there are, ids and words far from all stay: %s",
  (said) => {
    expect(spelled(said)).toBe(said);
  },
);
