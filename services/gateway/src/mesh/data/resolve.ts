import { JsonText } from "../../json-text.ts";
import { fromJson, membersOf } from "./members.ts";
import type { Reference } from "./reference.ts";

/** The values that references can read, by root. */
export type Context = Readonly<Record<string, unknown>>;

/**
 * Follows a reference. Large values are text and stay text: nothing is parsed on the way to them.
 * @returns undefined where a name leads nowhere; names lead into objects, not into lists
 */
export async function resolveReference(reference: Reference, context: Context): Promise<unknown> {
  let value: unknown = context;
  for (const name of reference) {
    if (value instanceof JsonText) {
      const json = (await membersOf(value)).get(name);
      value = json === undefined ? undefined : fromJson(json);
    } else {
      value = ownMember(value, name);
    }
    if (value === undefined) return undefined;
  }
  return value;
}

function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
