import type { EntityIndex } from "../catalogue/entity-index.ts";
import { candidatesOf } from "../tagger/candidates.ts";
import { namesIn } from "../tagger/names-in.ts";
import { sizeFor } from "../tagger/size.ts";
import type { SlotReader } from "../text/compile.ts";
import { unitsOf } from "./units.ts";

/** A part of a message that may say something, and what that may be. */
export type Offered = {
  /** As the message has it. */
  readonly quote: string;
  /** By slot, the names that it may mean. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** By slot, its size; two for a range. */
  readonly amounts: Readonly<Record<string, readonly number[]>>;
};

/** More names than these are told by nobody: "the lamps" of thousands. */
const MOST_NAMES = 20;

/** What a message mentions of the slots: all that a claim can be about, however large the catalogue is. */
export function mentionsOffered(message: string, reader: SlotReader, index: EntityIndex): Offered[] {
  const { text, units } = unitsOf(message, reader, index);
  return units.flatMap((unit): Offered[] => {
    const { mention } = unit;
    if (!mention) return [];
    const names: Record<string, string[]> = {};
    const amounts: Record<string, number[]> = {};
    for (const { slot } of candidatesOf(unit, reader.slots)) {
      if (!slot) continue;
      const phrase = mention.phrases.find((found) => found.slot === slot);
      if (mention.amount && !mention.values.some((found) => found.slot === slot)) {
        const { low, value } = mention.amount;
        amounts[slot.name] = [...(low === undefined ? [] : [low]), value].map((said) =>
          sizeFor(slot, mention.amount ?? { value, unit: "none", signed: false, length: 1 }, said),
        );
      } else if (phrase) amounts[slot.name] = [phrase.value];
      else names[slot.name] = namesIn(mention, slot, index).slice(0, MOST_NAMES);
    }
    return [{ quote: text.slice(unit.start, unit.end), names, amounts }];
  });
}
