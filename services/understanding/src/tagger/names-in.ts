import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { EntityIndex } from "../catalogue/entity-index.ts";
import type { Mention } from "../mentions/mention.ts";

/** What a mention names of a slot: a value, or ids of the inputs. */
export function namesIn({ entity, values }: Mention, slot: SlotDeclaration, index: EntityIndex): string[] {
  const value = values.find((found) => found.slot === slot);
  if (value) return [value.value];
  const ids = index.entities.find((list) => list.slot === slot)?.ids ?? [];
  // A word can name thousands.
  return entity ? entity.positions.map((position) => ids[position] ?? "") : [];
}
