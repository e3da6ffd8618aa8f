import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { loadMesh } from "../../mesh/index.ts";
import { indexEntities, readSlots, type Slots } from "../index.ts";

const root = new URL("../../../../../", import.meta.url);
const mesh = loadMesh(new URL("mesh.yaml", root).pathname, {});
const reader = mesh.flows.get("pricing")?.slots;
if (!reader) throw new Error("The flow pricing has no slots.");
const index = indexEntities(
  reader.slots,
  JSON.parse(readFileSync(new URL("services/pricing/data/sample-catalogue.json", root), "utf8")),
);

type Phrase = { text: string; value: Slots[string] };

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const share = fc.integer({ min: 1, max: 40 }).map((value) => value / 100);
const price = fc.integer({ min: 20, max: 900 });
const inPercent = (value: Slots[string]): string => `${Math.round(Number(value) * 100)}`;

/** A value in one of several wordings, which have it where `{}` is. */
const phrase = (
  value: fc.Arbitrary<Slots[string]>,
  wordings: readonly string[],
  say: (value: Slots[string]) => string = String,
): fc.Arbitrary<Phrase> =>
  fc
    .tuple(value, oneOf(...wordings))
    .map(([set, wording]) => ({ text: wording.replace("{}", say(set)), value: set }));

/** One phrase for each slot. */
const PHRASES: Readonly<Record<string, fc.Arbitrary<Phrase>>> = {
  items: phrase(
    oneOf("VALVE-V7", "PUMP-C3", "MOTOR-M2").map((id) => [id]),
    ["for {}", "only {}"],
  ),
  tiers: phrase(
    oneOf("new", "exchange", "repair", "usm").map((tier) => [tier]),
    ["for the {} tier", "only {} tiers"],
  ),
  region: phrase(oneOf("EMEA", "APAC", "NA"), ["for the {} region", "in the {} region"]),
  segment: phrase(oneOf("premium", "standard", "budget"), ["in the {} segment", "for the segment {}"]),
  max_change_pct: phrase(
    share,
    ["with at most {}% change", "with a maximum change of {} percent"],
    inPercent,
  ),
  min_margin: phrase(share, ["with a margin of at least {}%", "with a minimum margin of {} %"], inPercent),
  min_price: phrase(price, ["with a floor price of {} euros", "with no price below {} EUR"]),
  max_price: phrase(price, ["with a price ceiling of {} euros", "with no price above {} EUR"]),
  price_move: phrase(
    share,
    ["if we raise all prices by {}%", "after a price increase of {} percent"],
    inPercent,
  ),
  cost_move: phrase(
    share,
    ["if unit costs rise by {}%", "assuming that costs increase by {} percent"],
    inPercent,
  ),
  objective: phrase(oneOf("revenue", "profit"), ["maximise {}", "optimise for {}"]),
  only_violating: phrase(fc.constant(true), ["only violating items", "just the items that break rules"]),
  top: phrase(fc.integer({ min: 2, max: 20 }), ["the top {} by upside", "top {} items"]),
};

test("there is a phrase for every slot that constrains", () => {
  const constraining = reader.slots.filter(({ kind }) => kind !== "date");
  expect(Object.keys(PHRASES).sort()).toEqual(constraining.map(({ name }) => name).sort());
});

const said = Object.entries(PHRASES).map(([slot, text]) => text.map((own) => ({ slot, ...own })));
const message = fc
  .tuple(fc.shuffledSubarray(said, { minLength: 1 }), oneOf(", ", " and ", ". ", "; "))
  .chain(([phrases, joint]) => fc.tuple(fc.tuple(...phrases), fc.constant(joint)));

test("phrases in any order, joined by any connective, are read back exactly or asked about", () => {
  fc.assert(
    fc.property(message, ([phrases, joint]) => {
      const { slots, asks, unsupported } = readSlots(
        phrases.map(({ text }) => text).join(joint),
        reader,
        index,
      );
      const asked = new Set(asks.map(({ slot }) => slot));
      const wanted: Slots = Object.fromEntries(phrases.map(({ slot, value }) => [slot, value]));
      for (const name of Object.keys(slots)) expect(slots[name]).toEqual(wanted[name]);
      for (const name of Object.keys(wanted)) expect(name in slots || asked.has(name)).toBe(true);
      expect(unsupported).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
