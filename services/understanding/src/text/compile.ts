import type { SlotDeclaration, SlotDeclarations } from "../catalogue/declarations.ts";
import { compileLexicon, type Lexicon } from "./lexicon.ts";

/** The slots of a flow, ready to be read. */
export type SlotReader = { slots: readonly SlotDeclaration[]; lexicon: Lexicon };

/** Makes what `readSlots` needs of a flow's declarations. Done once, at start-up. */
export function compileSlots(declarations: SlotDeclarations): SlotReader {
  return { slots: declarations.slots, lexicon: compileLexicon(declarations) };
}
