import type { SlotDeclaration } from "../../language/index.ts";
import { type Cell, memberOf } from "./cells.ts";

/** What the inputs say of what a value is of, beside its keys, by slot: the region of an item. */
export type Attributes = (keys: Cell["keys"]) => Cell["keys"];

/** Finds them where a slot's values are members of the elements of a list of entities: `items.region` beside `items`. */
export function attributesIn(inputs: unknown, slots: readonly SlotDeclaration[]): Attributes {
  const byEntity = new Map<string, Map<string, Record<string, string>>>();
  for (const entity of slots.filter(({ kind }) => kind === "entity")) {
    const known = new Map<string, Record<string, string>>();
    for (const list of entity.from) {
      const members = slots.flatMap(({ name, kind, from, keys }) =>
        kind !== "enum" || keys
          ? []
          : from.flatMap((path) =>
              path.startsWith(`${list}.`) ? [{ name, member: path.slice(list.length + 1) }] : [],
            ),
      );
      const elements = list.split(".").reduce(memberOf, inputs);
      for (const element of Array.isArray(elements) && members.length > 0 ? elements : []) {
        const id = memberOf(element, entity.id);
        const own = members.flatMap(({ name, member }): [string, string][] => {
          const value = memberOf(element, member);
          return typeof value === "string" ? [[name, value]] : [];
        });
        if (typeof id === "string") known.set(id, Object.fromEntries(own));
      }
    }
    byEntity.set(entity.name, known);
  }
  return (keys) =>
    Object.assign({}, ...Object.entries(keys).map(([slot, id]) => byEntity.get(slot)?.get(id) ?? {}), keys);
}
