import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { loadMesh } from "../../mesh/index.ts";
import { indexEntities, readSlots, type Slots } from "../index.ts";

const root = new URL("../../../../../", import.meta.url);
const mesh = loadMesh(new URL("mesh.yaml", root).pathname, {}, { evaluate: async () => undefined });
const reader = mesh.flows.get("pricing")?.slots;
if (!reader) throw new Error("The flow pricing has no slots.");
const index = indexEntities(
  reader.slots,
  JSON.parse(readFileSync(new URL("services/pricing/data/sample-catalogue.json", root), "utf8")),
);

type Phrase = { slot: string; text: string; sets: Slots };

const percent = fc.integer({ min: 1, max: 40 });
const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const phrase = (
  slot: string,
  value: fc.Arbitrary<Slots[string]>,
  texts: fc.Arbitrary<(value: string) => string>,
  say: (value: Slots[string]) => string = String,
): fc.Arbitrary<Phrase> =>
  fc.tuple(value, texts).map(([set, text]) => ({ slot, text: text(say(set)), sets: { [slot]: set } }));
const share = percent.map((value) => value / 100);
const inPercent = (value: Slots[string]): string => `${Math.round(Number(value) * 100)}`;
const inTexts = (...texts: string[]) =>
  oneOf(...texts).map((text) => (value: string) => text.replace("{}", value));

/** One phrase for a slot, in one of several wordings. */
const PHRASES = [
  phrase(
    "items",
    oneOf("VALVE-V7", "PUMP-C3", "MOTOR-M2").map((id) => [id]),
    inTexts("for {}", "only {}"),
  ),
  phrase("region", oneOf("EMEA", "APAC", "NA"), inTexts("for the {} region", "in the {} region")),
  phrase(
    "max_change_pct",
    share,
    inTexts("with at most {}% change", "with a maximum change of {} percent"),
    inPercent,
  ),
  phrase(
    "min_margin",
    share,
    inTexts("with a margin of at least {}%", "with a minimum margin of {} %"),
    inPercent,
  ),
  phrase("objective", oneOf("revenue", "profit"), inTexts("maximise {}", "optimise for {}")),
];

const message = fc
  .tuple(fc.shuffledSubarray(PHRASES, { minLength: 1 }), oneOf(", ", " and ", ". ", "; "))
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
      const said: Slots = Object.assign({}, ...phrases.map(({ sets }) => sets));
      for (const name of Object.keys(slots)) expect(slots[name]).toEqual(said[name]);
      for (const name of Object.keys(said)) expect(name in slots || asked.has(name)).toBe(true);
      expect(unsupported).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
