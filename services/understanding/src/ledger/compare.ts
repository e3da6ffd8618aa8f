import { isLimits, type Slots, type SlotValue } from "../catalogue/reading.ts";

/** A slot that two readers read differently; absent is a reader that sets nothing. */
export type Difference = { readonly slot: string; readonly first?: SlotValue; readonly second?: SlotValue };

/** Slot by slot, in the order in which they are declared. */
export function differencesOf(first: Slots, second: Slots, declared: readonly string[]): Difference[] {
  return declared.flatMap((slot): Difference[] => {
    const [one, other] = [first[slot], second[slot]];
    if (isSame(one, other)) return [];
    return [
      {
        slot,
        ...(one === undefined ? {} : { first: one }),
        ...(other === undefined ? {} : { second: other }),
      },
    ];
  });
}

/** Amounts were computed in several ways. */
const RELATIVE = 1e-9;

/** Lists are sets, and one value is a list of one. */
export function isSame(one: SlotValue | undefined, other: SlotValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= RELATIVE * Math.max(Math.abs(one), Math.abs(other));
  if (isLimits(one) || isLimits(other)) return JSON.stringify(one) === JSON.stringify(other);
  if (!isNames(one) || !isNames(other)) return one === other;
  const [some, others] = [new Set([one].flat()), new Set([other].flat())];
  return some.size === others.size && [...some].every((name) => others.has(name));
}

const isNames = (value: SlotValue): value is string | readonly string[] =>
  typeof value === "string" || Array.isArray(value);
