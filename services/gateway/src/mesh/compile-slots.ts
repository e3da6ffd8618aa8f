import type { MeshFlow, MeshSlot } from "@interlock/contracts";
import type { SlotDeclaration, SlotDeclarations } from "../language/index.ts";
import { localised } from "./localised.ts";

/** The slots of a flow with defaults filled in. */
export function declareSlots({ slots = {}, slot_words: words = {} }: MeshFlow): SlotDeclarations {
  return {
    slots: Object.entries(slots).map(([name, slot]) => declareSlot(name, slot, slots)),
    words: {
      unsupported: words.unsupported ?? [],
      neutral: words.neutral ?? [],
      decoys: words.decoys ?? [],
    },
  };
}

const HANGUL = /\p{Script=Hangul}/u;

/** A value that stands for another slot's, which is said behind some words: "compared with last month". A phrase is of one script. */
function valuesBehind(
  { slot, values, named, said }: NonNullable<MeshSlot["behind"]>,
  slots: Readonly<Record<string, MeshSlot>>,
): Record<string, string[]> {
  const filled = (template: string, value: string): string => template.replace("{value}", () => value);
  return Object.fromEntries(
    values.map((value) => [
      filled(named, value),
      [value, ...(slots[slot]?.values?.[value] ?? [])].flatMap((name) =>
        said.filter((one) => HANGUL.test(one) === HANGUL.test(name)).map((one) => filled(one, name)),
      ),
    ]),
  );
}

function declareSlot(
  name: string,
  slot: MeshSlot,
  slots: Readonly<Record<string, MeshSlot>>,
): SlotDeclaration {
  const declared: SlotDeclaration = {
    name,
    kind: slot.kind,
    label: localised(slot.label),
    from: slot.from ?? [],
    keys: slot.keys ?? false,
    id: slot.id ?? "id",
    names: slot.names ?? [],
    nouns: slot.nouns ?? [],
    cues: slot.cues ?? [],
    values: { ...slot.values, ...(slot.behind ? valuesBehind(slot.behind, slots) : {}) },
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
  if (slot.echo !== undefined) declared.echo = localised(slot.echo);
  return declared;
}
