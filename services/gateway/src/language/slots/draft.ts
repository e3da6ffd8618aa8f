import type {
  EntityIndex,
  Piece,
  SlotDeclaration,
  SlotEdit,
  SlotQuestion,
  Slots,
  SlotValue,
} from "@interlock/understanding";
import type { Correction } from "./corrections.ts";
import { addSpan, type Span } from "./spans.ts";

/** A reading under way. */
export type Draft = {
  text: string;
  pieces: readonly Piece[];
  slots: readonly SlotDeclaration[];
  index: EntityIndex;
  korean: boolean;
  /** The slots of the turn before: "and 15 %?" speaks of the amount there. */
  before: Slots;
  values: Map<string, SlotValue>;
  /** The pieces at which the values of amounts, choices, counts and flags were said. */
  places: Map<string, number>;
  /** Where the message takes back what it has just said. */
  corrections: readonly Correction[];
  /** The names and values that the message leaves out. */
  excluded: ReadonlySet<Piece>;
  edits: Map<string, SlotEdit>;
  cleared: Set<string>;
  /** Where the unsupported phrases are, in order. */
  unsupported: Span[];
  asks: SlotQuestion[];
};

/** Says that a part of the message cannot be applied; parts that overlap become one. */
export function cannotApply(draft: Draft, start: number, end: number): void {
  addSpan(draft.unsupported, { start, end });
}

/** Asks once for each slot. */
export function ask(draft: Draft, question: SlotQuestion): void {
  if (!draft.asks.some(({ slot }) => slot === question.slot)) draft.asks.push(question);
}

/** A value as a button or an echo shows it: 0.05 of a percent is "5 %". */
export function labelOf(slot: SlotDeclaration, value: number | string | boolean): string {
  if (typeof value !== "number") return String(value);
  if (slot.kind !== "percent")
    return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4)));
  const percent = Number((value * 100).toFixed(4));
  return `${slot.reads === "change" && percent > 0 ? "+" : ""}${percent} %`;
}
