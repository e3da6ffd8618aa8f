import type { MeshFlow, MeshSlot } from "@interlock/contracts";
import type { SlotDeclaration, SlotDeclarations } from "../language/index.ts";

/** The slots of a flow with defaults filled in. */
export function declareSlots({ slots = {}, slot_words: words = {} }: MeshFlow): SlotDeclarations {
  return {
    slots: Object.entries(slots).map(([name, slot]) => declareSlot(name, slot)),
    words: {
      unsupported: words.unsupported ?? [],
      neutral: words.neutral ?? [],
      decoys: words.decoys ?? [],
    },
  };
}

function declareSlot(name: string, slot: MeshSlot): SlotDeclaration {
  const declared: SlotDeclaration = {
    name,
    kind: slot.kind,
    label: slot.label,
    from: slot.from ?? [],
    keys: slot.keys ?? false,
    id: slot.id ?? "id",
    names: slot.names ?? [],
    nouns: slot.nouns ?? [],
    cues: slot.cues ?? [],
    values: slot.values ?? {},
    ordinary: slot.ordinary ?? [],
    phrases: slot.phrases ?? {},
    implicit: slot.implicit ?? false,
    suggest: slot.suggest ?? [],
    appliesTo: slot.applies_to ?? [],
    fromResults: slot.from_results ?? false,
  };
  if (slot.reads !== undefined) declared.reads = slot.reads;
  if (slot.input !== undefined) declared.input = slot.input;
  if (slot.sets_aside !== undefined) declared.setsAside = slot.sets_aside;
  if (slot.echo !== undefined) declared.echo = slot.echo;
  return declared;
}
