import type { SlotDeclaration } from "./declarations.ts";
import { labelOf } from "./draft.ts";
import type { Slots, SlotValue } from "./reading.ts";

/** Values that a list names before it counts the others. */
const MOST_NAMED = 5;

/** Says what slots hold, in the order of the declarations: "For VALVE-V7, EMEA, at most 5 % change". */
export function echoSlots(
  slots: Slots,
  declarations: readonly SlotDeclaration[],
  locale: "en" | "ko",
): string {
  const parts = declarations.flatMap((slot) => {
    const value = slots[slot.name];
    const template = slot.echo?.[locale];
    if (value === undefined || value === false) return [];
    return template === undefined
      ? [`${slot.label[locale]} ${textOf(slot, value, locale)}`]
      : [template.replace("{value}", textOf(slot, value, locale))];
  });
  if (parts.length === 0) return "";
  const [first] = declarations.filter(({ name }) => slots[name] !== undefined);
  const isSelection = first?.kind === "entity" || first?.kind === "enum";
  const text = parts.join(", ");
  if (locale === "ko") return text;
  return isSelection ? `For ${text}` : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function textOf(slot: SlotDeclaration, value: SlotValue, locale: "en" | "ko"): string {
  if (typeof value !== "object") return labelOf(slot, value);
  if (value.length <= MOST_NAMED)
    return value.join(locale === "ko" ? "·" : " and ").replaceAll(/ and (?=.* and )/g, ", ");
  const more = value.length - MOST_NAMED;
  const named = value.slice(0, MOST_NAMED).join(", ");
  return locale === "ko" ? `${named} 외 ${more}개` : `${named} and ${more} more`;
}
