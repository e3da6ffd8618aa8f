import {
  isLimits,
  type Limit,
  type Limits,
  type SlotDeclaration,
  type Slots,
  type SlotValue,
} from "@interlock/understanding";
import { labelOf } from "./draft.ts";

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
    if (value === undefined || value === false) return [];
    if (isLimits(value)) return value.limits.map((limit) => limitText(slot, limit, locale));
    return [partOf(slot, textOf(slot, value, locale), locale)];
  });
  if (parts.length === 0) return "";
  const [first] = declarations.filter(({ name }) => slots[name] !== undefined);
  const isSelection = first?.kind === "entity" || first?.kind === "enum";
  const text = parts.join(", ");
  if (locale === "ko") return text;
  return isSelection ? `For ${text}` : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function partOf(slot: SlotDeclaration, text: string, locale: "en" | "ko"): string {
  const template = slot.echo?.[locale];
  return template === undefined ? `${slot.label[locale]} ${text}` : template.replace("{value}", text);
}

const WAYS = {
  en: { up: " (increases)", down: " (decreases)" },
  ko: { up: "(인상)", down: "(인하)" },
} as const;

/** "at most 5 % change (increases) for exchange". */
function limitText(slot: SlotDeclaration, { value, way, scope }: Limit, locale: "en" | "ko"): string {
  const said = partOf(slot, labelOf(slot, value), locale) + (way ? WAYS[locale][way] : "");
  if (!scope) return said;
  const names = Object.values(scope).map((list) => listed(list, locale));
  return locale === "ko" ? `${names.join(" ")}: ${said}` : `${said} for ${names.join(", ")}`;
}

function textOf(slot: SlotDeclaration, value: Exclude<SlotValue, Limits>, locale: "en" | "ko"): string {
  return typeof value === "object" ? listed(value, locale) : labelOf(slot, value);
}

function listed(value: readonly string[], locale: "en" | "ko"): string {
  if (value.length <= MOST_NAMED)
    return value.join(locale === "ko" ? "·" : " and ").replaceAll(/ and (?=.* and )/g, ", ");
  const more = value.length - MOST_NAMED;
  const named = value.slice(0, MOST_NAMED).join(", ");
  return locale === "ko" ? `${named} 외 ${more}개` : `${named} and ${more} more`;
}
