import type { SlotDeclaration } from "../src/index.ts";

/** A slot as a test declares it: a percentage that nothing else is said of. */
export const slot = (name: string, members: Partial<SlotDeclaration>): SlotDeclaration => ({
  name,
  kind: "percent",
  from: [],
  keys: false,
  id: "id",
  names: ["name"],
  nouns: [],
  cues: [],
  values: {},
  ordinary: [],
  phrases: {},
  implicit: false,
  suggest: [],
  label: { en: name, ko: name },
  appliesTo: [],
  fromResults: false,
  ...members,
});
