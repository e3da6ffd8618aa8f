import { expect, test } from "@jest/globals";
import { slot } from "../../test/slot.ts";
import { compileSlots, indexEntities, loadTagger, tagSlots } from "../index.ts";

const slots = [
  slot("drift", { reads: "most", implicit: true, nouns: ["drift"] }),
  slot("spill", { reads: "most", nouns: ["spill"] }),
  slot("crates", { kind: "number", reads: "most", nouns: ["crate"] }),
  slot("shifts", { kind: "number", reads: "most", nouns: ["shift"] }),
  slot("outlay", { kind: "money", reads: "most", nouns: ["outlay"] }),
  slot("takings", { kind: "money", reads: "least", nouns: ["takings"] }),
];
const reader = compileSlots({ slots, words: { unsupported: [], neutral: [], decoys: [] } });
const index = indexEntities(slots, {});
const model = loadTagger();
const boundsOf = (message: string) => tagSlots(message, reader, index, model)?.bounds ?? [];
const fitsOf = (message: string) => boundsOf(message).map(({ fits }) => fits.map((fit) => fit.slot));

test.each([
  ["at most 40 crates", [["crates"]]],
  ["no more than 3 shifts", [["shifts"]]],
  ["max 12 of each", [["crates", "shifts"]]],
  ["at least 900 euros", [["takings"]]],
  ["from 250 up", [["takings"]]],
  ["spill of at most 4 %", [["spill"]]],
])("of what a limit can be: %s", (message, fits) => {
  expect(fitsOf(message)).toEqual(fits);
});

test("without a unit or a noun it may be of several, and a percentage only of what needs no noun", () => {
  expect(fitsOf("not more than 30")).toEqual([["drift", "crates", "shifts", "outlay"]]);
  expect(boundsOf("not more than 30")).toMatchObject([{ isPlain: true, isTold: false, crosses: false }]);
});

test("what something is waited for is a limit that may be passed either way", () => {
  expect(boundsOf("tell us once it is over 700 euros")).toMatchObject([{ crosses: true, figure: 700 }]);
  expect(boundsOf("it must not be over 700 euros")).toMatchObject([
    { crosses: false, fits: [{ slot: "outlay", value: 700 }] },
  ]);
});
