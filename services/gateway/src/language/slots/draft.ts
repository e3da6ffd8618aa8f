import type {
  EntityIndex,
  Lexicon,
  Piece,
  SlotDeclaration,
  SlotEdit,
  SlotQuestion,
  Slots,
  SlotValue,
} from "@interlock/understanding";
import { type Correction, correctionBefore, isCorrection } from "./corrections.ts";
import { addSpan, type Span } from "./spans.ts";

/** A reading under way. */
export type Draft = {
  text: string;
  pieces: readonly Piece[];
  slots: readonly SlotDeclaration[];
  lexicon: Lexicon;
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

/**
 * Sets a slot; asks where the message has said another value for it and not corrected that one.
 * @param at the piece that says the value
 */
export function setSlot(
  draft: Draft,
  slot: SlotDeclaration,
  value: number | string | boolean,
  at: number,
): void {
  const before = draft.values.get(slot.name);
  const isCorrected = isCorrection(draft.corrections, draft.places.get(slot.name) ?? at, at);
  // Of three values the last is no more meant than the two before.
  const isAsked = draft.places.has(slot.name) && draft.asks.some((asked) => asked.slot === slot.name);
  if (before === undefined && isAsked && !isCorrected) return;
  if (before === undefined || before === value || isCorrected) {
    draft.values.set(slot.name, value);
    draft.places.set(slot.name, at);
  } else if (!Array.isArray(before)) {
    draft.values.delete(slot.name);
    ask(draft, {
      slot: slot.name,
      question: draft.korean
        ? `${slot.label.ko}: 두 가지 값이 있습니다. 어느 것으로 할까요?`
        : `Which ${slot.label.en} do you mean?`,
      options: [before, value].flatMap((option) =>
        typeof option === "object" ? [] : [{ label: labelOf(slot, option), sets: { [slot.name]: option } }],
      ),
    });
  }
}

/** The slot that a bare value behind a correction is for: of those that fit, the one that was set nearest before it. */
export function correctedSlot(
  draft: Draft,
  at: number,
  fits: (slot: SlotDeclaration) => boolean,
): SlotDeclaration | undefined {
  const correction = correctionBefore(draft.corrections, at);
  if (!correction) return undefined;
  let nearest: { slot: SlotDeclaration; place: number } | undefined;
  for (const slot of draft.slots) {
    const place = draft.places.get(slot.name);
    if (place === undefined || place >= correction.from || place < (nearest?.place ?? 0) || !fits(slot))
      continue;
    nearest = { slot, place };
  }
  return nearest?.slot;
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

/** Asks for the amount of a slot. @param sign of the answers that are offered */
export function askHowMuch(draft: Draft, slot: SlotDeclaration, sign: 1 | -1 = 1): void {
  if (slot.suggest.length === 0) return;
  ask(draft, {
    slot: slot.name,
    question: draft.korean ? `${slot.label.ko}: 얼마로 할까요?` : `How much for the ${slot.label.en}?`,
    options: slot.suggest.map((value) => ({
      label: labelOf(slot, sign * value),
      sets: { [slot.name]: sign * value },
    })),
  });
}
