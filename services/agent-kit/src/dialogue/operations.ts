import { compileSchema } from "@interlock/contracts";
import type { Definition } from "./replies.ts";
import type { Operation, SlotValues, Turn } from "./types.ts";

export function isDoubt({ op }: Operation): boolean {
  return op === "doubt";
}

/** The rules of a dialogue that has none of its own. */
export function plainRules({ slots }: Definition, { message, locale, asked }: Turn<SlotValues>): Operation[] {
  const found = Object.entries(slots).flatMap(([slot, { find }]): Operation[] => {
    const value = find?.(message, locale);
    return value === undefined ? [] : [{ op: "set", slot, value }];
  });
  return found.length === 0 && asked !== undefined
    ? [{ op: "set", slot: asked, value: message.trim() }]
    : found;
}

/** A model may yield anything. */
export const isOperation = compileSchema<Operation>({
  type: "object",
  required: ["op"],
  oneOf: [
    { required: ["slot", "value"], properties: { op: { const: "set" }, slot: { type: "string" } } },
    { required: ["slot"], properties: { op: { const: "clear" }, slot: { type: "string" } } },
    { required: ["queued"], properties: { op: { const: "clear" }, queued: { type: "integer" } } },
    { required: ["values"], properties: { op: { const: "add" }, values: { type: "object" } } },
    { properties: { op: { enum: ["next", "doubt"] } } },
  ],
});
