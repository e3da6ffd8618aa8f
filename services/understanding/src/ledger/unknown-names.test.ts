import { expect, test } from "@jest/globals";
import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { indexEntities, namesOf } from "../catalogue/entity-index.ts";
import { unitsOf } from "../mentions/units.ts";
import { compileSlots } from "../text/compile.ts";
import { unknownNames } from "./unknown-names.ts";

const LAMPS: SlotDeclaration = {
  name: "lamps",
  kind: "entity",
  from: ["lamps"],
  keys: false,
  id: "id",
  names: ["name"],
  nouns: ["lamp", "luminaire"],
  cues: [],
  values: {},
  ordinary: [],
  phrases: {},
  implicit: false,
  suggest: [],
  label: { en: "lamps", ko: "조명" },
  appliesTo: [],
  fromResults: false,
};
const reader = compileSlots({ slots: [LAMPS], words: { unsupported: [], neutral: [], decoys: [] } });
const index = indexEntities([LAMPS], { lamps: [{ id: "ZX-1", name: "Quorlight" }] });

function namesIn(message: string): string {
  const { text, units } = unitsOf(message, reader, index);
  const unknown = unknownNames(text, units, namesOf(index));
  return units.flatMap(({ start, end }, at) => (unknown[at] ? [text.slice(start, end)] : [])).join(" ");
}

test.each([
  ["what did the zarbo lamps cost", "zarbo"],
  ["rents for the Bridgewood hall, please", "Bridgewood"],
  ["only lamps from Hall Bridgewood", "Hall Bridgewood"],
  ["send the list to Ms Okonkwo's office", "Ms Okonkwo's"],
  ["Zarbo first, then the others", "Zarbo"],
])("a name that neither the inputs nor English has is found: %s", (message, names) => {
  expect(namesIn(message)).toBe(names);
});

test.each([
  ["has all words known", "What may the Quorlight cost? The quorlight's rent, I mean. We'd pay that."],
  ["is misspelt", "propse rents for teh lamps agaisnt the ruels, it doesnt matter"],
  ["is in capitals", "PROPOSE RENTS FOR THE LUMINAIRE"],
  ["Has Capitals Everywhere", "Propose New Rents For Luminaires"],
  ["is in another language", "Bitte schlage neue Mieten für unsere Leuchten vor"],
  ["is in Korean", "모든 조명의 임대료를 제안해 주세요"],
])("none is found in a message that %s", (_, message) => {
  expect(namesIn(message)).toBe("");
});
